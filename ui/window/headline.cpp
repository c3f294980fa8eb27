// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/headline.h"

#include "core/path/verdict.h"
#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace jetscope {

namespace {

constexpr int kVerdictStroke = 4;
constexpr int kMinVerdict = 300;

QColor strokeOf(Bottleneck bottleneck)
{
    switch (bottleneck) {
    case Bottleneck::Unknown:
        break;
    case Bottleneck::Camera:
        return barColors(Category::Capture, theme()).fill;
    case Bottleneck::Cpu:
        return theme().cpuOnly;
    case Bottleneck::Gpu:
        return theme().gpuOnly;
    case Bottleneck::HandOver:
        return barColors(Category::Copy, theme()).fill;
    case Bottleneck::View:
        return barColors(Category::Draw, theme()).fill;
    }
    return theme().border;
}

} // namespace

class HeadLine::Stroke : public QWidget {
public:
    using QWidget::QWidget;
    void setLimit(Bottleneck limit)
    {
        m_limit = limit;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter(this).fillRect(rect().adjusted(0, 2, 0, -2), strokeOf(m_limit));
    }

private:
    Bottleneck m_limit = Bottleneck::Unknown;
};

HeadLine::HeadLine(QWidget *parent)
    : QWidget(parent), m_line(new QWidget(this)), m_stroke(new Stroke(m_line)), m_verdict(makeLabel("verdict"))
{
    setAttribute(Qt::WA_StyledBackground);
    setProperty("headLine", true);
    m_stroke->setFixedWidth(kVerdictStroke);
    m_verdict->setAccessibleName(tr("Verdict"));
    m_line->setMinimumWidth(kMinVerdict);
    auto *row = makeInnerLayout<QHBoxLayout>(m_line, 8);
    row->addWidget(m_stroke);
    row->addWidget(m_verdict, 1);
}

QLabel *HeadLine::makeLabel(const char *objectName)
{
    auto *label = new ShortenedLabel;
    label->setObjectName(QLatin1String(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

void HeadLine::setVerdict(const Verdict &verdict)
{
    m_verdict->setText(toQString(verdict.sentence));
    m_verdict->setToolTip(m_verdict->text());
    m_stroke->setLimit(verdict.bottleneck);
}

QString HeadLine::verdictText() const
{
    return m_verdict->text();
}

} // namespace jetscope
