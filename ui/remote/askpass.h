// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

#include <string>
#include <vector>

class QLineEdit;

namespace jetscope {

/// What ssh wants to know of the user (ssh(1), SSH_ASKPASS): a password, the words of a key, whether a host is trusted.
class AskPassDialog : public QDialog {
    Q_OBJECT
public:
    /// `kind`: SSH_ASKPASS_PROMPT of ssh: "confirm", "none", or empty where an answer is typed.
    AskPassDialog(const QString &prompt, const QString &kind, QWidget *parent = nullptr);

    QString answer() const;

private:
    QLineEdit *m_answer = nullptr; ///< Null where nothing is typed.
};

/// Asks, prints the answer for ssh, and returns the exit code. Creates the QApplication, so none may exist.
int askPass(int &argc, char **argv);
/// NAME=VALUE for ssh, which then starts `program` to ask where there is no terminal, by a link in `folder`: that must
/// stay while ssh logs in.
std::vector<std::string> askPassEnvironment(const std::string &folder, const std::string &program);

} // namespace jetscope
