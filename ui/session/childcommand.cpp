// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/childcommand.h"

#include <QCoreApplication>
#include <QJsonDocument>

#include <csignal>
#include <sys/prctl.h>
#include <unistd.h>
#include <utility>

namespace jetscope {

namespace {

constexpr qsizetype kMaxLine = 64 * 1024 * 1024; ///< The result of a sweep of 20,000 cells is one line.
constexpr qsizetype kKeptErrors = 16 * 1024;
constexpr int kPatienceMs = 40'000; ///< A command ends itself 30 seconds after the request.
constexpr int kPatienceAtExitMs = 3'000;

} // namespace

ChildCommand::ChildCommand(const QString &program, QObject *parent)
    : QObject(parent), m_program(program.isEmpty() ? QCoreApplication::applicationFilePath() : program)
{
    // If this process is killed, nothing else would end the child.
    m_process.setChildProcessModifier([parent = getpid()] {
        prctl(PR_SET_PDEATHSIG, SIGINT);
        if (getppid() != parent) // Killed before this.
            _exit(1);
    });
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_patience.setSingleShot(true);
    m_patience.setInterval(kPatienceMs);
    connect(&m_patience, &QTimer::timeout, &m_process, &QProcess::kill);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &ChildCommand::readLines);
    connect(&m_process, &QProcess::readyReadStandardError, this,
            [this] { m_errors = (m_errors + m_process.readAllStandardError()).right(kKeptErrors); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            finish({ChildEnding::Kind::Failed,
                    tr("%1 could not be started (%2): check that the program was not moved or replaced, and start "
                       "Jetscope again.")
                        .arg(m_program, m_process.errorString())});
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        readLines();
        m_errors = (m_errors + m_process.readAllStandardError()).right(kKeptErrors);
        finish(endingOf(code, status));
    });
}

ChildCommand::~ChildCommand()
{
    m_process.disconnect(this);
    if (!isRunning())
        return;
    cancel();
    m_process.waitForFinished(kPatienceAtExitMs);
}

void ChildCommand::start(const QStringList &arguments)
{
    Q_ASSERT(!isRunning());
    m_cancelled = false;
    m_ended = false;
    m_line.clear();
    m_errors.clear();
    m_process.start(m_program, arguments);
}

void ChildCommand::cancel()
{
    if (!isRunning())
        return;
    m_cancelled = true;
    if (m_process.processId() > 0)
        ::kill(static_cast<pid_t>(m_process.processId()), SIGINT);
    m_patience.start();
}

void ChildCommand::readLines()
{
    m_line += m_process.readAllStandardOutput();
    qsizetype from = 0;
    for (qsizetype end; (end = m_line.indexOf('\n', from)) >= 0; from = end + 1) {
        const QJsonDocument line = QJsonDocument::fromJson(m_line.mid(from, end - from));
        if (line.isObject())
            emit said(line.object());
    }
    m_line.remove(0, from);
    if (m_line.size() > kMaxLine)
        m_line.clear();
}

/// Each sentence of the program begins with its name; lines of progress do not.
QString ChildCommand::lastSentence() const
{
    const QString name = QStringLiteral("jetscope: ");
    const QStringList lines = QString::fromUtf8(m_errors).split(u'\n', Qt::SkipEmptyParts);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        if (line->startsWith(name))
            return line->mid(name.size()).trimmed();
    return lines.isEmpty() ? QString() : lines.last().trimmed();
}

ChildEnding ChildCommand::endingOf(int code, QProcess::ExitStatus status) const
{
    const QString said = lastSentence();
    if (m_cancelled)
        return {ChildEnding::Kind::Cancelled, said};
    if (status == QProcess::CrashExit)
        return {ChildEnding::Kind::Failed,
                tr("The measurement crashed. What it measured before is in the file. %1").arg(said)};
    if (code != 0)
        return {ChildEnding::Kind::Failed,
                said.isEmpty() ? tr("The measurement ended with exit code %1 and gave no reason.").arg(code) : said};
    return {ChildEnding::Kind::Good, said};
}

void ChildCommand::finish(ChildEnding ending)
{
    m_patience.stop();
    if (!std::exchange(m_ended, true))
        emit ended(ending);
}

} // namespace jetscope
