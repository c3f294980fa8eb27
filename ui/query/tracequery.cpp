// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/query/tracequery.h"

#include "core/exchange/opentrace.h"
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefilequery.h"
#include "ui/session/session.h"
#include "ui/style/text.h"

#include <QElapsedTimer>

namespace jetscope {

TraceQuery::TraceQuery(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&m_job, &BackgroundJob::progressed, this, [this](double fraction) {
        if (m_hold)
            emit preparing(fraction);
    });
    // Work that reads the trace must end before the trace is destroyed. A query on a file may end later, since it keeps
    // the file open.
    connect(&session, &Session::closing, this, [this] {
        m_hold ? m_job.cancelAndWait() : m_job.cancel();
        m_hold.reset();
        m_capture.reset();
        m_folder.reset();
    });
}

void TraceQuery::ask(const QString &sql)
{
    if (isRunning())
        return;
    emit started();
    if (m_capture && m_version == m_session.trace().version())
        query(*m_capture, sql);
    else
        prepare(sql);
}

/// Uses the opened capture, or writes a temporary one.
void TraceQuery::prepare(const QString &sql)
{
    m_capture.reset();
    m_folder = std::make_unique<QTemporaryDir>();
    m_version = m_session.trace().version();
    // The thread reads the trace; pipeline updates are queued meanwhile.
    m_hold = m_session.holdTrace();
    const std::string opened = m_session.isLive() ? std::string() : m_session.trace().origin().file;
    const std::string written = m_folder->filePath(QStringLiteral("trace.jscope")).toStdString();
    const auto work = [this, opened, written, sql](OpenProgress &progress) -> std::function<void()> {
        const Result<FileKind> kind = fileKindOf(opened);
        const bool isThere = kind.ok() && kind.value() == FileKind::Capture;
        const Status done = isThere ? Status() : saveTrace(m_session.trace(), written, progress);
        return [this, path = isThere ? opened : written, sql, done] { prepared(path, sql, done); };
    };
    m_job.start(tr("Query"), work);
}

void TraceQuery::prepared(const std::string &path, const QString &sql, const Status &done)
{
    m_hold.reset();
    if (done.ok() && m_folder) {
        m_capture = path;
        query(path, sql);
        return;
    }
    auto answer = std::make_shared<QueryAnswer>();
    answer->isCancelled = done.ok() || wasCancelled(done.error()); // Also if the trace was closed meanwhile.
    if (!answer->isCancelled)
        answer->error = tr("The trace could not be prepared for queries: %1").arg(toQString(done.error().message()));
    emit answered(answer);
}

void TraceQuery::query(const std::string &path, const QString &sql)
{
    emit asking();
    const auto work = [this, path, sql](OpenProgress &progress) -> std::function<void()> {
        auto answer = std::make_shared<QueryAnswer>();
        QueryAnswerReader reader(*answer);
        QElapsedTimer elapsed;
        elapsed.start();
        const Status done = queryTraceFile(
            path, sql.toStdString(), RowFormat::Json, [&reader](std::string_view piece) { return reader.take(piece); },
            [&progress] { return progress.advance(1); });
        answer->tookNs = elapsed.nsecsElapsed();
        if (!done.ok()) {
            answer->isCancelled = wasCancelled(done.error());
            answer->error = toQString(done.error().message());
        }
        return [this, answer] { emit answered(answer); };
    };
    m_job.start(tr("Query"), work);
}

} // namespace jetscope
