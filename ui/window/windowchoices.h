// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/files/fileplaces.h"
#include "ui/session/choicehistory.h"
#include "ui/session/presets.h"

#include <QObject>

class QMenu;
class QWidget;

namespace jetscope {

/// The choices of the pipeline that were made before, and those with a name. UI thread; the references outlive it.
class WindowChoices : public QObject {
    Q_OBJECT
public:
    WindowChoices(Session &session, Settings &settings, const FileDialogs &dialogs, QWidget *parent);

    QMenu *presets() const { return m_menu; }
    ChoiceHistory &history() { return m_history; }

private:
    void fill();
    void keep();

    Session &m_session;
    const FileDialogs &m_dialogs;
    ChoiceHistory m_history;
    Presets m_presets;
    QMenu *m_menu;
};

} // namespace jetscope
