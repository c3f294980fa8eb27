// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/tracefileschema.h"

#include "core/figures/framefigures.h"

#include <algorithm>
#include <array>

namespace jetscope {

namespace {

struct RoleRow {
    LaneRole role;
    std::string_view name;
};

constexpr auto kRoles = std::to_array<RoleRow>({
    {LaneRole::Capture, "capture"},
    {LaneRole::Pipeline, "pipeline"},
    {LaneRole::CpuStage, "cpu-stage"},
    {LaneRole::DeviceStream, "device-stream"},
    {LaneRole::GlQueue, "gl-queue"},
    {LaneRole::Engine, "engine"},
    {LaneRole::View, "view"},
    {LaneRole::Tool, "tool"},
});
static_assert(hasEveryRow(kRoles, &RoleRow::role));

constexpr const char *kTables = R"sql(
CREATE TABLE device(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE lanes(
    id INTEGER PRIMARY KEY, role TEXT NOT NULL, name TEXT NOT NULL, detail TEXT NOT NULL,
    emulated INTEGER NOT NULL, gpu INTEGER);
CREATE TABLE names(
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, certainty TEXT NOT NULL,
    purpose TEXT NOT NULL);
CREATE TABLE span_rows(
    lane INTEGER NOT NULL, depth INTEGER NOT NULL, name INTEGER NOT NULL, frame INTEGER NOT NULL,
    start_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE counter_list(id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, lane INTEGER);
CREATE TABLE counter_rows(counter INTEGER NOT NULL, time_ns INTEGER NOT NULL, value REAL);
CREATE TABLE marks(
    kind TEXT NOT NULL, frame INTEGER, time_ns INTEGER NOT NULL, text TEXT NOT NULL, rule TEXT NOT NULL,
    fix TEXT NOT NULL);
CREATE TABLE hazard_accesses(
    time_ns INTEGER NOT NULL, rule TEXT NOT NULL, memory TEXT NOT NULL, position INTEGER NOT NULL, what TEXT NOT NULL,
    queue TEXT NOT NULL, access TEXT NOT NULL, frame INTEGER, access_ns INTEGER NOT NULL);
CREATE TABLE lost_frames(
    first_number INTEGER NOT NULL, frames INTEGER NOT NULL, cause TEXT NOT NULL, time_ns INTEGER NOT NULL,
    evidence TEXT NOT NULL, mark_ns INTEGER NOT NULL);
CREATE TABLE frame_number_rows(frame INTEGER PRIMARY KEY, number INTEGER NOT NULL);
CREATE TABLE import_account(
    kind TEXT NOT NULL, shown_as TEXT NOT NULL, reason TEXT NOT NULL, events INTEGER NOT NULL);
CREATE TABLE thumbnails(frame INTEGER NOT NULL, time_ns INTEGER NOT NULL, picture BLOB NOT NULL);
CREATE TABLE path_rows(
    frame INTEGER NOT NULL, position INTEGER NOT NULL, lane INTEGER, name INTEGER, cause TEXT NOT NULL,
    start_ns INTEGER NOT NULL, duration_ns INTEGER NOT NULL, work_frame INTEGER);
CREATE TABLE edge_rows(
    from_lane INTEGER NOT NULL, from_ns INTEGER NOT NULL, to_lane INTEGER NOT NULL, to_ns INTEGER NOT NULL);
CREATE TABLE clocks(
    time_ns INTEGER NOT NULL, clock TEXT NOT NULL, offset_ns INTEGER NOT NULL, bound_ns INTEGER NOT NULL);
CREATE VIEW spans AS
    SELECT nullif(s.frame, -1) AS frame, l.name AS lane, n.name AS name, n.category AS category, s.start_ns, s.duration_ns,
        s.bytes, s.depth, n.certainty AS certainty, n.purpose AS purpose
    FROM span_rows s LEFT JOIN lanes l ON l.id = s.lane LEFT JOIN names n ON n.id = s.name;
CREATE VIEW frame_numbers AS
    SELECT f.frame, ifnull(r.number + f.frame - r.frame, f.frame) AS number
    FROM frames f LEFT JOIN frame_number_rows r
    ON r.frame = (SELECT max(frame) FROM frame_number_rows WHERE frame <= f.frame);
CREATE VIEW frame_path AS
    SELECT p.frame, p.position, l.name AS lane, n.name AS name, p.cause, p.start_ns, p.duration_ns, p.work_frame
    FROM path_rows p LEFT JOIN lanes l ON l.id = p.lane LEFT JOIN names n ON n.id = p.name;
CREATE VIEW edges AS
    SELECT f.name AS from_lane, e.from_ns AS from_start_ns, t.name AS to_lane, e.to_ns AS to_start_ns
    FROM edge_rows e LEFT JOIN lanes f ON f.id = e.from_lane LEFT JOIN lanes t ON t.id = e.to_lane;
CREATE VIEW counters AS
    SELECT c.name, c.unit, l.name AS lane, r.time_ns, r.value
    FROM counter_rows r LEFT JOIN counter_list c ON c.id = r.counter LEFT JOIN lanes l ON l.id = c.lane;
CREATE VIEW switches AS SELECT frame, time_ns, text FROM marks WHERE kind = 'switch';
CREATE VIEW hazards AS SELECT frame, time_ns, rule, text, fix FROM marks WHERE kind = 'hazard';
)sql";

bool hasFrameFields(Database &database)
{
    const auto fields = frameFields();
    return std::all_of(fields.begin(), fields.end(), [&](const FrameField &field) {
        return !field.isRequired || database.hasColumn("frames", field.name);
    });
}

} // namespace

std::string traceFileSchema()
{
    std::string frames;
    for (const FrameField &field : frameFields())
        frames += (frames.empty() ? "" : ", ") + std::string(field.name) + " INTEGER NOT NULL";
    return "BEGIN; CREATE TABLE frames(" + frames + "); CREATE TABLE notes" + std::string(kNoteColumns) + ";" + kTables
        + counterIntervalsView("main") + " COMMIT;";
}

std::string counterIntervalsView(std::string_view database)
{
    // A value holds until the next of its counter, the last one until the capture ends.
    return "CREATE VIEW " + std::string(database) + R"sql(.counter_intervals AS
    SELECT c.name, c.unit, l.name AS lane, r.time_ns AS start_ns, r.end_ns - r.time_ns AS duration_ns, r.value
    FROM (SELECT counter, time_ns, value, lead(time_ns, 1, (SELECT max(max(time_ns), ifnull(
            (SELECT max(start_ns + duration_ns) FROM span_rows), 0)) FROM counter_rows))
            OVER (PARTITION BY counter ORDER BY time_ns) AS end_ns FROM counter_rows) r
    LEFT JOIN counter_list c ON c.id = r.counter LEFT JOIN lanes l ON l.id = c.lane;)sql";
}

bool hasTraceFileTables(Database &database)
{
    return database.hasTable("device", {"name", "value"})
        && database.hasTable("lanes", {"id", "role", "name", "detail"})
        && database.hasTable("names", {"id", "name", "category"})
        && database.hasTable("span_rows", {"lane", "depth", "name", "frame", "start_ns", "duration_ns", "bytes"})
        && database.hasTable("counter_list", {"id", "name", "unit", "lane"})
        && database.hasTable("counter_rows", {"counter", "time_ns", "value"})
        && database.hasTable("marks", {"kind", "frame", "time_ns", "text", "rule", "fix"})
        && database.hasTable("frames") && hasFrameFields(database)
        && database.hasTable("thumbnails", {"frame", "time_ns", "picture"});
}

bool hasEdgeTable(Database &database)
{
    return database.hasTable("edge_rows", {"from_lane", "from_ns", "to_lane", "to_ns"});
}

bool hasHazardAccessTable(Database &database)
{
    return database.hasTable(
        "hazard_accesses", {"time_ns", "rule", "memory", "position", "what", "queue", "access", "frame", "access_ns"});
}

bool hasLostFrameTable(Database &database)
{
    return database.hasTable("lost_frames", {"first_number", "frames", "cause", "time_ns", "evidence", "mark_ns"});
}

bool hasAccountTable(Database &database)
{
    return database.hasTable("import_account", {"kind", "shown_as", "reason", "events"});
}

bool hasFrameNumberTable(Database &database)
{
    return database.hasTable("frame_number_rows", {"frame", "number"});
}

bool hasClockTable(Database &database)
{
    return database.hasTable("clocks", {"time_ns", "clock", "offset_ns", "bound_ns"});
}

std::string_view certaintyName(Certainty certainty)
{
    return certainty == Certainty::Bounded ? "bounded" : "exact";
}

std::optional<Certainty> certaintyByName(std::string_view name)
{
    for (const Certainty certainty : {Certainty::Exact, Certainty::Bounded})
        if (certaintyName(certainty) == name)
            return certainty;
    return std::nullopt;
}

std::optional<Category> categoryByName(std::string_view name)
{
    for (int i = 0; i < kCategoryCount; ++i)
        if (categoryName(static_cast<Category>(i)) == name)
            return static_cast<Category>(i);
    return std::nullopt;
}

std::string_view laneRoleName(LaneRole role)
{
    return kRoles[static_cast<std::size_t>(role)].name;
}

std::optional<LaneRole> laneRoleByName(std::string_view name)
{
    for (const RoleRow &row : kRoles)
        if (row.name == name)
            return row.role;
    return std::nullopt;
}

std::optional<LossCause> lossCauseByKey(std::string_view key)
{
    for (const LossCauseRow &row : kLossCauses)
        if (row.key == key)
            return row.cause;
    return std::nullopt;
}

std::optional<TraceMark::Kind> markKindByName(std::string_view name)
{
    for (int i = 0; i < kMarkKindCount; ++i)
        if (markKindName(static_cast<TraceMark::Kind>(i)) == name)
            return static_cast<TraceMark::Kind>(i);
    return std::nullopt;
}

} // namespace jetscope
