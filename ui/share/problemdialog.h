// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/childcommand.h"
#include "ui/share/ownnames.h"
#include "ui/share/recenterrors.h"

#include <QDialog>
#include <QJsonObject>

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace jetscope {

/// What a report of a problem is made of.
struct ProblemFacts {
    QString shown;   ///< What the window shows: source, device, state.
    QString command; ///< The command line of the present choices; empty without a pipeline.
    QString picture; ///< How pictures reach the screen.
    QList<RecentErrors::Entry> errors;
};

/// The report: plain text to read before it is given away, without names. `doctor` is the object of `jetscope doctor
/// --json`, `doctorProblem` why there is none.
QString problemText(const ProblemFacts &facts, const QJsonObject &doctor, const QString &doctorProblem,
                    const OwnNames &names);

/// Collects the report of a problem and shows all of it. The user reads and changes the text; only what is shown is
/// saved, and nothing is sent. UI thread.
class ProblemDialog : public QDialog {
    Q_OBJECT
public:
    /// `program` runs `doctor --json`; empty: this program.
    ProblemDialog(ProblemFacts facts, OwnNames names, const QString &program, QWidget *parent);

    QString text() const;

signals:
    void saveWanted(const QString &text);

private:
    void showReport(const ChildEnding &ending);

    const ProblemFacts m_facts;
    const OwnNames m_names;
    ChildCommand m_doctor;
    QJsonObject m_found;
    QLabel *m_state;
    QPlainTextEdit *m_text;
    QPushButton *m_save;
};

} // namespace jetscope
