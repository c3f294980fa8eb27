// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/sessionrequest.h"

#include <QByteArray>
#include <QHash>
#include <QSettings>
#include <QStringList>
#include <QVariant>

#include <optional>

namespace jetscope {

/// What outlives the program: layout and choices. Unsafe choices are never kept. What is kept again as it was is not
/// written again, so that two windows do not take turns. When ignored, nothing is read or written and every value is
/// its default.
class Settings {
public:
    enum class Use { Normal, Ignore };
    explicit Settings(Use use);

    /// Nothing was ever kept: whoever starts the program now knows nothing of it.
    bool isFirstStart() const;
    SessionRequest request() const;
    void saveRequest(const std::string &source, const std::string &deviceId, const PipelineConfig &config,
                     const DeviceFacts &facts);

    /// How many spans the trace keeps; what is usual for a value that no user can set.
    std::uint64_t mostSpans() const;
    void saveMostSpans(std::uint64_t mostSpans);

    QStringList recentSources() const;
    void addRecentSource(const QString &uri);

    QByteArray bytes(const char *key) const;
    void save(const char *key, const QByteArray &value);
    QString text(const char *key, const QString &fallback = {}) const;
    void save(const char *key, const QString &value);
    bool flag(const char *key, bool fallback) const;
    void save(const char *key, bool value);

private:
    void set(const char *key, const QVariant &value);

    std::optional<QSettings> m_settings; ///< None when ignored.
    QHash<QString, QVariant> m_kept;     ///< By this object.
};

} // namespace jetscope
