// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefiletables.h"

#include "core/settings/settingtable.h"
#include "core/system/newfile.h"
#include "core/tracefile/tracefileschema.h"

#include <sqlite3.h>

#include <algorithm>
#include <limits>
#include <random>

namespace jetscope {

namespace {

// In the order of TraceFileTables::Table.
constexpr const char *kInserts[] = {
    "INSERT OR REPLACE INTO device VALUES(?,?)",
    "INSERT OR REPLACE INTO lanes VALUES(?,?,?,?,?,?)",
    "INSERT OR REPLACE INTO names VALUES(?,?,?,?,?)",
    "INSERT INTO span_rows VALUES(?,?,?,?,?,?,?)",
    "INSERT OR REPLACE INTO counter_list VALUES(?,?,?,?)",
    "INSERT INTO counter_rows VALUES(?,?,?)",
    "INSERT INTO marks VALUES(?,?,?,?,?,?)",
    nullptr, // insertOfFrame()
    "INSERT INTO thumbnails VALUES(?,?,?)",
    "INSERT INTO path_rows VALUES(?,?,?,?,?,?,?,?)",
    "INSERT INTO edge_rows VALUES(?,?,?,?)",
    "INSERT OR REPLACE INTO frame_number_rows VALUES(?,?)",
    "INSERT INTO hazard_accesses VALUES(?,?,?,?,?,?,?,?,?)",
    "INSERT INTO import_account VALUES(?,?,?,?)",
    "INSERT INTO notes VALUES(?,?,?)",
    "INSERT INTO clocks VALUES(?,?,?,?)",
    "INSERT INTO lost_frames VALUES(?,?,?,?,?,?)",
};

std::string insertOfFrame()
{
    std::string columns;
    std::string values;
    for (const FrameField &field : frameFields()) {
        columns += (columns.empty() ? "" : ",") + std::string(field.name);
        values += values.empty() ? "?" : ",?";
    }
    return "INSERT INTO frames(" + columns + ") VALUES(" + values + ")";
}

// A WAL checkpoint runs at 16 MiB, because each one costs a flush of the disk. Without flushes in between, commits
// survive a crash of the program, but the last seconds may not survive a power failure.
constexpr const char *kRecordingPragmas = "PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4096;";

constexpr int kMergeWaitMs = 250;

void bindFrame(Statement &statement, int parameter, std::uint32_t frame)
{
    if (frame == kNoFrame)
        statement.bindNull(parameter);
    else
        statement.bind(parameter, std::int64_t{frame});
}

std::int64_t storable(std::uint64_t bytes)
{
    return static_cast<std::int64_t>(std::min(bytes, std::uint64_t{std::numeric_limits<std::int64_t>::max()}));
}

} // namespace

TraceFileTables::TraceFileTables(Database database) : m_name(database.name()), m_database(std::move(database)) {}

namespace {

/// A number that tells a capture's schema from that of others, so that left-over files of another capture are
/// recognised (besidedatabase.h). SQLite counts changes of the schema from it on; other files begin at 0.
std::string someSchemaNumber()
{
    std::random_device random;
    return std::to_string((1U << 20U) + random() % (1U << 30U));
}

/// Creates the tables in an empty file, and leaves nothing beside it.
Status makeTables(const std::string &emptyFile, const std::string &name)
{
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(emptyFile, Database::Access::ReadWrite, name));
    JETSCOPE_TRY(database.run("PRAGMA application_id = " + std::to_string(kTraceFileApplicationId)
                              + "; PRAGMA user_version = " + std::to_string(kTraceFileVersion)
                              + "; PRAGMA journal_mode = WAL; " + kRecordingPragmas));
    JETSCOPE_TRY(database.run(traceFileSchema()));
    return database.run("PRAGMA schema_version = " + someSchemaNumber() + "; PRAGMA wal_checkpoint(TRUNCATE)");
}

} // namespace

Result<TraceFileTables> TraceFileTables::create(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(UnfinishedFile file, UnfinishedFile::createDatabase(path));
    JETSCOPE_TRY(makeTables(file.partPath(), path));
    JETSCOPE_TRY(file.publish());
    Result<TraceFileTables> tables = open(path, path);
    if (!tables.ok())
        removeNewFile(path);
    return tables;
}

Result<TraceFileTables> TraceFileTables::fill(const std::string &emptyFile, const std::string &name)
{
    JETSCOPE_TRY(makeTables(emptyFile, name));
    return open(emptyFile, name);
}

Result<TraceFileTables> TraceFileTables::open(const std::string &file, const std::string &name)
{
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(file, Database::Access::ReadWrite, name));
    TraceFileTables tables(std::move(database));
    JETSCOPE_TRY(tables.prepare());
    return tables;
}

Status TraceFileTables::prepare()
{
    JETSCOPE_TRY(m_database->run(kRecordingPragmas));
    for (const char *insert : kInserts) {
        JETSCOPE_TRY_ASSIGN(Statement statement, m_database->prepare(insert ? insert : insertOfFrame()));
        m_inserts.push_back(std::move(statement));
    }
    return {};
}

void TraceFileTables::setWait(std::function<bool()> wait)
{
    if (!m_database)
        return;
    m_wait = std::make_unique<std::function<bool()>>(std::move(wait));
    sqlite3_busy_handler(
        m_database->handle(),
        [](void *waiting, int) { return (*static_cast<std::function<bool()> *>(waiting))() ? 1 : 0; }, m_wait.get());
}

void TraceFileTables::fail(Status error)
{
    if (m_status.ok())
        m_status = std::move(error);
}

Statement *TraceFileTables::begin(Table table)
{
    if (!m_status.ok() || !m_database)
        return nullptr;
    if (!m_inTransaction)
        fail(m_database->run("BEGIN"));
    m_inTransaction = m_status.ok();
    return m_inTransaction ? &m_inserts[table] : nullptr;
}

void TraceFileTables::run(Statement &statement)
{
    if (!statement.run())
        fail(statement.status());
}

void TraceFileTables::setFact(std::string_view name, std::string_view value)
{
    if (Statement *insert = begin(Facts)) {
        insert->bind(1, name);
        insert->bind(2, value);
        run(*insert);
    }
}

void TraceFileTables::setOrigin(const TraceOrigin &origin)
{
    setFact("device", origin.device);
    setFact("source", origin.source);
    setFact("program", origin.program);
    setFact("wall_clock_offset_ns", std::to_string(origin.wallClockOffsetNs));
    for (const ClockMeeting &meeting : origin.clocks)
        addClock(meeting);
    if (!origin.config)
        return;
    for (const SettingRow &row : settingTable())
        if (!row.isOfMeasurement)
            setFact(row.column(), row.text(*origin.config));
}

void TraceFileTables::setAccount(const ImportAccount &account)
{
    if (account.read() == 0)
        return;
    setFact(kEventsReadRow, std::to_string(account.read()));
    for (const ImportAccount::Row &row : account.rows())
        if (Statement *insert = begin(Account)) {
            insert->bind(1, std::string_view(row.kind));
            insert->bind(2, std::string_view(row.shownAs));
            insert->bind(3, std::string_view(row.reason));
            insert->bind(4, storable(row.events));
            run(*insert);
        }
}

void TraceFileTables::setLane(const LaneInfo &lane)
{
    if (Statement *insert = begin(Lanes)) {
        insert->bind(1, std::int64_t{lane.id});
        insert->bind(2, laneRoleName(lane.role));
        insert->bind(3, std::string_view(lane.name));
        insert->bind(4, std::string_view(lane.detail));
        insert->bind(5, std::int64_t{lane.emulated});
        if (lane.gpu)
            insert->bind(6, std::int64_t{*lane.gpu});
        else
            insert->bindNull(6);
        run(*insert);
    }
}

void TraceFileTables::setName(std::uint32_t id, const SpanName &name)
{
    if (Statement *insert = begin(Names)) {
        insert->bind(1, std::int64_t{id});
        insert->bind(2, std::string_view(name.text));
        insert->bind(3, categoryName(name.category));
        insert->bind(4, certaintyName(name.certainty));
        insert->bind(5, purposeKey(name.purpose));
        run(*insert);
    }
}

void TraceFileTables::setCounter(const CounterInfo &counter)
{
    if (Statement *insert = begin(CounterList)) {
        insert->bind(1, std::int64_t{counter.id});
        insert->bind(2, std::string_view(counter.name));
        insert->bind(3, std::string_view(counter.unit));
        if (counter.lane)
            insert->bind(4, std::int64_t{*counter.lane});
        else
            insert->bindNull(4);
        run(*insert);
    }
}

void TraceFileTables::addSpan(LaneId lane, std::uint8_t depth, const TraceSpan &span)
{
    if (Statement *insert = begin(Spans)) {
        insert->bind(1, std::int64_t{lane});
        insert->bind(2, std::int64_t{depth});
        insert->bind(3, std::int64_t{span.name});
        insert->bind(4, span.frame == kNoFrame ? std::int64_t{-1} : std::int64_t{span.frame});
        insert->bind(5, span.startNs);
        insert->bind(6, span.durationNs);
        insert->bind(7, storable(span.bytes));
        run(*insert);
    }
}

void TraceFileTables::addFrame(const FrameFigures &figures)
{
    if (Statement *insert = begin(Frames)) {
        int parameter = 0;
        for (const FrameField &field : frameFields())
            insert->bind(++parameter, field.get(figures));
        run(*insert);
    }
}

void TraceFileTables::addFrameNumber(const FrameNumber &number)
{
    if (Statement *insert = begin(FrameNumberRows)) {
        insert->bind(1, std::int64_t{number.frame});
        insert->bind(2, storable(number.number));
        run(*insert);
    }
}

void TraceFileTables::addPathPiece(const PathPiece &piece)
{
    if (Statement *insert = begin(Path)) {
        m_pathPosition = piece.frame == m_pathFrame ? m_pathPosition + 1 : 0;
        m_pathFrame = piece.frame;
        insert->bind(1, std::int64_t{piece.frame});
        insert->bind(2, m_pathPosition);
        if (piece.lane == kNoPathLane)
            insert->bindNull(3);
        else
            insert->bind(3, std::int64_t{piece.lane});
        if (piece.name == kNoPathName)
            insert->bindNull(4);
        else
            insert->bind(4, std::int64_t{piece.name});
        insert->bind(5, pathCauseName(piece.cause));
        insert->bind(6, piece.startNs);
        insert->bind(7, piece.lengthNs());
        bindFrame(*insert, 8, piece.workFrame);
        run(*insert);
    }
}

void TraceFileTables::addEdge(const SpanEdge &edge)
{
    if (Statement *insert = begin(Edges)) {
        insert->bind(1, std::int64_t{edge.fromLane});
        insert->bind(2, edge.fromNs);
        insert->bind(3, std::int64_t{edge.toLane});
        insert->bind(4, edge.toNs);
        run(*insert);
    }
}

void TraceFileTables::addSample(const CounterSample &sample)
{
    if (Statement *insert = begin(Samples)) {
        insert->bind(1, std::int64_t{sample.counter});
        insert->bind(2, sample.timeNs);
        insert->bind(3, sample.value); // SQLite stores NaN as NULL.
        run(*insert);
    }
}

void TraceFileTables::addMark(const TraceMark &mark)
{
    if (Statement *insert = begin(Marks)) {
        insert->bind(1, markKindName(mark.kind));
        bindFrame(*insert, 2, mark.frame);
        insert->bind(3, mark.timeNs);
        insert->bind(4, std::string_view(mark.text));
        insert->bind(5, std::string_view(mark.rule));
        insert->bind(6, std::string_view(mark.fix));
        run(*insert);
    }
    if (mark.first)
        addAccess(mark, 1, *mark.first);
    if (mark.second)
        addAccess(mark, 2, *mark.second);
    for (const LostFrames &lost : mark.lost)
        addLost(mark, lost);
}

void TraceFileTables::addLost(const TraceMark &mark, const LostFrames &lost)
{
    if (Statement *insert = begin(LostFrameRows)) {
        insert->bind(1, storable(lost.first));
        insert->bind(2, storable(lost.count));
        insert->bind(3, rowOf(lost.cause).key);
        insert->bind(4, lost.timeNs);
        insert->bind(5, std::string_view(lost.evidence));
        insert->bind(6, mark.timeNs);
        run(*insert);
    }
}

void TraceFileTables::addAccess(const TraceMark &hazard, int position, const HazardAccess &access)
{
    if (Statement *insert = begin(HazardAccesses)) {
        insert->bind(1, hazard.timeNs);
        insert->bind(2, std::string_view(hazard.rule));
        insert->bind(3, std::string_view(hazard.memory));
        insert->bind(4, std::int64_t{position});
        insert->bind(5, std::string_view(access.what));
        insert->bind(6, std::string_view(access.queue));
        insert->bind(7, access.access == Access::Write ? kWrite : kRead);
        bindFrame(*insert, 8, access.frame);
        insert->bind(9, access.timeNs);
        run(*insert);
    }
}

void TraceFileTables::addThumbnail(const Thumbnail &thumbnail)
{
    if (Statement *insert = begin(Thumbnails)) {
        insert->bind(1, std::int64_t{thumbnail.frame});
        insert->bind(2, thumbnail.timeNs);
        insert->bind(3, std::span<const std::byte>(thumbnail.encoded));
        run(*insert);
    }
}

void TraceFileTables::addNote(const TraceNote &note)
{
    if (Statement *insert = begin(Notes)) {
        insert->bind(1, note.startNs);
        insert->bind(2, note.endNs);
        insert->bind(3, std::string_view(note.text));
        run(*insert);
    }
}

void TraceFileTables::addClock(const ClockMeeting &meeting)
{
    if (Statement *insert = begin(Clocks)) {
        insert->bind(1, meeting.timeNs);
        insert->bind(2, std::string_view(meeting.clock));
        insert->bind(3, meeting.offsetNs);
        insert->bind(4, meeting.boundNs);
        run(*insert);
    }
}

void TraceFileTables::commit()
{
    if (m_inTransaction && m_status.ok())
        fail(m_database->run("COMMIT"));
    m_inTransaction = m_inTransaction && !m_status.ok();
    // SQLite continues to write into a deleted file.
    if (m_database && m_status.ok() && m_database->isGone())
        fail(sentence(
            m_database->name()
            + " was removed or renamed while it was written: write it again, and leave it in place until it is "
              "complete"));
}

void TraceFileTables::finish()
{
    if (!m_database)
        return;
    commit();
    m_inserts.clear();
    // After an error, roll back the last values, so that the committed ones can be merged into the main file.
    if (m_inTransaction)
        (void)m_database->run("ROLLBACK").ok();
    if (m_database->isGone()) {
        // Both statements below remove the -wal file by its name, which may be another capture's now.
        m_database.reset();
        return;
    }
    // A reader may stay for long, and what it prevents here is no loss.
    sqlite3_busy_timeout(m_database->handle(), kMergeWaitMs);
    fail(m_database->run("PRAGMA wal_checkpoint(TRUNCATE)"));
    // Fails while another program reads the file: its -wal file then remains beside it, and nothing is lost.
    (void)m_database->run("PRAGMA journal_mode = DELETE").ok();
    m_database.reset();
}

std::uint64_t TraceFileTables::fileBytes()
{
    if (!m_database)
        return 0;
    Result<Statement> size =
        m_database->prepare("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    return size.ok() && size.value().next() ? static_cast<std::uint64_t>(size.value().integer(0)) : 0;
}

} // namespace jetscope
