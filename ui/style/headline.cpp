// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/headline.h"

#include "core/path/verdict.h"
#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

#include <functional>
#include <utility>

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
    /// Is asked at each paint, so that the colour follows the theme.
    void setColor(std::function<QColor()> color)
    {
        m_color = std::move(color);
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect().adjusted(0, 2, 0, -2), m_color()); }

private:
    std::function<QColor()> m_color = [] { return theme().border; };
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
    setSentence(toQString(verdict.sentence));
    m_stroke->setColor([limit = verdict.bottleneck] { return strokeOf(limit); });
}

void HeadLine::setWarning(const QString &sentence, bool isWarning)
{
    setSentence(sentence);
    m_stroke->setColor([isWarning] { return isWarning ? theme().warn : theme().border; });
}

void HeadLine::setSentence(const QString &sentence)
{
    m_verdict->setText(sentence);
    m_verdict->setToolTip(sentence);
}

QString HeadLine::verdictText() const
{
    return m_verdict->text();
}

} // namespace jetscope
