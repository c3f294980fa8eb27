// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/traceopener.h"

#include "core/board/boardlog.h"
#include "core/exchange/opentrace.h"
#include "core/fleet/fleetfolder.h"
#include "core/measure/report/sweepreport.h"
#include "core/path/tracepaths.h"
#include "core/trace/tracefigures.h"
#include "core/verify/verifyjson.h"
#include "ui/files/fileplaces.h"
#include "ui/files/notekeeper.h"
#include "ui/files/tracefilepage.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"

#include <QFileInfo>

#include <utility>

namespace jetscope {

namespace {

} // namespace

TraceOpener::TraceOpener(Session &session, MessageBar &messages, FilePlaces &places, RecentFiles recent,
                         QObject *parent)
    : QObject(parent), m_session(session), m_messages(messages), m_places(places), m_recent(recent)
{
}

bool TraceOpener::isFree()
{
    if (!m_job.isRunning())
        return true;
    m_messages.show(MessageBar::Kind::Info, tr("Another file is being opened; wait for it or cancel it."));
    return false;
}

/// A trace from a file with its summary.
struct TraceOpener::Summarised {
    Result<OpenedTrace> trace;
    Session::TraceSummary summary = {};
};

TraceOpener::Summarised TraceOpener::openSummarised(const Opener &open, OpenProgress &progress)
{
    Summarised out{open(progress)};
    if (!out.trace.ok())
        return out;
    const Trace &trace = out.trace.value().trace;
    out.summary.figures = summariseTrace(trace);
    if (auto paths = summarisePaths(trace, progress))
        out.summary.path = std::move(*paths);
    else
        out.trace = cancelledError();
    return out;
}

void TraceOpener::open(const QString &path, const QString &framesBy)
{
    start(path, framesBy, false);
}

void TraceOpener::openAsTrace(const QString &path)
{
    start(path, {}, true);
}

void TraceOpener::start(const QString &path, const QString &framesBy, bool asTrace)
{
    if (!isFree())
        return;
    m_wanted = path;
    m_wantedFrames = framesBy;
    m_wantedAsTrace = asTrace;
    m_isCompleting = false;
    m_places.remember(path);
    const auto work = [this, path, framesBy, asTrace,
                       mostSpans = m_session.mostSpans()](OpenProgress &progress) -> std::function<void()> {
        if (const std::string fleet = fleetOfPath(path.toStdString()); !fleet.empty())
            return [this, fleet = toQString(fleet)] {
                m_recent.add(fleet, tr("fleet"));
                emit fleetOpened(fleet);
            };
        if (isVerifyFile(path.toStdString()))
            return [this, path] {
                m_recent.add(path, tr("verification"));
                emit verificationOpened(path);
            };
        if (isSweepFile(path.toStdString())) {
            auto sweep = std::make_shared<Result<SweepReport>>(readSweepReport(path.toStdString()));
            return [this, path, sweep] {
                if (sweep->ok())
                    m_recent.add(path, tr("sweep"));
                if (sweep->ok())
                    emit sweepOpened(path, std::make_shared<const SweepReport>(std::move(*sweep).value()));
                else
                    cannotOpen(path, sweep->error());
            };
        }
        const auto open = [&](OpenProgress &to) {
            Result<OpenedTrace> opened = openTrace(path.toStdString(), to, mostSpans, framesBy.toStdString());
            if (opened.ok())
                NoteKeeper::addKept(path, opened.value());
            return opened;
        };
        auto result = std::make_shared<Summarised>(openSummarised(open, progress));
        if (!asTrace && result->trace.ok() && isBoardLog(result->trace.value().trace)) {
            auto log = std::make_shared<BoardLog>(boardLogOf(result->trace.value()));
            return [this, path, log] {
                m_recent.add(path, toQString(logWords(log->series)));
                m_messages.hide();
                emit boardLogOpened(path, log);
            };
        }
        return [this, path, result] {
            m_isCell = false;
            opened(path, std::move(*result));
        };
    };
    m_job.start(tr("Opening %1").arg(QFileInfo(path).fileName()), work, [this](Trace trace) {
        m_notes.clear();
        m_frameNames.clear();
        m_session.showTrace(std::move(trace), {});
        m_isCompleting = true;
    });
}

void TraceOpener::openAgain()
{
    if (!m_wanted.isEmpty())
        start(m_wanted, m_wantedFrames, m_wantedAsTrace);
}

void TraceOpener::openSweepCell(const QString &path, std::size_t cell, const QString &words)
{
    if (!isFree())
        return;
    m_isCompleting = false;
    const auto work = [this, path, cell, words](OpenProgress &progress) -> std::function<void()> {
        const auto open = [&](OpenProgress &to) { return openSweepSample(path.toStdString(), cell, to); };
        auto result = std::make_shared<Summarised>(openSummarised(open, progress));
        if (result->trace.ok()) {
            Trace &trace = result->trace.value().trace;
            TraceOrigin origin = trace.origin();
            origin.file = (path + QStringLiteral(" · ") + words).toStdString();
            trace.setOrigin(origin);
        }
        return [this, path, result] {
            m_isCell = true;
            opened(path, std::move(*result));
        };
    };
    m_job.start(tr("Opening the sample trace of %1").arg(words), work);
}

QString TraceOpener::shownFile() const
{
    const bool isIts = m_session.phase() == Session::Phase::File && !m_session.trace().distant();
    return isIts ? m_shownFile : QString();
}

void TraceOpener::cannotOpen(const QString &path, const Error &error)
{
    emit failed(path, error, wasCancelled(error));
}

void TraceOpener::opened(const QString &path, Summarised summarised)
{
    Result<OpenedTrace> &result = summarised.trace;
    if (!result.ok()) {
        cannotOpen(path, result.error());
        return;
    }
    m_shownFile = path;
    OpenedTrace opened = std::move(result).value();
    TraceOrigin origin = opened.trace.origin();
    if (origin.file.empty()) {
        origin.file = path.toStdString();
        opened.trace.setOrigin(origin);
    }
    m_notes.clear();
    for (const std::string &note : allNotes(opened))
        m_notes.append(toQString(note));
    m_frameNames.clear();
    for (const std::string &name : opened.frameNames)
        m_frameNames.append(toQString(name));
    m_session.showTrace(std::move(opened.trace), summarised.summary);
    m_isCompleting = false;
    m_messages.hide();
    m_recent.add(path, traceWords(m_session.trace()));
    emit shown();
}

void TraceOpener::chooseFrames()
{
    const QString name = m_places.dialogs().choose(
        tr("Choose frames"),
        tr("Ranges and marks of this name are the frames, a number may follow it; site: is a loop of calls:"),
        m_frameNames);
    if (!name.isEmpty())
        open(m_shownFile, name);
}

} // namespace jetscope
