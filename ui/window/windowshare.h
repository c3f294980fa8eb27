// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/share/recenterrors.h"

#include <QObject>

#include <functional>
#include <optional>
#include <string>

class QMainWindow;

namespace jetscope {

class ControlsPanel;
class MessageBar;
class Session;
class TraceFiles;
struct ProblemFacts;
struct WindowActions;

/// What the user hands to others: the present choices as a command line, and the report of a problem. UI thread; the
/// parts outlive it.
class WindowShare : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QMainWindow &window;
        Session &session; ///< Of the pipeline.
        Session &opened;  ///< Of files and programs.
        const WindowActions &actions;
        ControlsPanel &controls;
        MessageBar &messages;
        TraceFiles &files;
        std::function<bool()> showsOpened; ///< Whether the user looks at a file or program.
        std::function<QString()> picture;  ///< How pictures reach the screen, in words.
        QString program;                   ///< What runs `doctor`; empty: this program.
    };
    explicit WindowShare(const Parts &parts);

    /// Of the pipeline; empty if none is open.
    std::optional<std::string> command() const;

private:
    void copyCommand();
    void report();
    ProblemFacts facts() const;

    const Parts m_parts;
    RecentErrors m_errors;
};

} // namespace jetscope
