// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/app/program.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

/// One run of a program under `jetscope attach`, and the same without it.
struct Attached {
    Outcome plain;
    Outcome under;
    QJsonObject json; ///< Of the run under Jetscope.
    QString capture;  ///< Its path; exists as long as `folder`.
    std::shared_ptr<QTemporaryDir> folder;

    std::uint64_t calls(const char *function) const
    {
        return static_cast<std::uint64_t>(json["calls"][function].toInteger());
    }
    /// What the program printed as "FUNCTION COUNT".
    std::uint64_t counted(const QString &function) const
    {
        for (const QString &line : under.out.split('\n'))
            if (line.startsWith(function + " "))
                return line.mid(function.size() + 1).toULongLong();
        return 0;
    }
    QStringList findings() const
    {
        QStringList names;
        for (const QJsonValue finding : json["findings"].toArray())
            names += finding["what"].toString();
        return names;
    }
    QByteArray describe() const { return under.describe() + "\n" + QJsonDocument(json).toJson(); }
};

inline QJsonObject jsonOf(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

inline Outcome runPlain(const QStringList &command)
{
    QProcess process;
    process.start(command.front(), command.mid(1));
    return outcomeOf(process);
}

/// Without the run for comparison. `options` stand before the program.
inline Attached attachOnly(const QStringList &command, const QStringList &options = {})
{
    Attached run;
    run.folder = std::make_shared<QTemporaryDir>();
    run.capture = run.folder->filePath("a.jscope");
    const QString json = run.folder->filePath("a.json");
    run.under = runProgram(QStringList{"attach", "--json", json, "--record", run.capture} + options + QStringList{"--"}
                               + command,
                           QProcessEnvironment::systemEnvironment());
    run.json = jsonOf(json);
    return run;
}

inline Attached attach(const QStringList &command, const QStringList &options = {})
{
    const Outcome plain = runPlain(command);
    Attached run = attachOnly(command, options);
    run.plain = plain;
    return run;
}

/// A program that draws, and lines of the kernel's trace that come into a file while it runs: when it has drawn, so
/// that its threads are known. "PID" in the pattern is the number of its process.
inline QStringList withLinesWhenDrawn(const QStringList &program, const QString &pattern, const QString &lines)
{
    const QString pipe = lines + ".pipe";
    const QString ready = lines + ".ready";
    return {"/bin/sh", "-c",
            "mkfifo '" + pipe + "'; sed \"s/PID/$$/g\" '" + pattern + "' > '" + ready + "'; (read -r first < '" + pipe
                + "'; cat '" + ready + "' > '" + lines + "') & exec " + program.join(' ') + " > '" + pipe + "'"};
}

/// What `jetscope attach` says about a program in a terminal.
inline QString textOf(const QStringList &command)
{
    return runProgram(QStringList{"attach", "--no-gpu-times", "--"} + command, QProcessEnvironment::systemEnvironment())
        .err;
}

/// The rows of `jetscope query`.
inline QStringList rowsOf(const QString &capture, const QString &sql)
{
    return runProgram({"query", capture, sql}).out.split('\n', Qt::SkipEmptyParts);
}
