// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/share/problemtext.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QJsonDocument>
#include <QSysInfo>

namespace jetscope {

namespace {

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
