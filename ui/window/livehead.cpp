// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/livehead.h"

#include "ui/measure/adviceline.h"
#include "ui/style/elidingbutton.h"
#include "ui/style/style.h"

#include <QHBoxLayout>
#include <QMenu>

namespace jetscope {

LiveHead::LiveHead(QMenu *sourceMenu, QMenu *deviceMenu, QWidget *parent)
    : HeadLine(parent),
      m_board(menuButton(QStringLiteral("board"), tr("Board"), nullptr)),
      m_source(menuButton(QStringLiteral("source"), tr("Source"), sourceMenu)),
      m_cameras(new QMenu(this)),
      m_camera(menuButton(QStringLiteral("camera"), tr("Camera"), m_cameras)),
      m_device(menuButton(QStringLiteral("device"), tr("Device"), deviceMenu)),
      m_advice(new AdviceLine(this))
{
    setObjectName(QStringLiteral("liveHead"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(10, 2, 10, 2);
    row->setSpacing(10);
    row->addWidget(m_board);
    row->addWidget(m_source);
    row->addWidget(m_camera);
    row->addWidget(m_device);
    row->addWidget(verdict(), 1);
    row->addWidget(m_advice);
    m_board->hide();
    m_camera->hide();
    for (ElidingButton *button : {m_board, m_source, m_camera, m_device})
        button->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
}

ElidingButton *LiveHead::menuButton(const QString &objectName, const QString &caption, QMenu *menu)
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

void LiveHead::setButtonText(ElidingButton *button, const QString &caption, const QString &text)
{
    button->setFullText(caption + QStringLiteral("  ") + text);
    button->setToolTip(caption + QStringLiteral(": ") + text);
    button->setAccessibleDescription(text);
}

void LiveHead::setSource(const QString &description)
{
    m_sourceText = description;
    setButtonText(m_source, tr("Source"), description);
    setSourceDetails(m_sourceDetails);
}

void LiveHead::setSourceDetails(const QString &details)
{
    m_sourceDetails = details;
    const QString tip =
        tr("Source: %1").arg(m_sourceText) + (details.isEmpty() ? QString() : QStringLiteral("\n") + details);
    if (m_source->toolTip() != tip)
        m_source->setToolTip(tip);
}

void LiveHead::setBoard(const QString &name, const QString &about)
{
    m_boardName = name;
    m_boardAbout = about;
    m_board->setVisible(!name.isEmpty());
    setLink({}, {}, false);
}

void LiveHead::setLink(const QString &text, const QString &details, bool isTrouble)
{
    setButtonText(m_board, tr("Board"), text.isEmpty() ? m_boardName : m_boardName + QStringLiteral(" · ") + text);
    QStringList lines{
        tr("The pipeline runs on %1")
            .arg(m_boardAbout.isEmpty() ? m_boardName : m_boardName + QStringLiteral(" · ") + m_boardAbout)};
    if (!details.isEmpty())
        lines.append(details);
    m_board->setToolTip(lines.join(u'\n'));
    setStyleKind(m_board, "trend", isTrouble ? "bad" : "");
}

void LiveHead::setBoardMenu(QMenu *menu)
{
    m_board->setMenu(menu);
}

void LiveHead::setCameras(const QStringList &names, std::size_t drives)
{
    m_camera->setVisible(!names.isEmpty());
    if (names != m_cameraNames) {
        m_cameraNames = names;
        m_cameras->clear();
        for (int i = 0; i < names.size(); ++i) {
            QAction *action = m_cameras->addAction(
                tr("%1 · %2").arg(i + 1).arg(QString(names[i]).replace(u'&', QStringLiteral("&&"))), this,
                [this, i] { emit cameraChosen(static_cast<std::size_t>(i)); });
            action->setCheckable(true);
        }
    }
    for (int i = 0; i < names.size(); ++i)
        m_cameras->actions()[i]->setChecked(static_cast<std::size_t>(i) == drives);
    setButtonText(m_camera, tr("Camera"), tr("%1 of %2").arg(drives + 1).arg(names.size()));
}

void LiveHead::setDevice(const QString &name)
{
    setButtonText(m_device, tr("Device"), name);
}

} // namespace jetscope
