// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/database.h"
#include "core/path/pathpiece.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A new capture file and the rows that go into it. After the first error everything else does nothing, and `status`
/// says what it was. One thread at a time.
class TraceFileTables {
public:
    /// Makes the file, which must not exist yet.
    static Result<TraceFileTables> create(const std::string &path);
    /// In an empty file; errors call it `name`.
    static Result<TraceFileTables> fill(const std::string &emptyFile, const std::string &name);

    void setFact(std::string_view name, std::string_view value);
    void setOrigin(const TraceOrigin &origin);
    void setLane(const LaneInfo &lane);
    void setName(std::uint32_t id, std::string_view text, Category category, Certainty certainty);
    void setCounter(const CounterInfo &counter);
    void addSpan(LaneId lane, std::uint8_t depth, const TraceSpan &span);
    void addFrame(const FrameFigures &figures);
    /// Of a frame after the other, each in order.
    /// In order of frames.
    void addFrameNumber(const FrameNumber &number);
    void addPathPiece(const PathPiece &piece);
    void addEdge(const SpanEdge &edge);
    void addSample(const CounterSample &sample);
    void addMark(const TraceMark &mark);
    void addThumbnail(const Thumbnail &thumbnail);

    /// Makes what was added so far safe from the end of the program.
    void commit();
    /// Commits and leaves one file without company. Whatever happened, it closes the file.
    void finish();

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
        kTables
    };

    explicit TraceFileTables(Database database);
    Status prepare();
    /// The statement that inserts into a table, within a transaction; null after an error.
    Statement *begin(Table table);
    void run(Statement &statement);
    void fail(Status error);

    std::optional<Database> m_database;
    std::vector<Statement> m_inserts; ///< One for each Table; ends before the database does.
    Status m_status;
    bool m_inTransaction = false;
    std::uint32_t m_pathFrame = kNoFrame; ///< Of the last piece of a path.
    std::int64_t m_pathPosition = 0;
};

} // namespace jetscope
