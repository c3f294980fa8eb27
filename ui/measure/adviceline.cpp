// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/adviceline.h"

#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

constexpr int kProgressSteps = 100;
constexpr int kProgressWidth = 90;

} // namespace

AdviceLine::AdviceLine(QWidget *parent)
    : QWidget(parent),
      m_text(new ShortenedLabel(this)),
      m_progress(new QProgressBar(this)),
      m_try(makeButton(
          "tryAdvice", tr("Try it"),
          tr("Alternates for some seconds between the present choices and this one, and reports which is faster"))),
      m_cancel(makeButton("cancelTrial", tr("Cancel"), tr("Ends the trial at once; the choices stay as they were"))),
      m_keep(makeButton("keepTried", tr("Keep it"), tr("Applies the choice that was tried"))),
      m_back(makeButton("leaveTried", tr("Go back"), tr("Keeps the choices from before the trial"))),
      m_more(new QToolButton(this)),
      m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("adviceLine"));
    m_text->setObjectName(QStringLiteral("advice"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAccessibleName(tr("Advice"));
    m_progress->setObjectName(QStringLiteral("trialProgress"));
    m_progress->setRange(0, kProgressSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedSize(kProgressWidth, 5);
    m_progress->setAccessibleName(tr("Progress of the trial"));
    m_progress->setToolTip(m_progress->accessibleName());
    m_more->setObjectName(QStringLiteral("moreAdvice"));
    m_more->setText(tr("Choices to try"));
    m_more->setMenu(m_menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setFocusPolicy(Qt::StrongFocus);
    m_more->setAccessibleName(m_more->text());
    m_menu->setToolTipsVisible(true);
    m_menu->setAccessibleName(m_more->text());
    auto *row = makeInnerLayout<QHBoxLayout>(this, 8);
    row->addWidget(m_text);
    for (QWidget *widget :
         {static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_try), static_cast<QWidget *>(m_cancel),
          static_cast<QWidget *>(m_keep), static_cast<QWidget *>(m_back), static_cast<QWidget *>(m_more)})
        row->addWidget(widget);
    connect(m_try, &QPushButton::clicked, this, [this] { emit tryWanted(m_advice); });
    connect(m_cancel, &QPushButton::clicked, this, &AdviceLine::cancelWanted);
    connect(m_keep, &QPushButton::clicked, this, &AdviceLine::keepWanted);
    connect(m_back, &QPushButton::clicked, this, &AdviceLine::dismissed);
    showAdvice({}, -1, {});
}

QSize AdviceLine::sizeHint() const
{
    return withFullHeight(QWidget::sizeHint());
}

QSize AdviceLine::minimumSizeHint() const
{
    return withFullHeight(QWidget::minimumSizeHint());
}

QSize AdviceLine::withFullHeight(QSize size) const
{
    for (const QWidget *widget :
         std::initializer_list<const QWidget *>{m_text, m_try, m_cancel, m_keep, m_back, m_more})
        size.setHeight(std::max(size.height(), widget->sizeHint().height()));
    return size;
}

QPushButton *AdviceLine::makeButton(const char *name, const QString &text, const QString &help)
{
    auto *button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setProperty("flat", true);
    button->setToolTip(help);
    button->setAccessibleDescription(help);
    return button;
}

void AdviceLine::setText(const QString &text, const QString &details)
{
    if (m_text->text() != text)
        m_text->setText(text);
    const QString tip = details.isEmpty() ? text : text + QStringLiteral("\n") + details;
    if (m_text->toolTip() != tip) {
        m_text->setToolTip(tip);
        m_text->setAccessibleDescription(details);
    }
    m_text->setVisible(!text.isEmpty());
}

QString AdviceLine::text() const
{
    return m_text->text();
}

bool AdviceLine::isChoosing() const
{
    return m_menu->isVisible();
}

void AdviceLine::showAdvice(const QList<AdviceRow> &rows, int advice, const QString &blocked)
{
    m_advice = advice;
    for (QWidget *widget : {static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_cancel),
                            static_cast<QWidget *>(m_keep), static_cast<QWidget *>(m_back)})
        widget->hide();
    const bool any = advice >= 0 && advice < rows.size();
    setText(any ? tr("Advice: %1").arg(rows[advice].text) : QString(), any ? rows[advice].details : QString());
    m_try->setVisible(any);
    m_try->setEnabled(blocked.isEmpty());
    m_more->setVisible(!rows.isEmpty());
    m_more->setEnabled(true);
    m_more->setToolTip(
        blocked.isEmpty()
            ? tr("Choices that may shorten the critical path, with outcomes of earlier trials; the cost of those that "
                 "are not advised is unknown until they are tried here")
            : blocked);
    m_more->setAccessibleDescription(m_more->toolTip());
    fillMenu(rows, blocked.isEmpty());
}

void AdviceLine::fillMenu(const QList<AdviceRow> &rows, bool enabled)
{
    QStringList shown{enabled ? QStringLiteral("1") : QString()};
    for (const AdviceRow &row : rows)
        shown << row.text << row.details;
    if (shown == m_shownRows)
        return;
    m_shownRows = shown;
    m_menu->clear();
    for (int i = 0; i < rows.size(); ++i) {
        QString text = rows[i].text;
        QAction *action = m_menu->addAction(text.replace(u'&', QStringLiteral("&&")));
        action->setToolTip(rows[i].details);
        action->setEnabled(enabled);
        connect(action, &QAction::triggered, this, [this, i] { emit tryWanted(i); });
    }
}

void AdviceLine::showTrying(const QString &what)
{
    const bool hadFocus = m_try->hasFocus() || m_more->hasFocus();
    setText(tr("Trying by turns: %1").arg(what), {});
    m_progress->setValue(0);
    m_progress->show();
    m_cancel->show();
    if (hadFocus)
        m_cancel->setFocus();
    for (QWidget *widget : {static_cast<QWidget *>(m_try), static_cast<QWidget *>(m_keep),
                            static_cast<QWidget *>(m_back), static_cast<QWidget *>(m_more)})
        widget->hide();
}

void AdviceLine::setProgress(double progress)
{
    m_progress->setValue(static_cast<int>(std::lround(std::clamp(progress, 0.0, 1.0) * kProgressSteps)));
}

void AdviceLine::showOutcome(const QString &text, const QString &details, bool helps)
{
    const bool hadFocus = m_cancel->hasFocus();
    setText(text, details);
    m_keep->setVisible(helps);
    m_back->setText(helps ? tr("Go back") : tr("Close"));
    m_back->show();
    if (hadFocus)
        (helps ? m_keep : m_back)->setFocus();
    for (QWidget *widget : {static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_try),
                            static_cast<QWidget *>(m_cancel), static_cast<QWidget *>(m_more)})
        widget->hide();
}

} // namespace jetscope
