// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

namespace jetscope {

class MainWindow;

/// Saves the window after a number of frames or, for a trace file, once it is shown, and ends the program: exit code 0
/// if the picture was written, else 1 with a sentence on stderr.
class Screenshot : public QObject {
    Q_OBJECT
public:
    Screenshot(MainWindow &window, QString path, quint64 afterFrames);

private:
    void frameShown();
    void fileShown();
    void giveUp();
    void take();
    void fail(const QString &why);
    void endedTooSoon();

    MainWindow &m_window;
    QString m_path;
    quint64 m_afterFrames;
    QTimer m_patience; ///< Timeout without progress.
    bool m_done = false;
};

} // namespace jetscope
