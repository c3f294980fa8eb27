// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/remote/askpass.h"

#include "core/remote/reach/askpassname.h"
#include "ui/session/settings.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr int kLineWidth = 380;

/// A host's key is confirmed with a word that may be seen; all else is secret.
bool isSecret(const QString &prompt)
{
    return !prompt.contains(QLatin1String("yes/no"));
}

} // namespace

AskPassDialog::AskPassDialog(const QString &prompt, const QString &kind, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("ssh asks"));
    setObjectName(QStringLiteral("askPass"));
    auto *text = new QLabel(prompt.trimmed());
    text->setTextFormat(Qt::PlainText); // It comes from the far end, in part.
    text->setWordWrap(true);
    text->setMinimumWidth(kLineWidth);
    auto *column = new QVBoxLayout(this);
    column->addWidget(text);
    if (kind.isEmpty()) {
        m_answer = new QLineEdit;
        m_answer->setEchoMode(isSecret(prompt) ? QLineEdit::Password : QLineEdit::Normal);
        m_answer->setAccessibleName(tr("Answer"));
        column->addWidget(m_answer);
        m_answer->setFocus();
    }
    auto *buttons =
        new QDialogButtonBox(kind == QLatin1String("none") ? QDialogButtonBox::StandardButtons(QDialogButtonBox::Close)
                                                           : QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
}

QString AskPassDialog::answer() const
{
    return m_answer ? m_answer->text() : QString();
}

int askPass(int &argc, char **argv)
{
    QApplication application(argc, argv);
    const Settings settings(Settings::Use::Normal);
    QApplication::setFont(windowFont());
    applyTheme(application, settings.text("window/theme") == lightTheme().name ? lightTheme() : darkTheme());
    AskPassDialog dialog(QCoreApplication::arguments().value(1), qEnvironmentVariable("SSH_ASKPASS_PROMPT"));
    if (dialog.exec() != QDialog::Accepted)
        return EXIT_FAILURE;
    std::printf("%s\n", dialog.answer().toUtf8().constData());
    return EXIT_SUCCESS;
}

std::vector<std::string> askPassEnvironment(const std::string &folder, const std::string &program)
{
    const std::string link = folder + "/" + std::string(kAskPassName);
    if (::symlink(program.c_str(), link.c_str()) != 0)
        return {}; // Then ssh says that it cannot ask.
    return {"SSH_ASKPASS=" + link, "SSH_ASKPASS_REQUIRE=prefer"};
}

} // namespace jetscope
