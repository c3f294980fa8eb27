// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/attach/host/inspection.h"

#include <QDialog>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace jetscope {

class SchedulerField;
class Settings;

/// Asks which program to inspect. Shows what was asked for last, and starts nothing by itself. UI thread; the settings
/// must outlive it.
class ProgramDialog : public QDialog {
    Q_OBJECT
public:
    /// Where the program runs.
    struct Machine {
        // Ask for a path, beginning at this one; empty if the user cancels. Null: paths are typed.
        std::function<QString(const QString &from)> chooseProgram;
        std::function<QString(const QString &from)> chooseFolder;
        QString board; ///< Its name; empty: this machine.
    };
    ProgramDialog(Settings &settings, Machine machine, QWidget *parent);

    /// What the fields say; an error is one sentence with the remedy.
    Result<ProgramWish> wish() const;

signals:
    void started(const jetscope::ProgramWish &wish);

protected:
    bool event(QEvent *event) override;

private:
    QLineEdit *addLine(const char *key, const QString &label, const QString &toolTip);
    void addPath(QLineEdit *line, const QString &toolTip, const std::function<QString(const QString &)> &choose);
    void addFrames();
    void addEnvironment();
    void start();

    Settings &m_settings;
    const Machine m_machine;
    QLineEdit *m_program;
    QLineEdit *m_arguments;
    QLineEdit *m_folder;
    QPlainTextEdit *m_environment;
    QComboBox *m_frames;
    SchedulerField *m_scheduler;
    QLabel *m_problem;
};

} // namespace jetscope
