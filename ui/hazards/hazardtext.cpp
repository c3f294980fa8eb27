// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/hazards/hazardtext.h"

#include "ui/style/text.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace jetscope {

namespace {

QString reportWords(const char *text)
{
    return QCoreApplication::translate("jetscope::HazardReport", text);
}

QString framesText(const FoundHazard &hazard)
{
    if (!hazard.firstFrame)
        return reportWords("not known");
    if (hazard.firstFrame == hazard.lastFrame)
        return QString::number(*hazard.firstFrame);
    return reportWords("%1 to %2").arg(*hazard.firstFrame).arg(*hazard.lastFrame);
}

QString hazardParagraph(const FoundHazard &hazard)
{
    QString text =
        QStringLiteral("%1  %2\n").arg(hazard.ruleName.isEmpty() ? QStringLiteral("?") : hazard.ruleName, hazard.text);
    const auto line = [&text](const char *name, const QString &value) {
        if (!value.isEmpty())
            text += QStringLiteral("  %1 %2\n").arg(reportWords(name) + u':', value);
    };
    line("Count", QString::number(hazard.count));
    line("Frames", framesText(hazard));
    line("Memory", hazard.memory);
    line("First access", hazard.first ? hazard.first->text() : QString());
    line("Second access", hazard.second ? hazard.second->text() : QString());
    line("Rule", hazard.rule ? toQString(hazard.rule->sentence) : QString());
    line("Fix", hazard.fix);
    line("Source", hazard.rule ? toQString(hazard.rule->source) : QString());
    return text;
}

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QJsonValue numberOrNull(const std::optional<quint64> &number)
{
    return number ? QJsonValue(static_cast<qint64>(*number)) : QJsonValue();
}

QJsonObject hazardObject(const FoundHazard &hazard)
{
    const auto access = [](const std::optional<FoundAccess> &one) {
        return one ? QJsonValue(one->text()) : QJsonValue();
    };
    return {{QStringLiteral("rule"), hazard.ruleName},
            {QStringLiteral("level"), hazard.rule ? QJsonValue(toQString(nameOf(hazard.rule->level))) : QJsonValue()},
            {QStringLiteral("first_frame"), numberOrNull(hazard.firstFrame)},
            {QStringLiteral("last_frame"), numberOrNull(hazard.lastFrame)},
            {QStringLiteral("count"), static_cast<qint64>(hazard.count)},
            {QStringLiteral("buffer"), textOrNull(hazard.memory)},
            {QStringLiteral("text"), hazard.text},
            {QStringLiteral("a"), access(hazard.first)},
            {QStringLiteral("b"), access(hazard.second)},
            {QStringLiteral("fix"), textOrNull(hazard.fix)}};
}

} // namespace

QString hazardReportText(const HazardReport &report)
{
    QString text = report.coverage + u'\n';
    if (report.hazards.all().empty())
        text += reportWords("No hazard found.") + u'\n';
    for (int i = 0; i < kHazardGroups; ++i) {
        const auto group = static_cast<HazardGroup>(i);
        if (report.hazards.countOf(group) == 0)
            continue;
        text += QStringLiteral("\n%1: %2\n").arg(groupTitle(group), groupMeaning(group));
        for (const FoundHazard &hazard : report.hazards.all())
            if (hazard.group == group)
                text += u'\n' + hazardParagraph(hazard);
    }
    return text;
}

QByteArray hazardReportJson(const HazardReport &report)
{
    QJsonArray rows;
    for (const FoundHazard &hazard : report.hazards.all())
        rows.append(hazardObject(hazard));
    QJsonObject object{{QStringLiteral("coverage"), report.coverage},
                       {QStringLiteral("hazards"), rows},
                       {QStringLiteral("occurrences_left_out"), static_cast<qint64>(report.hazards.leftOut())},
                       {QStringLiteral("hazard_rules"), QJsonValue()}};
    if (report.rules)
        object[QStringLiteral("hazard_rules")] =
            QJsonObject{{QStringLiteral("checked"), report.rules->checked},
                        {QStringLiteral("cannot_check"), report.rules->cannotCheck},
                        {QStringLiteral("does_not_apply"), report.rules->doesNotApply}};
    return QJsonDocument(object).toJson();
}

} // namespace jetscope
