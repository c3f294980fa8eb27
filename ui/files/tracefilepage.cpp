// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/tracefilepage.h"

#include "core/path/tracepaths.h"
#include "ui/selection/pathbar.h"
#include "ui/session/traceselection.h"
#include "ui/style/text.h"
#include "ui/timeline/frametip.h"

#include <QDateTime>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kFactsWidth = 380;

QString line(const QString &name, const QString &value)
{
    return QStringLiteral("<tr><td style='padding-right:14px'>%1</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

} // namespace

TraceFilePage::TraceFilePage(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent),
      m_trace(trace),
      m_selection(selection),
      m_title(new QLabel(this)),
      m_facts(new QLabel(this)),
      m_live(new QPushButton(tr("Back to live"), this)),
      m_pathTitle(new QLabel(this)),
      m_path(new PathBar(this)),
      m_picture(new QLabel(this)),
      m_caption(new QLabel(this))
{
    setObjectName(QStringLiteral("traceFilePage"));
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("title", true);
    m_title->setTextFormat(Qt::PlainText);
    m_facts->setTextFormat(Qt::RichText);
    m_facts->setWordWrap(true);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_live->setObjectName(QStringLiteral("backToLive"));
    m_live->setToolTip(tr("Closes this trace and opens the pipeline with the last source and choices (F5)"));
    m_picture->setAlignment(Qt::AlignCenter);
    m_picture->setMinimumSize(1, 1); // The window must be able to shrink below the picture's size.
    m_picture->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_caption->setAlignment(Qt::AlignCenter);
    m_caption->setProperty("muted", true);
    auto *facts = new QVBoxLayout;
    facts->addStretch();
    facts->addWidget(m_title);
    facts->addSpacing(6);
    facts->addWidget(m_facts);
    facts->addSpacing(10);
    facts->addWidget(m_live, 0, Qt::AlignLeft);
    facts->addStretch();
    auto *picture = new QVBoxLayout;
    picture->addWidget(m_picture, 1);
    picture->addWidget(m_caption);
    auto *row = new QHBoxLayout;
    row->setSpacing(24);
    auto *left = new QWidget(this);
    left->setFixedWidth(kFactsWidth);
    left->setLayout(facts);
    row->addWidget(left);
    row->addLayout(picture, 1);
    m_pathTitle->setProperty("muted", true);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(28, 12, 12, 12);
    column->addLayout(row, 1);
    column->addWidget(m_pathTitle);
    column->addWidget(m_path);
    connect(m_live, &QPushButton::clicked, this, &TraceFilePage::liveWanted);
    connect(&selection, &TraceSelection::changed, this, [this] {
        if (isVisible())
            showPicture();
    });
}

void TraceFilePage::refresh()
{
    const TraceOrigin &origin = m_trace.origin();
    const QFileInfo file(toQString(origin.file));
    m_title->setText(origin.file.empty() ? tr("A trace") : file.fileName());
    QString rows;
    if (!origin.device.empty())
        rows += line(tr("Device"), toQString(origin.device));
    if (!origin.source.empty())
        rows += line(tr("Source"), toQString(origin.source));
    if (!origin.program.empty())
        rows += line(tr("Made by"), toQString(origin.program));
    if (const auto offsetNs = m_trace.unixOffsetNs())
        rows += line(tr("Recorded"),
                     QLocale().toString(QDateTime::fromMSecsSinceEpoch((m_trace.oldestNs() + *offsetNs) / 1'000'000),
                                        QLocale::ShortFormat));
    const std::int64_t length = m_trace.empty() ? 0 : m_trace.newestNs() - m_trace.oldestNs();
    rows += line(tr("Length"), durationText(length));
    rows += line(tr("Frames"), QStringLiteral("%L1").arg(m_trace.frames().endIndex() - m_trace.frames().firstIndex()));
    rows += line(tr("Spans"), QStringLiteral("%L1").arg(m_trace.spanCount()));
    if (m_trace.droppedSpans() > 0)
        rows += line(tr("Left out"),
                     tr("the oldest %L1 spans, which are beyond the limit; it is set at the lower right, where "
                        "spans are counted, and holds for the next file")
                         .arg(m_trace.droppedSpans()));
    if (m_trace.lateSpans() > 0)
        rows += line(tr("Out of order"), tr("%L1 spans").arg(m_trace.lateSpans()));
    m_facts->setText(QStringLiteral("<table>%1</table>").arg(rows));
    showPicture();
}

void TraceFilePage::showPath(const PathSummary &path)
{
    const std::uint64_t frames = m_trace.frames().endIndex() - m_trace.frames().firstIndex();
    m_pathTitle->setText(
        frames > kMaxFramesSummarised
            ? tr("Where the period goes, by the critical paths of the newest %L1 frames").arg(path.frames)
            : tr("Where the period goes, by the critical paths of all frames"));
    m_path->show(path, tr("No frame is complete here, so there is no path to follow."));
}

QString TraceFilePage::text() const
{
    return m_title->text() + u'\n' + m_facts->text() + u'\n' + m_caption->text() + u'\n' + m_path->sentence();
}

void TraceFilePage::showPicture()
{
    const auto &frame = m_selection.frame();
    const std::int64_t at = frame && frame->index ? frame->period.startNs : m_trace.newestNs();
    const Thumbnail *thumbnail = m_trace.thumbnails().nearest(at);
    m_image = thumbnail ? decodeThumbnail(*thumbnail) : QImage();
    if (m_image.isNull())
        m_caption->setText(tr("No pictures were kept in this trace."));
    else if (frame && frame->key != thumbnail->frame)
        m_caption->setText(tr("frame %1, the nearest to frame %2 that was kept")
                               .arg(m_trace.frameNumber(thumbnail->frame))
                               .arg(m_trace.frameNumber(frame->key)));
    else
        m_caption->setText(tr("frame %1, as kept in the capture").arg(m_trace.frameNumber(thumbnail->frame)));
    scalePicture();
}

void TraceFilePage::scalePicture()
{
    m_picture->setPixmap(m_image.isNull() ? QPixmap()
                                          : QPixmap::fromImage(m_image.scaled(m_picture->size(), Qt::KeepAspectRatio,
                                                                              Qt::SmoothTransformation)));
}

void TraceFilePage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    scalePicture();
}

} // namespace jetscope
