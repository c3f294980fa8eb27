// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/topbar.h"

#include "core/path/verdict.h"
#include "ui/measure/adviceline.h"
#include "ui/style/elidingbutton.h"
#include "ui/style/icons.h"
#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/text.h"
#include "ui/window/figuresbar.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kSpacing = 10;
constexpr int kSideMargin = 10;
constexpr int kButtonMargin = 4;

/// Width of a play control with or without text, whatever its present style.
int widthOf(const QToolButton &control, bool words)
{
    const QFontMetrics metrics = control.fontMetrics();
    const int text =
        4 + metrics.size(Qt::TextShowMnemonic, control.text()).width() + 2 * metrics.horizontalAdvance(u' ');
    const bool hasWords = control.toolButtonStyle() != Qt::ToolButtonIconOnly;
    return control.sizeHint().width() + (words && !hasWords ? text : 0) - (hasWords && !words ? text : 0);
}

} // namespace

TopBar::TopBar(const WindowActions &actions, QMenu *programMenu, QMenu *sourceMenu, QMenu *deviceMenu, QWidget *parent)
    : QWidget(parent),
      m_program(menuButton(QStringLiteral("program"), tr("Program"), programMenu)),
      m_source(menuButton(QStringLiteral("source"), tr("Source"), sourceMenu)),
      m_device(menuButton(QStringLiteral("device"), tr("Device"), deviceMenu)),
      m_figures(new FiguresBar(this))
{
    setObjectName(QStringLiteral("topBar"));
    setAttribute(Qt::WA_StyledBackground);
    m_program->setText(tr("Jetscope"));
    m_program->setIcon(glyphIcon(Glyph::Logo));
    m_program->setToolTip(tr("View, present path, help and quit"));

    m_firstLine = new QHBoxLayout;
    m_firstLine->setContentsMargins(kSideMargin, 0, kSideMargin, 0);
    m_firstLine->setSpacing(kSpacing);
    m_firstLine->addWidget(m_program);
    m_firstLine->addWidget(m_source);
    for (QAction *action : {actions.pause, actions.step, actions.record})
        m_controls.append(actionButton(action));
    for (QToolButton *control : m_controls)
        m_firstLine->addWidget(control);
    m_firstLine->addWidget(m_device);
    m_firstLine->addStretch(1);
    m_firstLine->addWidget(m_figures);
    for (ElidingButton *button : {m_source, m_device})
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_figures->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    m_figuresLine = new QHBoxLayout;
    m_figuresLine->setContentsMargins(kSideMargin, 0, kSideMargin, 0);
    m_figuresLine->addStretch(1);
    auto *column = makeInnerLayout<QVBoxLayout>(this, 0);
    column->addLayout(m_firstLine);
    column->addLayout(m_figuresLine);
    column->addWidget(makeVerdictLine());
}

int TopBar::leastWidth(Arrangement arrangement) const
{
    const bool words = arrangement == Arrangement::Whole;
    const QMargins margins = m_firstLine->contentsMargins();
    int width = margins.left() + margins.right() + m_program->minimumSizeHint().width();
    for (const ElidingButton *button : {m_source, m_device})
        width += kSpacing + button->minimumSizeHint().width();
    for (const QToolButton *control : m_controls)
        width += kSpacing + widthOf(*control, words);
    if (arrangement == Arrangement::FiguresBelow)
        return std::max(width, m_figures->sizeHint().width() + margins.left() + margins.right());
    return width + 2 * kSpacing + m_figures->sizeHint().width(); // The stretch between them also has spacing.
}

QSize TopBar::minimumSizeHint() const
{
    return {leastWidth(Arrangement::FiguresBelow), QWidget::minimumSizeHint().height()};
}

bool TopBar::event(QEvent *event)
{
    const bool handled = QWidget::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::Polish)
        arrange();
    return handled;
}

void TopBar::arrange()
{
    Arrangement wanted = Arrangement::Whole;
    if (width() < leastWidth(Arrangement::Whole))
        wanted = width() < leastWidth(Arrangement::Icons) ? Arrangement::FiguresBelow : Arrangement::Icons;
    if (wanted != m_arrangement)
        use(wanted);
}

void TopBar::use(Arrangement arrangement)
{
    m_arrangement = arrangement;
    for (QToolButton *control : m_controls)
        control->setToolButtonStyle(arrangement == Arrangement::Whole ? Qt::ToolButtonTextBesideIcon
                                                                      : Qt::ToolButtonIconOnly);
    QHBoxLayout *line = arrangement == Arrangement::FiguresBelow ? m_figuresLine : m_firstLine;
    if (line->indexOf(m_figures) < 0) {
        m_firstLine->removeWidget(m_figures);
        m_figuresLine->removeWidget(m_figures);
        line->addWidget(m_figures);
    }
    // In the first line, the figures determine its height.
    m_firstLine->setContentsMargins(kSideMargin, line == m_firstLine ? 0 : kButtonMargin, kSideMargin, 0);
    updateGeometry();
}

ElidingButton *TopBar::menuButton(const QString &objectName, const QString &caption, QMenu *menu)
{
    auto *button = new ElidingButton(this);
    button->setObjectName(objectName);
    button->setMenu(menu);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleName(caption);
    button->setToolTip(caption);
    return button;
}

QToolButton *TopBar::actionButton(QAction *action)
{
    auto *button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAccessibleDescription(action->toolTip());
    return button;
}

QWidget *TopBar::makeVerdictLine()
{
    auto *line = new QWidget(this);
    line->setObjectName(QStringLiteral("verdictLine"));
    line->setAttribute(Qt::WA_StyledBackground);
    m_verdict = new ShortenedLabel(line);
    m_verdict->setObjectName(QStringLiteral("verdict"));
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setAccessibleName(tr("Verdict"));
    auto *row = new QHBoxLayout(line);
    row->setContentsMargins(14, 1, 14, 1);
    m_advice = new AdviceLine(line);
    row->addWidget(m_advice);
    row->addStretch(1);
    row->addWidget(m_verdict);
    return line;
}

void TopBar::setButtonText(ElidingButton *button, const QString &caption, const QString &text)
{
    button->setFullText(caption + QStringLiteral("  ") + text);
    button->setToolTip(caption + QStringLiteral(": ") + text);
    button->setAccessibleDescription(text);
}

void TopBar::setSource(const QString &description)
{
    m_sourceText = description;
    setButtonText(m_source, tr("Source"), description);
    setSourceDetails(m_sourceDetails);
}

void TopBar::setSourceDetails(const QString &details)
{
    m_sourceDetails = details;
    const QString tip =
        tr("Source: %1").arg(m_sourceText) + (details.isEmpty() ? QString() : QStringLiteral("\n") + details);
    if (m_source->toolTip() != tip)
        m_source->setToolTip(tip);
}

void TopBar::setDevice(const QString &name)
{
    setButtonText(m_device, tr("Device"), name);
}

void TopBar::setVerdict(const Verdict &verdict)
{
    m_verdict->setText(toQString(verdict.sentence));
    m_verdict->setToolTip(m_verdict->text());
}

QString TopBar::verdictText() const
{
    return m_verdict->text();
}

} // namespace jetscope
