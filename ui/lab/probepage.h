// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"

#include <QWidget>

#include <string>

class QPushButton;
class QTextBrowser;

namespace jetscope {

class Session;
class TitleLine;

/// The probe of the pipeline's device: what was measured last, now or earlier, or that nothing was. It runs in a dialog
/// of its own, because the pipeline is closed meanwhile. UI thread; the session outlives it.
class ProbePage : public QWidget {
    Q_OBJECT
public:
    explicit ProbePage(Session &session, QWidget *parent = nullptr);

    /// What was measured just now, on this machine or on a board.
    void take(const ProbeTable &table);

    /// The day of what is shown; empty if there is nothing.
    QString result() const { return m_result; }
    QString verdictText() const;
    QTextBrowser *text() const { return m_text; }
    QPushButton *button() const { return m_run; }

signals:
    void probeWanted();
    void resultChanged();

protected:
    void showEvent(QShowEvent *event) override;

private:
    /// Shows the kept table of the device, if that is another one than before.
    void refresh();
    void showTable(const ProbeTable &table);
    void showNothing(const QString &why);

    Session &m_session;
    std::string m_device; ///< Of which something is shown, by its name and id.
    std::string m_taken;  ///< The id of the device that was measured; a board's table is not kept here.
    QString m_result;
    TitleLine *m_head;
    QTextBrowser *m_text;
    QPushButton *m_run;
};

} // namespace jetscope
