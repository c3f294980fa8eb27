// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

/// The outcome of one run of the real program.
struct Outcome {
    bool finished = false;
    int code = -1;
    QString out;
    QString err;

    QJsonObject json() const { return QJsonDocument::fromJson(out.toUtf8()).object(); }
    /// Whether stderr is one sentence on one line, as required for errors.
    bool oneSentence() const { return err.startsWith("jetscope: ") && err.endsWith('\n') && err.count('\n') == 1; }
    QByteArray describe() const
    {
        return "exit " + QByteArray::number(code) + "\nstdout: " + out.toUtf8() + "\nstderr: " + err.toUtf8();
    }
};

/// The test's environment without a display and without user settings.
inline QProcessEnvironment plainEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(name);
    return environment;
}

inline Outcome outcomeOf(QProcess &process)
{
    Outcome outcome;
    outcome.finished = process.waitForFinished(120'000) && process.exitStatus() == QProcess::NormalExit;
    outcome.code = process.exitCode();
    outcome.out = QString::fromUtf8(process.readAllStandardOutput());
    outcome.err = QString::fromUtf8(process.readAllStandardError());
    return outcome;
}

inline Outcome runProgram(const QStringList &arguments, const QProcessEnvironment &environment = plainEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(JETSCOPE_PROGRAM, arguments);
    return outcomeOf(process);
}

/// Whether this build has sources of a kind, such as "file".
inline bool hasSource(const QString &kind)
{
    static const QJsonObject sources = runProgram({"doctor", "--json"}).json()["sources"].toObject();
    return sources[kind].toObject()["available"].toBool();
}

/// Runs a shell script, for redirections. The program is "$0" in the script.
inline Outcome runShell(const QString &script)
{
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start("/bin/sh", {"-c", script, JETSCOPE_PROGRAM});
    return outcomeOf(process);
}
