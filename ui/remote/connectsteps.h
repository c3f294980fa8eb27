// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/remote/boardconnector.h"

#include <QString>
#include <QWidget>

#include <array>

class QLabel;
class QProgressBar;

namespace jetscope {

/// The steps of a connection as a list: what is done, with what was found and how long it took, what goes on, and what
/// is to come.
class ConnectSteps : public QWidget {
    Q_OBJECT
public:
    explicit ConnectSteps(QWidget *parent = nullptr);

    void begin();
    void show(const ConnectNews &news);
    /// The step that went on has failed, or was cancelled.
    void stop();
    /// "Copying", as the list says it.
    static QString nameOf(ConnectStep step);

private:
    enum class State { ToCome, Running, Done, Stopped };
    struct Row {
        State state = State::ToCome;
        QLabel *mark = nullptr;
        QLabel *text = nullptr;
        QProgressBar *bar = nullptr;
        QLabel *time = nullptr;
    };

    void set(Row &row, State state);

    std::array<Row, static_cast<std::size_t>(kLastConnectStep) + 1> m_rows;
};

} // namespace jetscope
