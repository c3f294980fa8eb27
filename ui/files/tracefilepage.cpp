// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/tracefilepage.h"

#include "core/path/tracepaths.h"
#include "core/settings/settingtable.h"
#include "core/trace/trace.h"
#include "core/trace/tracefigures.h"
#include "ui/selection/pathbar.h"
#include "ui/style/text.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace jetscope {

namespace {

QString line(const QString &name, const QString &value)
{
    return QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString fileSection(const QString &title, const QString &content)
{
    return QStringLiteral("<p><b>%1</b></p>%2").arg(title.toHtmlEscaped(), content);
}

QString factRows(const Trace &trace)
{
    const TraceOrigin &origin = trace.origin();
    QString rows;
    if (!origin.device.empty())
        rows += line(TraceFilePage::tr("Device"), toQString(origin.device));
    if (!origin.source.empty())
        rows += line(TraceFilePage::tr("Source"), toQString(origin.source));
    if (!origin.program.empty())
        rows += line(TraceFilePage::tr("Made by"), toQString(origin.program));
    if (const auto offsetNs = trace.unixOffsetNs())
        rows += line(TraceFilePage::tr("Recorded"),
                     QLocale().toString(QDateTime::fromMSecsSinceEpoch((trace.oldestNs() + *offsetNs) / 1'000'000),
                                        QLocale::ShortFormat));
    for (const std::string &clock : clockLines(origin.clocks))
        rows += line(TraceFilePage::tr("Clock of"), toQString(clock));
    const std::int64_t length = trace.empty() ? 0 : trace.newestNs() - trace.oldestNs();
    rows += line(TraceFilePage::tr("Length"), durationText(length));
    rows += line(TraceFilePage::tr("Frames"), QStringLiteral("%L1").arg(trace.frameCount()));
    rows += line(TraceFilePage::tr("Spans"), QStringLiteral("%L1").arg(trace.spanCount()));
    if (trace.droppedSpans() > 0)
        rows += line(TraceFilePage::tr("Left out"),
                     TraceFilePage::tr("the oldest %L1 spans, which are beyond the limit; it is set at the lower "
                                       "right, where spans are counted, and holds for the next file")
                         .arg(trace.droppedSpans()));
    if (trace.lateSpans() > 0)
        rows += line(TraceFilePage::tr("Out of order"), TraceFilePage::tr("%L1 spans").arg(trace.lateSpans()));
    return QStringLiteral("<table>%1</table>").arg(rows);
}

} // namespace

TraceFilePage::TraceFilePage(const Trace &trace, QWidget *parent)
    : QScrollArea(parent),
      m_trace(trace),
      m_title(new QLabel),
      m_facts(new QLabel),
      m_notes(new QLabel),
      m_settings(new QLabel),
      m_pathTitle(new QLabel),
      m_path(new PathBar)
{
    setObjectName(QStringLiteral("traceFilePage"));
    setAccessibleName(tr("File"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    auto *content = new QWidget;
    content->setObjectName(QStringLiteral("traceFileContent"));
    m_title->setProperty("title", true);
    m_title->setTextFormat(Qt::PlainText);
    for (QLabel *label : {m_facts, m_notes, m_settings}) {
        label->setTextFormat(Qt::RichText);
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_pathTitle->setProperty("muted", true);
    auto *left = new QVBoxLayout;
    left->addWidget(m_facts);
    left->addWidget(m_notes);
    left->addStretch(1);
    auto *row = new QHBoxLayout;
    row->setSpacing(32);
    row->addLayout(left, 3);
    row->addWidget(m_settings, 2);
    auto *column = new QVBoxLayout(content);
    column->setContentsMargins(16, 12, 16, 12);
    column->addWidget(m_title);
    column->addWidget(m_pathTitle);
    column->addWidget(m_path);
    column->addLayout(row);
    column->addStretch(1);
    setWidget(content);
}

void TraceFilePage::refresh(const QStringList &notes)
{
    const TraceOrigin &origin = m_trace.origin();
    m_title->setText(origin.file.empty() ? tr("A trace") : QFileInfo(toQString(origin.file)).fileName());
    m_facts->setText(factRows(m_trace));
    QString items;
    for (const QString &note : notes)
        items += QStringLiteral("<li>%1</li>").arg(note.toHtmlEscaped());
    m_notes->setVisible(!notes.isEmpty());
    m_notes->setText(fileSection(tr("What was read"), QStringLiteral("<ul>%1</ul>").arg(items)));
    m_settings->setVisible(origin.config.has_value());
    QString rows;
    for (const SettingRow &setting : settingTable())
        if (origin.config)
            rows += line(toQString(setting.label), toQString(setting.valueLabel(*origin.config)));
    m_settings->setText(
        fileSection(tr("Settings when it was recorded"), QStringLiteral("<table>%1</table>").arg(rows)));
    fitHeight();
}

/// A scroll area does not ask for the height that wrapped texts need.
void TraceFilePage::fitHeight()
{
    widget()->setMinimumHeight(widget()->layout()->totalHeightForWidth(viewport()->width()));
}

void TraceFilePage::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    fitHeight();
}

void TraceFilePage::showPath(const PathSummary &path)
{
    const auto [first, last] = framesAfterWarmUp(m_trace);
    m_pathTitle->setText((last - first > kMaxFramesSummarised
                              ? tr("Where the period goes, by the critical paths of the newest %L1 frames")
                              : tr("Where the period goes, by the critical paths of %L1 frames"))
                             .arg(path.frames));
    m_path->show(path, tr("No frame is complete here, so there is no path to follow."));
}

QString TraceFilePage::text() const
{
    return m_title->text() + u'\n' + m_facts->text() + u'\n' + (m_notes->isHidden() ? QString() : m_notes->text())
        + u'\n' + (m_settings->isHidden() ? QString() : m_settings->text()) + u'\n' + m_path->sentence();
}

QString traceWords(const Trace &trace)
{
    QStringList parts;
    if (!trace.origin().program.empty())
        parts += toQString(trace.origin().program);
    parts += durationText(trace.empty() ? 0 : trace.newestNs() - trace.oldestNs());
    if (const std::uint64_t frames = trace.frameCount(); frames > 0)
        parts += countText(frames, TraceFilePage::tr("1 frame"), TraceFilePage::tr("%L1 frames"));
    parts += TraceFilePage::tr("%1 on %2")
                 .arg(countText(trace.spanCount(), TraceFilePage::tr("1 span"), TraceFilePage::tr("%L1 spans")),
                      countText(trace.lanes().size(), TraceFilePage::tr("1 lane"), TraceFilePage::tr("%L1 lanes")));
    return parts.join(QStringLiteral(" · "));
}

} // namespace jetscope
