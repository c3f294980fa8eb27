// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowchoices.h"

#include "core/settings/settingtable.h"
#include "ui/session/session.h"
#include "ui/style/text.h"

#include <QAction>
#include <QMenu>

namespace jetscope {

WindowChoices::WindowChoices(Session &session, Settings &settings, const FileDialogs &dialogs, QWidget *parent)
    : QObject(parent),
      m_session(session),
      m_dialogs(dialogs),
      m_history(session),
      m_presets(settings),
      m_menu(new QMenu(tr("Presets"), parent))
{
    m_menu->setToolTipsVisible(true);
    connect(m_menu, &QMenu::aboutToShow, this, &WindowChoices::fill);
}

void WindowChoices::fill()
{
    m_menu->clear();
    const bool isOpen = m_session.phase() == Session::Phase::Open && !m_session.isWantedHeld();
    const QList<Presets::Preset> all = m_presets.all();
    for (const Presets::Preset &preset : all) {
        QAction *action = m_menu->addAction(QString(preset.name).replace(u'&', QStringLiteral("&&")), this,
                                            [this, config = preset.config] { m_session.change(config); });
        action->setEnabled(isOpen);
        action->setToolTip(toQString(describeSettings(preset.config, "+")));
    }
    m_menu->addSeparator();
    m_menu->addAction(tr("Keep the present choices…"), this, &WindowChoices::keep)->setEnabled(isOpen);
    if (all.isEmpty())
        return;
    QMenu *remove = m_menu->addMenu(tr("Forget"));
    for (const Presets::Preset &preset : all)
        remove->addAction(QString(preset.name).replace(u'&', QStringLiteral("&&")), this,
                          [this, name = preset.name] { m_presets.remove(name); });
}

void WindowChoices::keep()
{
    QStringList names;
    for (const Presets::Preset &preset : m_presets.all())
        names.append(preset.name);
    const QString name = m_dialogs.choose(tr("Keep the present choices"),
                                          tr("Name of the choices; one that is there is replaced:"), names);
    m_presets.keep(name, m_session.wanted());
}

} // namespace jetscope
