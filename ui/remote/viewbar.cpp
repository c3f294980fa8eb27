// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/viewbar.h"

#include "gpu/remote/remoteview.h"
#include "ui/style/style.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace jetscope {

ViewBar::ViewBar(QWidget *parent)
    : QWidget(parent),
      m_text(new QLabel(this)),
      m_trouble(new QLabel(this)),
      m_span(new QLabel(this)),
      m_fetch(new QPushButton(tr("Fetch"), this))
{
    setObjectName(QStringLiteral("viewBar"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    m_text->setObjectName(QStringLiteral("viewPlace"));
    m_trouble->setObjectName(QStringLiteral("viewTrouble"));
    m_span->setObjectName(QStringLiteral("viewSpan"));
    m_fetch->setObjectName(QStringLiteral("fetchView"));
    m_fetch->setToolTip(tr("Copies the whole capture to this machine and opens it"));
    setStyleKind(m_trouble, "trend", "bad");
    for (QLabel *label : {m_text, m_trouble, m_span}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    m_text->setTextFormat(Qt::PlainText);
    m_trouble->setTextFormat(Qt::PlainText);
    m_trouble->hide();
    m_span->hide();
    m_fetch->hide();
    auto *column = new QVBoxLayout;
    column->setSpacing(2);
    column->addWidget(m_text);
    column->addWidget(m_trouble);
    column->addWidget(m_span);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 8, 4);
    row->addLayout(column, 1);
    row->addWidget(m_fetch, 0, Qt::AlignTop);
    connect(m_fetch, &QPushButton::clicked, this, &ViewBar::fetchWanted);
}

void ViewBar::show(const RemoteView &view)
{
    m_text->setText(
        tr("This capture stays %1: what you look at is asked for. The list of frames, notes, queries and exports need "
           "all of it here (%2).")
            .arg(toQString(view.place()), bytesText(static_cast<double>(view.bytes()))));
    const QString trouble = toQString(view.trouble());
    m_trouble->setText(trouble);
    m_trouble->setVisible(!trouble.isEmpty());
}

void ViewBar::showSpan(const QString &text)
{
    m_span->setText(text);
    m_span->setVisible(!text.isEmpty());
}

void ViewBar::setFetchable(bool fetchable)
{
    m_fetch->setVisible(fetchable);
}

} // namespace jetscope
