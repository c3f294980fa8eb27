// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/triallog.h"

#include "core/settings/settingtable.h"
#include "ui/style/text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cmath>
#include <utility>

namespace jetscope {

namespace {

/// Without what does not change what the pipeline does.
QString settingsText(const PipelineConfig &config)
{
    QString text;
    for (const SettingRow &row : settingTable())
        if (!row.isOfMeasurement)
            text += toQString(row.key) + u'=' + toQString(row.text(config)) + u' ';
    return text.trimmed();
}

/// The same trial with `from` and `to` swapped.
TrialOutcome reversed(TrialOutcome outcome)
{
    if (!outcome.isMeasured())
        return outcome;
    outcome.noise /= outcome.ratio * outcome.ratio;
    outcome.ratio = 1 / outcome.ratio;
    if (outcome.verdict != TrialVerdict::Same)
        outcome.verdict = outcome.verdict == TrialVerdict::Faster ? TrialVerdict::Slower : TrialVerdict::Faster;
    return outcome;
}

QJsonObject toJson(const TrialLog::Entry &entry)
{
    return {{"device", entry.place.device},
            {"driver", entry.place.driver},
            {"program", entry.place.program},
            {"source", entry.place.source},
            {"from", entry.from},
            {"to", entry.to},
            {"verdict", toQString(std::string(verdictName(entry.outcome.verdict)))},
            {"ratio", entry.outcome.ratio},
            {"noise", entry.outcome.noise},
            {"turns", static_cast<qint64>(entry.outcome.turns)},
            {"reason", toQString(entry.outcome.reason)},
            {"date", entry.date.toString(Qt::ISODate)}};
}

std::optional<TrialLog::Entry> fromJson(const QJsonObject &object)
{
    TrialLog::Entry entry;
    entry.place = {object["device"].toString(), object["driver"].toString(), object["program"].toString(),
                   object["source"].toString()};
    entry.from = object["from"].toString();
    entry.to = object["to"].toString();
    entry.date = QDate::fromString(object["date"].toString(), Qt::ISODate);
    entry.outcome.ratio = object["ratio"].toDouble();
    entry.outcome.noise = object["noise"].toDouble(-1);
    entry.outcome.turns = static_cast<std::size_t>(std::max(0, object["turns"].toInt()));
    entry.outcome.reason = object["reason"].toString().toStdString();
    const std::string verdict = object["verdict"].toString().toStdString();
    for (const TrialVerdict known :
         {TrialVerdict::Faster, TrialVerdict::Slower, TrialVerdict::Same, TrialVerdict::Refused}) {
        if (verdict != verdictName(known))
            continue;
        entry.outcome.verdict = known;
        const bool measured = entry.outcome.ratio > 0 && std::isfinite(entry.outcome.ratio) && entry.outcome.noise >= 0;
        if (entry.date.isValid() && (measured || known == TrialVerdict::Refused))
            return entry;
    }
    return std::nullopt;
}

} // namespace

TrialPlace trialPlaceOf(const PipelineStatus &status, const QString &driver)
{
    const SourceInfo &source = status.source;
    return {toQString(status.facts.id) + u' ' + toQString(status.facts.name), driver,
            QCoreApplication::applicationVersion(),
            QStringLiteral("%1 %2x%3 %4 %5")
                .arg(toQString(source.uri))
                .arg(source.layout.width)
                .arg(source.layout.height)
                .arg(static_cast<int>(source.layout.format))
                .arg(source.fps)};
}

TrialLog TrialLog::fromText(const QString &text, const QString &program)
{
    TrialLog log;
    const QJsonArray array = QJsonDocument::fromJson(text.toUtf8()).array();
    for (const QJsonValue &value : array)
        if (auto entry = fromJson(value.toObject()); entry && entry->place.program == program && log.size() < kMax)
            log.m_entries.push_back(std::move(*entry));
    return log;
}

QString TrialLog::toText() const
{
    QJsonArray array;
    for (const Entry &entry : m_entries)
        array.append(toJson(entry));
    return QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact));
}

void TrialLog::add(const TrialPlace &place, const PipelineConfig &from, const PipelineConfig &to,
                   const TrialOutcome &outcome, const QDate &date)
{
    if (!(outcome.isMeasured() && std::isfinite(outcome.noise)) && outcome.verdict != TrialVerdict::Refused)
        return;
    const Entry entry{place, settingsText(from), settingsText(to), outcome, date};
    std::erase_if(m_entries, [&](const Entry &old) {
        return old.place == place
            && ((old.from == entry.from && old.to == entry.to) || (old.from == entry.to && old.to == entry.from));
    });
    m_entries.push_front(entry);
    if (m_entries.size() > kMax)
        m_entries.pop_back();
}

std::optional<TrialLog::Entry> TrialLog::find(const TrialPlace &place, const PipelineConfig &from,
                                              const PipelineConfig &to) const
{
    const QString before = settingsText(from);
    const QString after = settingsText(to);
    for (const Entry &entry : m_entries) {
        if (!(entry.place == place))
            continue;
        if (entry.from == before && entry.to == after)
            return entry;
        if (entry.from == after && entry.to == before && entry.outcome.isMeasured())
            return Entry{place, before, after, reversed(entry.outcome), entry.date};
    }
    return std::nullopt;
}

} // namespace jetscope
