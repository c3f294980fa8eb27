// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "ui/query/queryanswer.h"
#include "ui/session/backgroundjob.h"

#include <QTemporaryDir>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

class Session;

/// Runs SQL on the session's trace on a thread of its own, like `jetscope query` on a capture. An opened capture is
/// queried directly; any other trace is first written to a temporary capture, which is reused until the trace changes.
/// UI thread; the session must outlive it.
class TraceQuery : public QObject {
    Q_OBJECT
public:
    explicit TraceQuery(Session &session, QObject *parent = nullptr);

    /// Ignored while a query runs.
    void ask(const QString &sql);
    void cancel() { m_job.cancel(); }
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void started();
    void preparing(double fraction); ///< The temporary capture is being written.
    void asking();                   ///< The capture is ready, and the query runs.
    void answered(const std::shared_ptr<jetscope::QueryAnswer> &answer);

private:
    void prepare(const QString &sql);
    void prepared(const std::string &path, const QString &sql, const Status &done);
    void query(const std::string &path, const QString &sql);

    Session &m_session;
    std::unique_ptr<QTemporaryDir> m_folder; ///< Holds the temporary capture.
    std::optional<std::string> m_capture;    ///< File to query, once it is ready.
    std::uint64_t m_version = 0;             ///< Version of the trace in m_capture.
    std::shared_ptr<void> m_hold;            ///< Set while the job reads the session's trace.
    BackgroundJob m_job;
};

} // namespace jetscope
