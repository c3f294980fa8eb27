// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardlogger.h"

#include "core/board/boardlogwriter.h"
#include "ui/board/boardwatch.h"
#include "ui/style/text.h"

#include <optional>
#include <utility>

namespace jetscope {

/// Only the thread uses the writer.
struct BoardLogger::Log {
    QString path;
    std::optional<BoardLogWriter> writer;

    Status add(const BoardFacts &facts, const BoardState &state)
    {
        if (!writer) {
            JETSCOPE_TRY_ASSIGN(
                writer, BoardLogWriter::create(path.toStdString(), facts.layout.items, facts.wallClockOffsetNs));
        }
        return writer->add(state);
    }
};

void BoardLogger::start(const QString &path)
{
    stop();
    m_log = std::make_shared<Log>();
    m_log->path = path;
    emit began();
}

void BoardLogger::stop()
{
    if (m_log)
        finish(std::exchange(m_log, nullptr), {});
}

/// Behind the rows that are still to be written.
void BoardLogger::finish(const std::shared_ptr<Log> &log, const QString &error)
{
    m_worker.start([this, log, error](const Worker::Reply &reply) {
        const quint64 rows = log->writer ? log->writer->rows() : 0;
        log->writer.reset();
        reply.post([this, path = log->path, rows, error] { emit ended(path, rows, error); });
    });
}

void BoardLogger::take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state)
{
    if (!m_log)
        return;
    m_worker.start([this, log = m_log, facts, state](const Worker::Reply &reply) {
        const Status added = log->add(*facts, state);
        if (added.ok())
            return;
        reply.post([this, log, error = toQString(added.error().text)] {
            if (m_log == log) // Else it has ended already.
                finish(std::exchange(m_log, nullptr), error);
        });
    });
}

} // namespace jetscope
