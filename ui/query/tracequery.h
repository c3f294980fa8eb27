// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "ui/files/backgroundjob.h"
#include "ui/query/queryanswer.h"

#include <QTemporaryDir>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jetscope {

class Session;

/// Puts SQL to the session's trace, as `jetscope query` does to a capture, on a thread of its own. An opened capture
/// answers itself; any other trace is first written into a temporary one, which serves until the trace changes. UI
/// thread; the session outlives it.
class TraceQuery : public QObject {
    Q_OBJECT
public:
    explicit TraceQuery(Session &session, QObject *parent = nullptr);

    /// One at a time: while one runs, nothing happens.
    void ask(const QString &sql);
    void cancel() { m_job.cancel(); }
    bool isRunning() const { return m_job.isRunning(); }

signals:
    void started();
    void preparing(double fraction); ///< The trace is being written.
    void asking();                   ///< It is there, and the query at work.
    void answered(const std::shared_ptr<jetscope::QueryAnswer> &answer);

private:
    void prepare(const QString &sql);
    void prepared(const std::string &path, const QString &sql, const Status &done);
    void query(const std::string &path, const QString &sql);

    Session &m_session;
    std::unique_ptr<QTemporaryDir> m_folder; ///< For the trace.
    std::optional<std::string> m_capture;    ///< The file that is asked, where it is known.
    std::uint64_t m_version = 0;             ///< Of the trace that is in it.
    std::shared_ptr<void> m_hold;            ///< While the job reads the session's trace.
    BackgroundJob m_job;
};

} // namespace jetscope
