// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/sessionrequest.h"

#include <QByteArray>
#include <QHash>
#include <QSettings>
#include <QStringList>
#include <QVariant>

#include <optional>

namespace jetscope {

/// Persistent layout and choices. Unsafe choices are never stored. Unchanged values are not written again, so that two
/// open windows do not overwrite each other in turns. When ignored, nothing is read or written, and every value has its
/// default.
class Settings {
public:
    enum class Use { Normal, Ignore };
    explicit Settings(Use use);

    /// Why the stored settings are not used, as a sentence; usually empty.
    const QString &trouble() const { return m_trouble; }
    /// No settings were ever stored: this is the first start for this user.
    bool isFirstStart() const;
    /// Source, device and choices are remembered for each board by itself; empty: those of this machine.
    void setBoard(const QString &address) { m_board = address; }
    /// The key of a value that each board has for itself.
    QByteArray ofBoard(const std::string &key) const;
    SessionRequest request() const;
    void saveRequest(const std::string &source, const std::string &deviceId, const PipelineConfig &config,
                     const DeviceFacts &facts);

    /// Limit of spans in a trace; the default if the stored value is out of range.
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
    QString m_trouble;
    QString m_board;                     ///< Address; empty: this machine.
    std::optional<QSettings> m_settings; ///< Empty when ignored.
    QHash<QString, QVariant> m_kept;     ///< Values written by this object.
};

} // namespace jetscope
