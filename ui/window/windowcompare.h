// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/choicetrials.h"
#include "ui/measure/comparepage.h"
#include "ui/measure/pinnedcomparison.h"

#include <QObject>

#include <functional>

class QShortcut;
class QTabWidget;

namespace jetscope {

class ControlsPanel;
class Settings;
struct WindowActions;

/// Comparisons of the pipeline with A: the tab, the table beside the choices, the commands and what is remembered. UI
/// thread; the parts outlive it, but for the widgets.
class WindowCompare : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Session &session;
        const WindowActions &actions;
        ControlsPanel &controls;
        QTabWidget &tabs; ///< Gets the tab.
        std::function<void(QWidget *page)> showTab;
    };
    explicit WindowCompare(Parts parts);

    ComparePage *page() const { return m_page; }
    PinnedComparison &pinned() { return m_pinned; }
    ChoiceTrials &trials() { return m_trials; }

    void restore(const Settings &settings);
    void save(Settings &settings) const;

private:
    void connectCommands();
    void openTab(ComparePage::View view);
    void compareTurns();
    void tryOut(std::string_view key);
    void showTable();
    void showCommands();
    void showBaselines();

    const Parts m_parts;
    PinnedComparison m_pinned;
    ChoiceTrials m_trials;
    ComparePage *m_page;
    QShortcut *m_escape; ///< Cancels a trial; of the window, because it works on every tab.
};

} // namespace jetscope
