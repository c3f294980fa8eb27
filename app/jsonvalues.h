// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QJsonValue>

#include <string>
#include <string_view>

namespace jetscope {

/// A JSON string; invalid UTF-8 (possible in file names) becomes replacement characters.
inline QJsonValue jsonText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

inline QJsonValue jsonTextOrNull(std::string_view utf8)
{
    return utf8.empty() ? QJsonValue(QJsonValue::Null) : jsonText(utf8);
}

/// The object in one line.
std::string jsonLine(const QJsonObject &object);

} // namespace jetscope
