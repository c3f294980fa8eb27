// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefile.h"

#include "core/settings/filters.h"
#include "core/settings/settingtable.h"
#include "core/system/databaserows.h"
#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"
#include "core/trace/importaccount.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"
#include "core/tracefile/markat.h"
#include "core/tracefile/oldlabels.h"
#include "core/tracefile/tracefileschema.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace jetscope {

namespace {

// Enough to fill the widest screen, and read within some hundredths of a second.
constexpr std::int64_t kPreviewSpans = 60'000;
constexpr std::int64_t kSpansWorthAPreview = 1'000'000;
constexpr std::uint64_t kSpansBetweenLooks = 1 << 15;

// Edges may be in any order in the file: each batch is merged into the sorted list.
constexpr std::size_t kEdgesMerged = 1 << 20;

constexpr TraceName kNoName = std::numeric_limits<TraceName>::max();

/// NULL is kNoFrame.
std::optional<std::uint32_t> frameFromColumn(const Statement &row, int column)
{
    return row.isNull(column) ? kNoFrame : fromColumn<std::uint32_t>(row, column);
}

std::int64_t wholeNumber(std::string_view text)
{
    return takeNumber<std::int64_t>(text).value_or(0);
}

/// Upper limit of the number of span rows by the size of the file.
std::uint64_t mostRows(Database &database)
{
    constexpr std::int64_t kMinRowBytes = 9;
    Result<Statement> bytes =
        database.prepare("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
    const bool known = bytes.ok() && bytes.value().next();
    return known ? static_cast<std::uint64_t>(std::max(std::int64_t{0}, bytes.value().integer(0) / kMinRowBytes)) : 0;
}

/// Reads one capture, or its newest part, into one trace.
class CaptureReading {
public:
    CaptureReading(Database &database, Trace &trace)
        : m_database(database), m_trace(trace), m_mostRows(mostRows(database))
    {
    }

    Status readHead(const std::string &path);
    Status readSpans(std::int64_t fromRow, std::int64_t lastRow, Progress &progress);
    /// Reads everything except spans.
    Status readRest(Progress &progress);
    /// Of all but spans, only what is from this time on and among the last rows of its table: tables are about in the
    /// order of time, and to look at all rows for their time takes longer than to read the newest spans.
    void onlyNewest(std::int64_t fromNs, std::int64_t rows)
    {
        m_fromNs = fromNs;
        m_newestRows = rows;
    }
    std::uint64_t lostWhileRecording() const { return m_lost; }
    std::uint64_t cutTexts() const { return m_cutTexts; }
    const ImportAccount &account() const { return m_account; }

private:
    Status readFacts(const std::string &path);
    Status readAccount();
    Status readClocks(TraceOrigin &origin);
    Status readLanes();
    Status readNames();
    /// For the rows of a table that are wanted: their condition.
    std::string wanted(std::string_view table, std::string_view timeColumn) const;
    Status readFrames();
    Status readFrameNumbers();
    Status readCounters();
    Status readMarks(Progress &progress);
    Status readNotes();
    Status readHazardAccesses(std::vector<TraceMark> &marks);
    Status readLostFrames(std::vector<TraceMark> &marks);
    Status readEdges(Progress &progress);
    std::string textOf(const Statement &row, int column);
    Status readThumbnails();
    bool addSpan(Statement &row);

    Database &m_database;
    Trace &m_trace;
    std::vector<TraceName> m_names; ///< By id in the file.
    std::vector<bool> m_counters;
    std::uint64_t m_lost = 0;
    ImportAccount m_account;
    std::uint64_t m_cutTexts = 0;
    std::uint64_t m_mostRows;
    std::int64_t m_fromNs = std::numeric_limits<std::int64_t>::min();
    std::optional<std::int64_t> m_newestRows;
};

std::string CaptureReading::wanted(std::string_view table, std::string_view timeColumn) const
{
    if (!m_newestRows)
        return {};
    return " WHERE rowid > (SELECT max(rowid) FROM " + std::string(table) + ") - " + std::to_string(*m_newestRows)
        + " AND " + std::string(timeColumn) + " >= " + std::to_string(m_fromNs);
}

/// Shortens long texts: when the trace is written as a Chrome trace, every span repeats its name.
std::string CaptureReading::textOf(const Statement &row, int column)
{
    const std::string_view whole = row.text(column);
    const std::string_view text = shortText(whole);
    m_cutTexts += text.size() < whole.size() ? 1 : 0;
    return std::string(text);
}

/// Whether a row of the table `device` is a valid setting of the configuration.
bool applyRow(PipelineConfig &config, std::string_view name, std::string_view value)
{
    const SettingRow *row = settingOfColumn(name);
    if (!row || row->isOfMeasurement)
        return false;
    if (row->kind == SettingRow::Kind::Names)
        addStagesOfFile(value);
    return row->set(config, value).ok();
}

Status CaptureReading::readFacts(const std::string &path)
{
    TraceOrigin origin;
    origin.file = path;
    PipelineConfig config;
    JETSCOPE_TRY(eachRow(m_database, "SELECT rowid, name, value FROM device", [&](Statement &row) {
        const std::string_view name = row.text(1);
        const std::string value = textOf(row, 2);
        if (name == "device")
            origin.device = value;
        else if (name == "source")
            origin.source = value;
        else if (name == "program")
            origin.program = value;
        else if (name == "wall_clock_offset_ns")
            origin.wallClockOffsetNs = wholeNumber(value);
        else if (name == kEventsReadRow)
            m_account.setRead(static_cast<std::uint64_t>(std::max(std::int64_t{0}, wholeNumber(value))));
        else if (applyRow(config, name, value))
            origin.config = config;
        else
            m_trace.setFact({textOf(row, 1), value});
        if (name == kLostRow)
            m_lost = static_cast<std::uint64_t>(std::max(std::int64_t{0}, wholeNumber(value)));
        return true;
    }));
    if (m_account.read() > 0)
        JETSCOPE_TRY(readAccount());
    JETSCOPE_TRY(readClocks(origin));
    m_trace.setOrigin(std::move(origin));
    return {};
}

Status CaptureReading::readClocks(TraceOrigin &origin)
{
    if (!hasClockTable(m_database))
        return {};
    return eachRow(m_database, "SELECT rowid, time_ns, clock, offset_ns, bound_ns FROM clocks", [&](Statement &row) {
        for (const int column : {1, 3, 4})
            if (!row.isInteger(column) || !isTraceTime(row.integer(column)))
                return false;
        if (row.integer(4) < 0)
            return false;
        if (origin.clocks.size() < kMostClockMeetings)
            origin.clocks.push_back({row.integer(1), textOf(row, 2), row.integer(3), row.integer(4)});
        return true;
    });
}

Status CaptureReading::readAccount()
{
    constexpr std::uint64_t kMaxRows = 1000;
    std::uint64_t rows = 0;
    if (!hasAccountTable(m_database))
        return {};
    return eachRow(m_database, "SELECT rowid, kind, shown_as, reason, events FROM import_account", [&](Statement &row) {
        const std::string kind = textOf(row, 1);
        const std::string reason = textOf(row, 3);
        const std::int64_t events = row.integer(4);
        if (events < 0 || ++rows > kMaxRows)
            return false;
        m_account.count(reason.empty() ? m_account.rowShown(kind, textOf(row, 2)) : m_account.rowLeftOut(kind, reason),
                        static_cast<std::uint64_t>(events));
        return true;
    });
}

Status CaptureReading::readLanes()
{
    std::vector<LaneInfo> lanes;
    const bool says = m_database.hasColumn("lanes", "emulated");
    const bool saysGpu = m_database.hasColumn("lanes", "gpu");
    const std::string select = "SELECT id, role, name, detail, " + std::string(says ? "emulated" : "NULL") + ", "
        + (saysGpu ? "gpu" : "NULL") + " FROM lanes";
    JETSCOPE_TRY(eachRow(m_database, select, [&](Statement &row) {
        const auto id = fromColumn<LaneId>(row, 0);
        const auto role = laneRoleByName(row.text(1));
        if (!id || !role)
            return false;
        lanes.push_back({*id, *role, textOf(row, 2), textOf(row, 3)});
        lanes.back().emulated = says ? row.integer(4) != 0 : isEmulatedByDetail(lanes.back().detail);
        if (!row.isNull(5))
            lanes.back().gpu = fromColumn<std::uint32_t>(row, 5);
        return row.isNull(5) || lanes.back().gpu;
    }));
    m_trace.setLanes(std::move(lanes));
    return {};
}

Status CaptureReading::readNames()
{
    // Name ids are consecutive, and names without spans also count.
    constexpr std::size_t kMaxUnused = std::numeric_limits<NameId>::max();
    const bool isSure = m_database.hasColumn("names", "certainty");
    const bool hasPurpose = m_database.hasColumn("names", "purpose");
    const std::string select = "SELECT id, name, category, " + std::string(isSure ? "certainty" : "'exact'")
        + (hasPurpose ? ", purpose" : "") + " FROM names";
    return eachRow(m_database, select, [&, used = std::size_t{0}](Statement &row) mutable {
        const auto id = fromColumn<std::uint32_t>(row, 0);
        const auto category = categoryByName(row.text(2));
        const auto certainty = certaintyByName(row.text(3));
        if (!id || !category || !certainty || *id > ++used + kMaxUnused)
            return false;
        const std::string text = textOf(row, 1);
        // A newer program may know more purposes.
        const Purpose purpose =
            hasPurpose ? purposeByKey(row.text(4)).value_or(usualPurpose(*category)) : purposeOfLabel(text, *category);
        m_names.resize(*id + std::size_t{1}, kNoName);
        m_names[*id] = m_trace.names().intern(text, *category, purpose, *certainty);
        return true;
    });
}

bool CaptureReading::addSpan(Statement &row)
{
    const std::int64_t lane = row.integer(0);
    const std::int64_t depth = row.integer(1);
    const auto name = static_cast<std::uint64_t>(row.integer(2));
    const std::int64_t frame = row.integer(3); // -1 is kNoFrame.
    const std::int64_t bytes = row.integer(6);
    const TraceSpan span{row.integer(4), row.integer(5), static_cast<std::uint64_t>(bytes),
                         static_cast<std::uint32_t>(frame), name < m_names.size() ? m_names[name] : kNoName};
    if (lane < 0 || lane > std::numeric_limits<LaneId>::max() || depth < 0
        || depth > std::numeric_limits<std::uint8_t>::max() || frame < -1 || frame > std::int64_t{kNoFrame} || bytes < 0
        || span.name == kNoName || !isTracePiece(span.startNs, span.durationNs))
        return false;
    // The trace counts late spans.
    m_trace.add(static_cast<LaneId>(lane), static_cast<std::uint8_t>(depth), span);
    return true;
}

/// The largest table, so the values are not checked for their SQL type: values that are not numbers read as 0. A
/// damaged page tree is detected by more rows than fit into the file.
Status CaptureReading::readSpans(std::int64_t fromRow, std::int64_t lastRow, Progress &progress)
{
    JETSCOPE_TRY_ASSIGN(
        Statement row,
        m_database.prepare(
            "SELECT lane, depth, name, frame, start_ns, duration_ns, bytes FROM span_rows WHERE rowid >= "
            + std::to_string(fromRow)));
    const auto whole = static_cast<double>(std::max(std::int64_t{1}, lastRow));
    for (std::uint64_t rows = 0; row.next(); ++rows) {
        if (rows >= m_mostRows || !addSpan(row))
            return damagedDatabase(m_database);
        if (rows % kSpansBetweenLooks == 0 && !progress.advance(std::min(1.0, static_cast<double>(rows) / whole)))
            return cancelledError();
    }
    return row.status();
}

Status CaptureReading::readFrames()
{
    std::vector<FrameField> fields;
    std::string columns;
    for (const FrameField &field : frameFields())
        if (field.isRequired || m_database.hasColumn("frames", field.name)) {
            fields.push_back(field);
            columns += ", " + std::string(field.name);
        }
    const std::string select = "SELECT rowid" + columns + " FROM frames" + wanted("frames", "start_ns");
    return eachRow(m_database, select, [&](Statement &row) {
        const std::int64_t frame = row.integer(1);
        if (frame < 0 || frame > std::int64_t{kNoFrame})
            return false;
        FrameFigures figures;
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const std::int64_t value = row.integer(static_cast<int>(i) + 1);
            // All but number and start are times and bytes.
            if (i >= 2 && (value > kMaxTraceNs || value < (fields[i].mayBeNegative ? -kMaxTraceNs : 0)))
                return false;
            fields[i].set(figures, value);
        }
        if (!isTracePiece(figures.startNs, figures.periodNs()))
            return false;
        m_trace.add(std::span<const FrameFigures>(&figures, 1));
        return true;
    });
}

Status CaptureReading::readFrameNumbers()
{
    if (!hasFrameNumberTable(m_database))
        return {};
    return eachRow(m_database, "SELECT rowid, frame, number FROM frame_number_rows ORDER BY frame",
                   [&](Statement &row) {
                       const auto frame = fromColumn<std::uint32_t>(row, 1);
                       if (!frame || !row.isInteger(2) || row.integer(2) < 0)
                           return false;
                       const FrameNumber number{*frame, static_cast<std::uint64_t>(row.integer(2))};
                       m_trace.add(std::span(&number, 1));
                       return true;
                   });
}

Status CaptureReading::readCounters()
{
    std::vector<CounterInfo> counters;
    m_counters.assign(std::numeric_limits<CounterId>::max() + std::size_t{1}, false);
    JETSCOPE_TRY(eachRow(m_database, "SELECT id, name, unit, lane FROM counter_list", [&](Statement &row) {
        const auto id = fromColumn<CounterId>(row, 0);
        const auto lane = fromColumn<LaneId>(row, 3);
        if (!id || (!row.isNull(3) && !lane))
            return false;
        m_counters[*id] = true;
        counters.push_back({*id, textOf(row, 1), textOf(row, 2), lane});
        return true;
    }));
    m_trace.setCounters(counters);
    const std::string select =
        "SELECT rowid, counter, time_ns, value FROM counter_rows" + wanted("counter_rows", "time_ns");
    return eachRow(m_database, select, [&](Statement &row) {
        const auto id = fromColumn<CounterId>(row, 1);
        if (!id || !m_counters[*id] || !row.isInteger(2) || !isTraceTime(row.integer(2)))
            return false;
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        const CounterSample sample{row.integer(2), row.isNull(3) ? unknown : row.real(3), *id};
        m_trace.add(std::span(&sample, 1));
        return true;
    });
}

Status CaptureReading::readMarks(Progress &progress)
{
    std::vector<TraceMark> marks;
    JETSCOPE_TRY(
        eachRow(m_database, "SELECT rowid, kind, frame, time_ns, text, rule, fix FROM marks", [&](Statement &row) {
            const auto kind = markKindByName(row.text(1));
            const auto frame = frameFromColumn(row, 2);
            if (!kind || !frame || !row.isInteger(3) || !isTraceTime(row.integer(3)))
                return false;
            marks.push_back({*kind, row.integer(3), *frame, textOf(row, 4), textOf(row, 5), textOf(row, 6)});
            return true;
        }));
    // Sorted first, because the file may contain them in any order.
    const auto byTime = [](const TraceMark &a, const TraceMark &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(marks, byTime, progress, 1))
        return cancelledError();
    JETSCOPE_TRY(readHazardAccesses(marks));
    JETSCOPE_TRY(readLostFrames(marks));
    for (TraceMark &mark : marks)
        m_trace.add(std::move(mark));
    return {};
}

Status CaptureReading::readNotes()
{
    if (!m_database.hasTable("notes", {"start_ns", "end_ns", "text"}))
        return {};
    std::vector<TraceNote> notes;
    JETSCOPE_TRY(eachRow(m_database, "SELECT rowid, start_ns, end_ns, text FROM notes", [&](Statement &row) {
        if (!row.isInteger(1) || !row.isInteger(2) || row.integer(1) > row.integer(2) || !isTraceTime(row.integer(1))
            || !isTraceTime(row.integer(2)))
            return false;
        if (notes.size() < kMaxTraceNotes)
            notes.push_back({row.integer(1), row.integer(2), textOf(row, 3)});
        return true;
    }));
    m_trace.setNotes(std::move(notes));
    return {};
}

/// Adds them to the hazards that they belong to; `marks` is sorted by time.
Status CaptureReading::readHazardAccesses(std::vector<TraceMark> &marks)
{
    if (!hasHazardAccessTable(m_database))
        return {};
    const auto take = [&](Statement &row) {
        const auto position = fromColumn<std::uint32_t>(row, 4);
        const auto frame = frameFromColumn(row, 8);
        if (!position || *position < 1 || *position > 2 || !frame || !row.isInteger(1) || !row.isInteger(9)
            || !isTraceTime(row.integer(9)))
            return false;
        TraceMark *const hazard = markAt(marks, row.integer(1), [&](const TraceMark &mark) {
            return mark.kind == TraceMark::Kind::Hazard && mark.rule == row.text(2)
                && !(*position == 1 ? mark.first : mark.second);
        });
        if (!hazard)
            return true;
        hazard->memory = textOf(row, 3);
        (*position == 1 ? hazard->first : hazard->second) =
            HazardAccess{textOf(row, 5), textOf(row, 6), row.text(7) == kWrite ? Access::Write : Access::Read, *frame,
                         row.integer(9)};
        return true;
    };
    return eachRow(m_database,
                   "SELECT rowid, time_ns, rule, memory, position, what, queue, access, frame, access_ns "
                   "FROM hazard_accesses",
                   take);
}

/// The same for the frames that marks tell of.
Status CaptureReading::readLostFrames(std::vector<TraceMark> &marks)
{
    if (!hasLostFrameTable(m_database))
        return {};
    const auto take = [&](Statement &row) {
        const auto cause = lossCauseByKey(row.text(3));
        const auto first = fromColumn<std::uint64_t>(row, 1);
        const auto count = fromColumn<std::uint64_t>(row, 2);
        if (!cause || !first || !count || !row.isInteger(4) || !row.isInteger(6) || !isTraceTime(row.integer(4)))
            return false;
        TraceMark *const mark = markAt(marks, row.integer(6), [](const TraceMark &each) {
            return each.kind == TraceMark::Kind::Drop && each.lost.size() < kMostLossRows;
        });
        if (mark)
            mark->lost.push_back({*first, *count, *cause, row.integer(4), textOf(row, 5)});
        return true;
    };
    return eachRow(m_database, "SELECT rowid, first_number, frames, cause, time_ns, evidence, mark_ns FROM lost_frames",
                   take);
}

Status CaptureReading::readEdges(Progress &progress)
{
    if (!hasEdgeTable(m_database))
        return {};
    std::vector<SpanEdge> edges;
    bool goesOn = true;
    const auto take = [&](Statement &row) {
        const auto fromLane = fromColumn<LaneId>(row, 1);
        const auto toLane = fromColumn<LaneId>(row, 3);
        const bool isWhole = fromLane && toLane && row.isInteger(2) && row.isInteger(4) && isTraceTime(row.integer(2))
            && isTraceTime(row.integer(4));
        if (!isWhole)
            return false;
        edges.push_back({row.integer(2), row.integer(4), *fromLane, *toLane});
        if (edges.size() == kEdgesMerged) {
            m_trace.add(edges);
            edges.clear();
            goesOn = progress.advance(1);
        }
        return goesOn;
    };
    const Status read =
        eachRow(m_database,
                "SELECT rowid, from_lane, from_ns, to_lane, to_ns FROM edge_rows" + wanted("edge_rows", "to_ns"), take);
    if (!goesOn)
        return cancelledError();
    m_trace.add(edges);
    return read;
}

Status CaptureReading::readThumbnails()
{
    const std::string select =
        "SELECT rowid, frame, time_ns, picture FROM thumbnails" + wanted("thumbnails", "time_ns");
    return eachRow(m_database, select, [&](Statement &row) {
        const auto frame = fromColumn<std::uint32_t>(row, 1);
        if (!frame || !row.isInteger(2) || !isTraceTime(row.integer(2)))
            return false;
        const std::span<const std::byte> picture = row.blob(3);
        m_trace.add(Thumbnail{*frame, row.integer(2), {picture.begin(), picture.end()}});
        return true;
    });
}

Status CaptureReading::readHead(const std::string &path)
{
    if (!hasTraceFileTables(m_database))
        return damagedDatabase(m_database);
    if (m_database.hasTable("sweep_cells"))
        return sentence(m_database.name()
                        + " holds a sweep and no timeline: make a page of it with \"jetscope report\"");
    JETSCOPE_TRY(readFacts(path));
    JETSCOPE_TRY(readLanes());
    return readNames();
}

Status CaptureReading::readRest(Progress &progress)
{
    JETSCOPE_TRY(readFrames());
    JETSCOPE_TRY(readFrameNumbers());
    JETSCOPE_TRY(readCounters());
    JETSCOPE_TRY(readMarks(progress));
    JETSCOPE_TRY(readNotes());
    JETSCOPE_TRY(readEdges(progress));
    return readThumbnails();
}

Result<std::int64_t> lastSpanRow(Database &database)
{
    JETSCOPE_TRY_ASSIGN(Statement last, database.prepare("SELECT max(rowid) FROM span_rows"));
    last.next();
    JETSCOPE_TRY(last.status());
    return last.integer(0);
}

Result<Trace> readPreview(Database &database, const std::string &path, std::int64_t lastRow)
{
    NoProgress nobody;
    Trace trace;
    CaptureReading reading(database, trace);
    JETSCOPE_TRY(reading.readHead(path));
    JETSCOPE_TRY(reading.readSpans(lastRow - kPreviewSpans, lastRow, nobody));
    reading.onlyNewest(trace.oldestNs(), kPreviewSpans);
    JETSCOPE_TRY(reading.readRest(nobody));
    return trace;
}

std::vector<std::string> notesOf(const Trace &trace, const CaptureReading &reading)
{
    std::vector<std::string> notes;
    addCount(notes, reading.lostWhileRecording(), "values that were lost while this was recorded");
    addCount(notes, reading.cutTexts(), "texts of more than 2000 bytes are cut");
    addCount(notes, trace.lateSpans(), "spans that overlap others are left out");
    addCount(
        notes, trace.framesLeftOut(),
        "frames that begin before the end of another one, or have figures that cannot be, are left out, because the "
        "file is damaged");
    addCount(notes, trace.samplesLeftOut(), "values of counters that come behind later ones are left out");
    addCount(notes, trace.marks().discarded(), "marks beyond 100000 are left out, the oldest");
    addCount(notes, trace.edgesLeftOut(), "arrows between spans beyond 20000000 are left out");
    addCount(notes, trace.thumbnails().discarded(), "pictures beyond 64 MB are left out, the oldest");
    return notes;
}

/// Asks whether to go on also while SQLite does not return.
class AskingProgress : public OpenProgress {
public:
    explicit AskingProgress(OpenProgress &asked) : m_asked(asked) {}
    bool advance(double fraction) override { return m_asked.advance(m_fraction = fraction); }
    void preview(Trace trace) override { m_asked.preview(std::move(trace)); }
    bool goesOn() { return m_asked.advance(m_fraction); }

private:
    OpenProgress &m_asked;
    double m_fraction = 0;
};

} // namespace

Result<OpenedTrace> readTraceFile(const std::string &path, OpenProgress &asked, std::uint64_t mostSpans)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::open(path));
    Database &database = file.database();
    AskingProgress progress(asked);
    database.watch([&progress] { return progress.goesOn(); });
    // A consistent snapshot of a file that another process may still be writing.
    JETSCOPE_TRY(database.run("BEGIN"));
    Trace trace(mostSpans);
    CaptureReading reading(database, trace);
    JETSCOPE_TRY(reading.readHead(path));
    JETSCOPE_TRY_ASSIGN(const std::int64_t lastRow, lastSpanRow(database));
    if (lastRow > kSpansWorthAPreview) {
        JETSCOPE_TRY_ASSIGN(Trace newest, readPreview(database, path, lastRow));
        progress.preview(std::move(newest));
    }
    if (!progress.advance(0))
        return cancelledError();
    JETSCOPE_TRY(reading.readSpans(std::numeric_limits<std::int64_t>::min(), lastRow, progress));
    JETSCOPE_TRY(reading.readRest(progress));
    std::vector<std::string> notes = notesOf(trace, reading);
    if (!database.note().empty())
        notes.push_back(database.note());
    return OpenedTrace{std::move(trace), std::move(notes), {}, reading.account()};
}

} // namespace jetscope
