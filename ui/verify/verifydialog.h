// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/verify/verifyreport.h"
#include "ui/measure/measuringdialog.h"

#include <array>

class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;

namespace jetscope {

class FilePlaces;

/// The page of `verify`: its rows as they come, by outcome, with what each proves by which document and what came. Its
/// file is saved here, and that of any machine is opened here.
class VerifyDialog : public MeasuringDialog {
    Q_OBJECT
public:
    explicit VerifyDialog(FilePlaces &places, QWidget *parent = nullptr);

    /// What *Start* verifies; empty: this machine.
    void setBoard(const QString &address);
    void begin();
    void take(const QJsonObject &line) override;
    /// Opens a file that `verify --out` or *Save* wrote.
    void openFile(const QString &path);

    QTreeWidget *rows() const { return m_rows; }
    QTextBrowser *details() const { return m_details; }
    QPushButton *saveButton() const { return m_save; }
    QPushButton *openButton() const { return m_open; }

signals:
    void started();

private:
    void makeRows();
    void clear();
    void add(VerifyRow row);
    void show(VerifyReport report);
    void showCounts();
    void showDetails();
    void selectFirst();
    void askToOpen();
    void askToSave();
    void wantStart() override;
    void showButtons() override;

    FilePlaces &m_places;
    QTreeWidget *m_rows;
    QTextBrowser *m_details;
    QPushButton *m_open;
    QPushButton *m_save;
    std::array<QTreeWidgetItem *, 3> m_groups{}; ///< By outcome, as they are shown.
    VerifyReport m_report;                       ///< Its machine is known at the end.
    bool m_isWhole = false;
};

} // namespace jetscope
