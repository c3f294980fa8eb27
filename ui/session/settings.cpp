// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/settings.h"

#include "core/settings/filters.h"
#include "ui/session/spanlimit.h"
#include "ui/style/text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>

namespace jetscope {

namespace {

constexpr qsizetype kRecentSources = 8;
constexpr const char *kSourceKey = "session/source";
constexpr const char *kMaxSpansKey = "trace/most-spans";

QString key(const char *name)
{
    return QLatin1String(name);
}

/// QSettings waits for ever for a pipe, and replaces a device by a file.
QString troubleWithFiles()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    for (const char *name : {"/jetscope/jetscope.ini", "/jetscope.ini"}) {
        const QFileInfo file(folder + QLatin1String(name));
        if (file.exists() && !file.isFile())
            return QCoreApplication::translate(
                       "Settings", "The settings are neither read nor kept, because %1 is no file: remove it.")
                .arg(file.filePath());
    }
    return {};
}

} // namespace

Settings::Settings(Use use) : m_trouble(use == Use::Normal ? troubleWithFiles() : QString())
{
    if (use == Use::Normal && m_trouble.isEmpty())
        m_settings.emplace(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("jetscope"),
                           QStringLiteral("jetscope"));
}

QByteArray Settings::ofBoard(const std::string &name) const
{
    const QByteArray own = QByteArray::fromStdString(name);
    return m_board.isEmpty() ? own : "remote/" + m_board.toUtf8().toPercentEncoding() + '/' + own;
}

bool Settings::isFirstStart() const
{
    return m_settings && !m_settings->contains(key(kSourceKey));
}

SessionRequest Settings::request() const
{
    SessionRequest request;
    if (!m_settings)
        return request;
    request.source = text(ofBoard(kSourceKey), QString::fromUtf8(kDefaultSource)).toStdString();
    request.deviceId = text(ofBoard("session/device")).toStdString();
    for (const auto &[name, value] : settingsOf(request.config)) {
        const QString kept = text(ofBoard("choices/" + name));
        // Values that this program version does not support (written by another one) keep their defaults.
        if (!kept.isEmpty())
            static_cast<void>(applySetting(request.config, name, kept.toStdString()).ok());
    }
    return request;
}

void Settings::saveRequest(const std::string &source, const std::string &deviceId, const PipelineConfig &config,
                           const DeviceFacts &facts)
{
    save(ofBoard(kSourceKey), toQString(source));
    save(ofBoard("session/device"), toQString(deviceId));
    const bool legal = availability(config, facts).legal();
    PipelineConfig kept = legal ? config : nearestLegal(config, facts);
    std::erase_if(kept.filters, isStage); // The code of the user is never loaded unasked.
    for (const auto &[name, value] : settingsOf(kept))
        save(ofBoard("choices/" + name), toQString(value));
}

std::uint64_t Settings::mostSpans() const
{
    const std::uint64_t kept = text(kMaxSpansKey).toULongLong();
    return kept >= kSmallestMaxSpans && kept <= kLargestMaxSpans ? kept : Trace::kDefaultMaxSpans;
}

void Settings::saveMostSpans(std::uint64_t mostSpans)
{
    save(kMaxSpansKey, QString::number(mostSpans));
}

QStringList Settings::recentSources() const
{
    return m_settings ? m_settings->value(key(ofBoard("session/recent"))).toStringList() : QStringList();
}

void Settings::addRecentSource(const QString &uri)
{
    if (!m_settings)
        return;
    QStringList recent = recentSources();
    recent.removeAll(uri);
    recent.prepend(uri);
    m_settings->setValue(key(ofBoard("session/recent")), QStringList(recent.mid(0, kRecentSources)));
}

void Settings::set(const char *name, const QVariant &value)
{
    if (!m_settings || m_kept.value(key(name)) == value)
        return;
    m_kept.insert(key(name), value);
    m_settings->setValue(key(name), value);
}

QByteArray Settings::bytes(const char *name) const
{
    return m_settings ? m_settings->value(key(name)).toByteArray() : QByteArray();
}

void Settings::save(const char *name, const QByteArray &value)
{
    set(name, value);
}

QString Settings::text(const char *name, const QString &fallback) const
{
    return m_settings ? m_settings->value(key(name), fallback).toString() : fallback;
}

void Settings::save(const char *name, const QString &value)
{
    set(name, value);
}

bool Settings::flag(const char *name, bool fallback) const
{
    return m_settings ? m_settings->value(key(name), fallback).toBool() : fallback;
}

void Settings::save(const char *name, bool value)
{
    set(name, value);
}

} // namespace jetscope
