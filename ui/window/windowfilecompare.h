// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/measure/comparepage.h"
#include "ui/measure/filecomparison.h"

#include <QObject>

#include <functional>

class QTabWidget;

namespace jetscope {

class FilePlaces;
class MessageBar;
struct WindowActions;

/// The comparison of the opened capture with another one: its tab and its command. UI thread; the parts outlive it, but
/// for the widgets.
class WindowFileCompare : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Session &session;
        const WindowActions &actions;
        QTabWidget &tabs; ///< Gets the tab.
        MessageBar &messages;
        const FilePlaces &places;
        std::function<void(QWidget *page)> showTab;
    };
    explicit WindowFileCompare(Parts parts);

    ComparePage *page() const { return m_page; }
    FileComparison &files() { return m_files; }

private:
    void askForFile();
    void showCommand();

    const Parts m_parts;
    FileComparison m_files;
    ComparePage *m_page;
};

} // namespace jetscope
