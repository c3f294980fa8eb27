// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/errorpage.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace jetscope {

ErrorPage::ErrorPage(QWidget *parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_text(new QLabel(this)),
      m_retry(new QPushButton(tr("Retry"), this)),
      m_synthetic(new QPushButton(tr("Use the synthetic camera"), this))
{
    setObjectName(QStringLiteral("errorPage"));
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("title", true);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_retry->setObjectName(QStringLiteral("retry"));
    m_synthetic->setToolTip(tr("Opens the built-in test card, which needs no camera and no file"));
    auto *buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(m_retry);
    buttons->addWidget(m_synthetic);
    buttons->addStretch();
    auto *column = new QVBoxLayout(this);
    column->addStretch();
    column->addWidget(m_title, 0, Qt::AlignHCenter);
    // With an alignment, a QLabel does not get the height that its wrapped lines need.
    auto *text = new QHBoxLayout;
    text->addStretch(1);
    text->addWidget(m_text, 3);
    text->addStretch(1);
    column->addLayout(text);
    column->addSpacing(8);
    column->addLayout(buttons);
    column->addStretch();
    connect(m_retry, &QPushButton::clicked, this, &ErrorPage::retry);
    connect(m_synthetic, &QPushButton::clicked, this, &ErrorPage::otherWanted);
}

void ErrorPage::showOpening(const QString &what)
{
    m_title->setText(tr("Opening"));
    m_text->setText(what);
    m_retry->hide();
    m_synthetic->hide();
}

void ErrorPage::showHeld(const QString &reason)
{
    showOpening(reason);
    m_title->setText(tr("Measuring"));
    setAccessibleDescription(reason);
}

void ErrorPage::showNoPictures(const QString &reason)
{
    showOpening(reason);
    m_title->setText(tr("The pictures stay on the board"));
    setAccessibleDescription(reason);
}

void ErrorPage::showIdle(const QString &what)
{
    showChoice(tr("No pipeline runs"), what, tr("Open it"), tr("Opens this source with the last choices (F5)"));
}

void ErrorPage::showError(const QString &title, const QString &text)
{
    showChoice(title, text, tr("Retry"), tr("Tries the same again (F5)"));
}

void ErrorPage::showQuestion(const QString &text)
{
    showChoice(tr("Run the pipeline of the last session?"), text, tr("Run it"), tr("Runs this pipeline (F5)"));
}

void ErrorPage::showChoice(const QString &title, const QString &text, const QString &retry, const QString &toolTip)
{
    m_title->setText(title);
    m_text->setText(text);
    m_retry->setText(retry);
    m_retry->setToolTip(toolTip);
    m_retry->show();
    m_synthetic->show();
    setAccessibleDescription(text);
}

} // namespace jetscope
