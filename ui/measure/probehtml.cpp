// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/probehtml.h"

#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/probefindings.h"
#include "core/text/numbertext.h"
#include "ui/style/text.h"

#include <QCoreApplication>

namespace jetscope {

namespace {

QString probeWords(const char *text)
{
    return QCoreApplication::translate("jetscope::ProbePage", text);
}

QString escapedText(std::string_view text)
{
    return toQString(text).toHtmlEscaped();
}

/// "4.71 ±2 %": with half the width of its interval.
QString rateCell(const ProbeFigure *figure)
{
    if (!figure)
        return QStringLiteral("–");
    QString text = toQString(threeFigures(figure->estimate.value));
    if (const auto percent = figure->noisePercent())
        text += *percent > 100 ? QStringLiteral(" > ±100 %") : QStringLiteral(" ±%1 %").arg(*percent, 0, 'f', 0);
    return text;
}

/// The first kinds of a use, and those that cannot be told apart from them.
QString adviceHtml(const BoardAdvice &advice)
{
    QString kinds;
    for (const PredictedChoice &choice : advice.ranked) {
        const QString kind = QStringLiteral("%1 %2").arg(escapedText(nameOf(choice.memory)),
                                                         escapedText(microsecondsText(choice.us.value)));
        const bool leads = &choice == &advice.ranked.front() || choice.ties;
        kinds += (kinds.isEmpty() ? QString() : QStringLiteral(", "))
            + (leads ? QStringLiteral("<b>%1</b>").arg(kind) : kind);
    }
    return QStringLiteral("<tr><td>%1</td><td>%2</td></tr>")
        .arg(escapedText(advice.use), kinds.isEmpty() ? probeWords("too few figures for a prediction") : kinds);
}

/// For which device and from which table stands in the first one's label.
QString advicesHtml(const ProbeTable &table)
{
    QString label;
    QString rows;
    for (const FrameUse &use : usualUses(table.width, table.height)) {
        const BoardAdvice advice = adviseMemory(table.device, table, use);
        if (!advice.refusal.empty())
            return QStringLiteral("<p>%1</p>").arg(escapedText(advice.refusal));
        if (label.isEmpty())
            label = escapedText(advice.label);
        rows += adviceHtml(advice);
    }
    return QStringLiteral("<p>%1 %2</p><table cellspacing=0 cellpadding=4>%3</table>")
        .arg(label, probeWords("Kinds in bold cannot be told apart from the first."), rows);
}

QString memoryHtml(const ProbeTable &table)
{
    QString rows = QStringLiteral("<tr><th align=left>%1</th>").arg(probeWords("GB/s"));
    for (const char *head :
         {QT_TRANSLATE_NOOP("jetscope::ProbePage", "CPU writes"), QT_TRANSLATE_NOOP("jetscope::ProbePage", "CPU reads"),
          QT_TRANSLATE_NOOP("jetscope::ProbePage", "CPU reads again"),
          QT_TRANSLATE_NOOP("jetscope::ProbePage", "GPU reads"),
          QT_TRANSLATE_NOOP("jetscope::ProbePage", "GPU reads again")})
        rows += QStringLiteral("<th align=right>%1</th>").arg(probeWords(head));
    rows += QStringLiteral("</tr>");
    for (const std::string_view memory : probeMemories()) {
        QString row = QStringLiteral("<tr><td>%1</td>").arg(escapedText(memory));
        bool isMeasured = false;
        for (const std::string_view access : kProbeAccesses) {
            const ProbeFigure *figure = table.find(memoryKey(memory, access));
            isMeasured = isMeasured || figure;
            row += QStringLiteral("<td align=right>%1</td>").arg(rateCell(figure));
        }
        if (isMeasured)
            rows += row + QStringLiteral("</tr>");
    }
    return QStringLiteral("<table cellspacing=0 cellpadding=4>%1</table>").arg(rows);
}

QString costsHtml(const ProbeTable &table)
{
    QString rows;
    for (const ProbeCost &cost : probeCosts())
        if (const ProbeFigure *figure = table.find(std::string(cost.key)))
            rows += QStringLiteral("<tr><td>%1</td><td align=right>%2</td></tr>")
                        .arg(escapedText(cost.label), rateCell(figure));
    return QStringLiteral("<table cellspacing=0 cellpadding=4>%1</table>").arg(rows);
}

QString headed(const char *title, const QString &content)
{
    return QStringLiteral("<h4>%1</h4>%2").arg(probeWords(title), content);
}

} // namespace

QString probeFindingsHtml(const ProbeTable &table)
{
    QString items;
    for (const ProbeFinding &finding : probeFindings(table))
        items += QStringLiteral("<li>%1</li>").arg(escapedText(finding.text));
    return items.isEmpty() ? QStringLiteral("<p>%1</p>").arg(probeWords("No difference is beyond the noise."))
                           : QStringLiteral("<ul>%1</ul>").arg(items);
}

QString probeHtml(const ProbeTable &table)
{
    QString facts;
    for (const std::string &fact : {table.origin, table.driver, table.method})
        if (!fact.empty())
            facts += QStringLiteral("<p>%1</p>").arg(escapedText(fact));
    return headed(QT_TRANSLATE_NOOP("jetscope::ProbePage", "In words"), probeFindingsHtml(table))
        + headed(QT_TRANSLATE_NOOP("jetscope::ProbePage", "Which memory kind"), advicesHtml(table))
        + headed(QT_TRANSLATE_NOOP("jetscope::ProbePage", "Memory"), memoryHtml(table))
        + headed(QT_TRANSLATE_NOOP("jetscope::ProbePage", "Costs, microseconds"), costsHtml(table))
        + headed(QT_TRANSLATE_NOOP("jetscope::ProbePage", "How it was measured"), facts);
}

} // namespace jetscope
