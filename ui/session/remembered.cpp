// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/remembered.h"

#include "ui/style/text.h"
#include "ui/window/spanlimit.h"

namespace jetscope {

namespace {

constexpr qsizetype kRecentSources = 8;
constexpr const char *kSourceKey = "session/source";
constexpr const char *kMostSpansKey = "trace/most-spans";

QString key(const char *name)
{
    return QLatin1String(name);
}

} // namespace

Remembered::Remembered(Use use)
{
    if (use == Use::Normal)
        m_settings.emplace(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("jetscope"),
                           QStringLiteral("jetscope"));
}

bool Remembered::isFirstStart() const
{
    return m_settings && !m_settings->contains(key(kSourceKey));
}

SessionRequest Remembered::request() const
{
    SessionRequest request;
    if (!m_settings)
        return request;
    request.source = text(kSourceKey, QString::fromUtf8(kDefaultSource)).toStdString();
    request.deviceId = text("session/device").toStdString();
    for (const auto &[name, value] : settingsOf(request.config)) {
        const QString kept = text(("choices/" + name).c_str());
        // A value that an older or newer program wrote and this one does not know is left at its default.
        if (!kept.isEmpty())
            static_cast<void>(applySetting(request.config, name, kept.toStdString()).ok());
    }
    return request;
}

void Remembered::keepRequest(const std::string &source, const std::string &deviceId, const PipelineConfig &config,
                             const DeviceFacts &facts)
{
    keep(kSourceKey, toQString(source));
    keep("session/device", toQString(deviceId));
    const bool legal = availability(config, facts).legal();
    for (const auto &[name, value] : settingsOf(legal ? config : nearestLegal(config, facts)))
        keep(("choices/" + name).c_str(), toQString(value));
}

std::uint64_t Remembered::mostSpans() const
{
    const std::uint64_t kept = text(kMostSpansKey).toULongLong();
    return kept >= kFewestMostSpans && kept <= kGreatestMostSpans ? kept : Trace::kDefaultMostSpans;
}

void Remembered::keepMostSpans(std::uint64_t mostSpans)
{
    keep(kMostSpansKey, QString::number(mostSpans));
}

QStringList Remembered::recentSources() const
{
    return m_settings ? m_settings->value(QStringLiteral("session/recent")).toStringList() : QStringList();
}

void Remembered::addRecentSource(const QString &uri)
{
    if (!m_settings)
        return;
    QStringList recent = recentSources();
    recent.removeAll(uri);
    recent.prepend(uri);
    m_settings->setValue(QStringLiteral("session/recent"), QStringList(recent.mid(0, kRecentSources)));
}

void Remembered::set(const char *name, const QVariant &value)
{
    if (!m_settings || m_kept.value(key(name)) == value)
        return;
    m_kept.insert(key(name), value);
    m_settings->setValue(key(name), value);
}

QByteArray Remembered::bytes(const char *name) const
{
    return m_settings ? m_settings->value(key(name)).toByteArray() : QByteArray();
}

void Remembered::keep(const char *name, const QByteArray &value)
{
    set(name, value);
}

QString Remembered::text(const char *name, const QString &fallback) const
{
    return m_settings ? m_settings->value(key(name), fallback).toString() : fallback;
}

void Remembered::keep(const char *name, const QString &value)
{
    set(name, value);
}

bool Remembered::flag(const char *name, bool fallback) const
{
    return m_settings ? m_settings->value(key(name), fallback).toBool() : fallback;
}

void Remembered::keep(const char *name, bool value)
{
    set(name, value);
}

} // namespace jetscope
