// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/camerasreport.h"

#include <QTimer>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QTableWidget;

namespace jetscope {

class Session;
class TitleLine;

/// The time stamps of a source that is open: of which clock and moment they are, what to subtract, and what contradicts
/// what the source says. UI thread; the session outlives it.
class StampsPage : public QWidget {
    Q_OBJECT
public:
    explicit StampsPage(Session &session, QWidget *parent = nullptr);

    /// As if this was measured.
    void show(const StampReport &report);

    QTableWidget *table() const { return m_table; }
    QComboBox *source() const { return m_source; }
    QLabel *notes() const { return m_notes; }
    QString verdictText() const;
    /// In a word or two: "monotonic", "2 conflicts".
    QString result() const { return m_result; }

signals:
    void resultChanged();

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void refresh();
    void fillSources(const QStringList &names);
    void showReport(const StampReport *report);
    QString whyNothing() const;

    Session &m_session;
    QTimer m_timer;
    QString m_result;
    TitleLine *m_head;
    QComboBox *m_source;
    QTableWidget *m_table;
    QLabel *m_notes;
};

} // namespace jetscope
