// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/share/problemdialog.h"

#include "ui/style/readablesize.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <QCoreApplication>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QSysInfo>
#include <utility>

namespace jetscope {

namespace {

constexpr int kReportWidth = 56; ///< Size in heights of a line.
constexpr int kReportHeight = 36;

QString problemWords(const char *text)
{
    return QCoreApplication::translate("jetscope::problemText", text);
}

void addSection(QString &text, const QString &title, const QString &content)
{
    text += title + u'\n' + content.trimmed() + QStringLiteral("\n\n");
}

QString errorLines(const QList<RecentErrors::Entry> &errors)
{
    if (errors.isEmpty())
        return problemWords("none since Jetscope was started");
    QString lines;
    for (const RecentErrors::Entry &error : errors)
        lines += QStringLiteral("%1  %2\n").arg(error.when.toString(QStringLiteral("HH:mm:ss")), error.text);
    return lines;
}

} // namespace

ProblemDialog::ProblemDialog(ProblemFacts facts, OwnNames names, const QString &program, QWidget *parent)
    : QDialog(parent),
      m_facts(std::move(facts)),
      m_names(std::move(names)),
      m_doctor(program),
      m_state(new QLabel(tr("This machine is examined (jetscope doctor)…"))),
      m_text(new QPlainTextEdit)
{
    setWindowTitle(tr("Report a problem"));
    m_state->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("problemText"));
    m_text->setAccessibleName(tr("The report"));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setTabChangesFocus(true);
    m_text->setReadOnly(true);
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPixelSize(fontInfo().pixelSize());
    m_text->setFont(font);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setIcon(QIcon());
    m_save = buttons->addButton(tr("Save…"), QDialogButtonBox::ActionRole);
    m_save->setObjectName(QStringLiteral("saveProblem"));
    m_save->setToolTip(tr("Writes the text as it is shown into a file"));
    m_save->setEnabled(false);
    connect(m_save, &QPushButton::clicked, this, [this] { emit saveWanted(text()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(m_state);
    column->addWidget(m_text, 1);
    column->addWidget(buttons);
    new ReadableSize(*this);
    resize(kReportWidth * fontMetrics().height(), kReportHeight * fontMetrics().height());
    connect(&m_doctor, &ChildCommand::said, this, [this](const QJsonObject &found) { m_found = found; });
    connect(&m_doctor, &ChildCommand::ended, this, &ProblemDialog::showReport);
    m_doctor.start({QStringLiteral("doctor"), QStringLiteral("--json")});
}

QString ProblemDialog::text() const
{
    return m_text->toPlainText();
}

void ProblemDialog::showReport(const ChildEnding &ending)
{
    const QString why = tr("\"jetscope doctor\" gave no answer. %1")
                            .arg(ending.text.isEmpty() ? tr("It gave no reason.") : ending.text);
    m_text->setPlainText(problemText(m_facts, m_found, why, m_names));
    m_text->setReadOnly(false);
    m_state->setText(tr("Nothing is sent. Read the report, write what happened, remove what you want to keep to "
                        "yourself, and save it into a file for the developers. Your home folder and name, the name of "
                        "this computer and logins in addresses are replaced."));
    m_save->setEnabled(true);
    m_text->setFocus();
}

QString problemText(const ProblemFacts &facts, const QJsonObject &doctor, const QString &doctorProblem,
                    const OwnNames &names)
{
    QString text;
    addSection(text, problemWords("WHAT HAPPENED"), problemWords("(write here what you did, expected and saw)"));
    addSection(text, problemWords("JETSCOPE"),
               QStringLiteral("%1, Qt %2 (%3), %4, %5 %6, %7")
                   .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                        QGuiApplication::platformName(), QSysInfo::prettyProductName(), QSysInfo::kernelType(),
                        QSysInfo::kernelVersion(), QSysInfo::currentCpuArchitecture()));
    addSection(text, problemWords("SHOWN"), facts.shown + u'\n' + facts.picture);
    if (!facts.command.isEmpty())
        addSection(text, problemWords("COMMAND LINE OF THE PRESENT CHOICES"), facts.command);
    addSection(text, problemWords("LAST ERRORS AND WARNINGS"), errorLines(facts.errors));
    addSection(text, QStringLiteral("JETSCOPE DOCTOR --JSON"),
               doctor.isEmpty() ? doctorProblem
                                : QString::fromUtf8(QJsonDocument(doctor).toJson(QJsonDocument::Indented)));
    return withoutNames(text.trimmed() + u'\n', names);
}

} // namespace jetscope
