// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// jetscope-sched with a plain folder in place of tracefs, and with a made-up nvgpu (programs/faketracefs.c).

#include <QByteArray>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QString>

#include <map>

namespace jetscope {

/// Starts it with a folder in place of tracefs, where the trace has these lines.
inline bool startSched(QProcess &sched, const QString &folder, const QByteArray &pipe,
                       const std::map<QString, QString> &variables)
{
    for (const char *event : {"sched/sched_switch", "sched/sched_wakeup", "host1x/host1x_cdma_begin"})
        if (!QDir().mkpath(folder + "/instances/template/events/" + event))
            return false;
    QFile lines(folder + "/pipe");
    if (!lines.open(QIODevice::WriteOnly) || lines.write(pipe) != pipe.size())
        return false;
    lines.close();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("LD_PRELOAD", FAKE_TRACEFS);
    environment.insert("FAKE_FOLDER", folder);
    environment.insert("FAKE_PIPE", lines.fileName());
    environment.insert("ASAN_OPTIONS", "verify_asan_link_order=0:detect_leaks=0");
    for (const auto &[name, value] : variables)
        environment.insert(name, value);
    sched.setProcessEnvironment(environment);
    sched.start(PROGRAM_SCHED, QStringList());
    return sched.waitForStarted();
}

/// What it wrote until `until` came, and how it ended if not well.
inline QString runSched(const QString &folder, const QByteArray &pipe, const char *until,
                        const std::map<QString, QString> &variables)
{
    QProcess sched;
    if (!startSched(sched, folder, pipe, variables))
        return "not started";
    QByteArray out;
    QElapsedTimer timer;
    for (timer.start(); !out.contains(until) && timer.elapsed() < 20'000 && sched.state() != QProcess::NotRunning;) {
        sched.waitForReadyRead(100);
        out += sched.readAllStandardOutput();
    }
    sched.terminate();
    sched.waitForFinished();
    if (sched.exitCode() != 0 || sched.exitStatus() != QProcess::NormalExit)
        out += "ended badly\n";
    return QString::fromUtf8(out + sched.readAllStandardOutput() + sched.readAllStandardError());
}

} // namespace jetscope
