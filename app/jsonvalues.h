// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonObject>
#include <QJsonValue>

#include <string>
#include <string_view>

namespace jetscope {

/// JSON text; bytes that are no UTF-8 (a file name may have them) become replacement characters.
inline QJsonValue jsonText(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

inline QJsonValue jsonTextOrNull(std::string_view utf8)
{
    return utf8.empty() ? QJsonValue(QJsonValue::Null) : jsonText(utf8);
}

/// The object as one line.
std::string jsonLine(const QJsonObject &object);

} // namespace jetscope
