// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/messagebar.h"

#include "ui/style/icons.h"
#include "ui/style/style.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace jetscope {

MessageBar::MessageBar(QWidget *parent)
    : QFrame(parent), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_action(new QPushButton(this))
{
    setObjectName(QStringLiteral("messageBar"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    auto *close = new QToolButton(this);
    close->setIcon(glyphIcon(Glyph::Close));
    close->setAccessibleName(tr("Close the message"));
    close->setToolTip(close->accessibleName());
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 4, 6, 4);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_action, &QPushButton::clicked, this, [this] {
        hide();
        // Copied, because the function may show another message.
        if (const std::function<void()> run = m_run)
            run();
    });
    hide();
}

void MessageBar::show(Kind kind, const QString &text, const Action &action)
{
    setStyleKind(this, "kind", kind == Kind::Info ? "info" : kind == Kind::Warning ? "warning" : "error");
    m_icon->setPixmap(glyphIcon(kind == Kind::Info ? Glyph::Logo : Glyph::Warning).pixmap(16));
    m_text->setText(text);
    setAccessibleName(kind == Kind::Info ? tr("Message") : kind == Kind::Warning ? tr("Warning") : tr("Error"));
    setAccessibleDescription(text);
    m_action->setText(action.text);
    m_action->setVisible(!action.text.isEmpty());
    m_run = action.run;
    setVisible(true);
    emit shown(kind, text);
}

QString MessageBar::text() const
{
    return isHidden() ? QString() : m_text->text();
}

} // namespace jetscope
