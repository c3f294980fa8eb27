// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "core/system/database.h"
#include "core/trace/importaccount.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A new capture file and its rows. After the first error all further calls do nothing, and `status` returns that
/// error. One thread at a time.
class TraceFileTables {
public:
    /// Creates the file, which must not exist yet. It has its name only once it has all tables.
    static Result<TraceFileTables> create(const std::string &path);
    /// Creates the tables in an empty file; errors use `name` as the file's name.
    static Result<TraceFileTables> fill(const std::string &emptyFile, const std::string &name);

    void setFact(std::string_view name, std::string_view value);
    void setOrigin(const TraceOrigin &origin);
    /// What became of the events of the file that the trace was made of; call at most once.
    void setAccount(const ImportAccount &account);
    void setLane(const LaneInfo &lane);
    void setName(std::uint32_t id, const SpanName &name);
    void setCounter(const CounterInfo &counter);
    void addSpan(LaneId lane, std::uint8_t depth, const TraceSpan &span);
    void addFrame(const FrameFigures &figures);
    /// Call in frame order.
    void addFrameNumber(const FrameNumber &number);
    void addPathPiece(const PathPiece &piece);
    void addEdge(const SpanEdge &edge);
    void addSample(const CounterSample &sample);
    void addMark(const TraceMark &mark);
    void addThumbnail(const Thumbnail &thumbnail);
    void addNote(const TraceNote &note);
    void addClock(const ClockMeeting &meeting);

    /// `wait` is called while another program holds the file locked, and waits for a short time; false gives up.
    void setWait(std::function<bool()> wait);
    /// Commits, so that everything added so far survives a crash of the program.
    void commit();
    /// Commits, removes -wal and -shm, and closes the file, even after an error.
    void finish();

    /// The file's name in errors.
    const std::string &name() const { return m_name; }
    const Status &status() const { return m_status; }
    std::uint64_t fileBytes();

private:
    enum Table {
        Facts,
        Lanes,
        Names,
        Spans,
        CounterList,
        Samples,
        Marks,
        Frames,
        Thumbnails,
        Path,
        Edges,
        FrameNumberRows,
        HazardAccesses,
        Account,
        Notes,
        Clocks,
        LostFrameRows,
        kTables
    };

    explicit TraceFileTables(Database database);
    static Result<TraceFileTables> open(const std::string &file, const std::string &name);
    Status prepare();
    void addLost(const TraceMark &mark, const LostFrames &lost);
    void addAccess(const TraceMark &hazard, int position, const HazardAccess &access);
    /// Returns the insert statement of a table and begins a transaction if necessary; null after an error.
    Statement *begin(Table table);
    void run(Statement &statement);
    void fail(Status error);

    std::string m_name;
    std::unique_ptr<std::function<bool()>> m_wait; ///< At an address that SQLite may keep.
    std::optional<Database> m_database;
    std::vector<Statement> m_inserts; ///< One per Table; destroyed before the database.
    Status m_status;
    bool m_inTransaction = false;
    std::uint32_t m_pathFrame = kNoFrame; ///< Frame of the last path piece.
    std::int64_t m_pathPosition = 0;
};

} // namespace jetscope
