// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepfile.h"

#include "core/exchange/opentrace.h"
#include "core/measure/sweep/stretchbytes.h"
#include "core/settings/filters.h"
#include "core/settings/settingtable.h"
#include "core/system/databaserows.h"
#include "core/system/newfile.h"
#include "core/tracefile/tracefile.h"
#include "core/tracefile/tracefiletables.h"

#include <cmath>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint64_t kMaxRoundsOfFile = 100'000;

constexpr const char *kSchema = R"sql(
CREATE TABLE sweep(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sweep_cells(
    id INTEGER PRIMARY KEY, width INTEGER NOT NULL, height INTEGER NOT NULL, %settings%, left_out TEXT, failure TEXT);
CREATE TABLE sweep_counters(
    cell INTEGER NOT NULL, round INTEGER NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, mean REAL NOT NULL);
CREATE TABLE sweep_samples(cell INTEGER PRIMARY KEY, capture BLOB NOT NULL);
CREATE UNIQUE INDEX sweep_stretch ON sweep_stretches(cell, round);
COMMIT;
)sql";

/// The figures that this file has a column for: a sweep of an older version is continued without the others.
std::vector<Figure> figuresWithColumn(Database &database)
{
    std::vector<Figure> figures;
    for (const Figure figure : sweepFigures())
        if (database.hasColumn("sweep_stretches", rowOf(figure).column))
            figures.push_back(figure);
    return figures;
}

std::string insertOfStretch(const std::vector<Figure> &figures)
{
    std::string columns = "cell, round, start_ns, took_ns, hazards";
    std::string values = "?, ?, ?, ?, ?";
    for (const Figure figure : figures) {
        columns += ", " + std::string(rowOf(figure).column);
        values += ", ?";
    }
    return "INSERT OR REPLACE INTO sweep_stretches(" + columns + ", figures) VALUES(" + values + ", ?)";
}

/// The columns of the settings of a cell, each followed by `type` of its row.
std::string settingColumns(const char *(*type)(const SettingRow &row))
{
    std::string columns;
    for (const SettingRow &row : settingTable())
        columns += (columns.empty() ? "" : ", ") + row.column() + type(row);
    return columns;
}

std::string sweepSchema()
{
    std::string stretches = "BEGIN; CREATE TABLE sweep_stretches("
                            "cell INTEGER NOT NULL, round INTEGER NOT NULL, start_ns INTEGER NOT NULL, "
                            "took_ns INTEGER NOT NULL, hazards INTEGER NOT NULL, ";
    for (const Figure figure : sweepFigures())
        stretches += std::string(rowOf(figure).column) + " REAL, ";
    constexpr std::string_view kPlace = "%settings%";
    std::string others = kSchema;
    others.replace(others.find(kPlace), kPlace.size(), settingColumns([](const SettingRow &row) {
                       return row.kind == SettingRow::Kind::Count ? " INTEGER NOT NULL" : " TEXT NOT NULL";
                   }));
    return stretches + "figures BLOB NOT NULL);" + others;
}

Status writeRemark(Database &database, std::string_view key, std::string_view value)
{
    JETSCOPE_TRY_ASSIGN(Statement row, database.prepare("INSERT OR REPLACE INTO sweep VALUES(?, ?)"));
    row.bind(1, key);
    row.bind(2, value);
    row.run();
    return row.status();
}

Status writeConditions(Database &database, const SweepConditions &conditions)
{
    JETSCOPE_TRY(writeRemark(database, "device_id", conditions.deviceId));
    JETSCOPE_TRY(writeRemark(database, "device", conditions.deviceName));
    JETSCOPE_TRY(writeRemark(database, "source", conditions.source));
    JETSCOPE_TRY(writeRemark(database, "paced", conditions.paced ? "yes" : "no"));
    JETSCOPE_TRY(writeRemark(database, "made_by", conditions.madeBy));
    return writeRemark(database, "seed", std::to_string(conditions.seed));
}

Status writeCell(Statement &row, const SweepCell &cell, const std::string *leftOut)
{
    std::vector<std::string> settings; // The statement refers to them until it has run.
    for (const SettingRow &setting : settingTable())
        settings.push_back(setting.text(cell.config));
    int column = 1;
    row.bind(column++, std::int64_t{cell.width});
    row.bind(column++, std::int64_t{cell.height});
    for (const std::string &setting : settings)
        row.bind(column++, std::string_view(setting));
    if (leftOut)
        row.bind(column, std::string_view(*leftOut));
    else
        row.bindNull(column);
    row.run();
    return row.status();
}

Status writePlan(Database &database, const SweepPlan &plan)
{
    std::string places;
    for (std::size_t i = 0; i < settingTable().size(); ++i)
        places += "?, ";
    JETSCOPE_TRY_ASSIGN(Statement row,
                        database.prepare("INSERT INTO sweep_cells VALUES(NULL, ?, ?, " + places + "?, NULL)"));
    for (const SweepCell &cell : plan.cells)
        JETSCOPE_TRY(writeCell(row, cell, nullptr));
    for (const LeftOutCell &leftOut : plan.leftOut)
        JETSCOPE_TRY(writeCell(row, leftOut.cell, &leftOut.reason));
    return {};
}

/// Cells are numbered from 0 in the program and from 1 in the file.
std::int64_t rowOfCell(std::size_t cell)
{
    return static_cast<std::int64_t>(cell) + 1;
}

/// All statements of `write` or none.
template <class Write>
Status inTransaction(Database &database, Write write)
{
    JETSCOPE_TRY(database.run("BEGIN IMMEDIATE"));
    Status written = write();
    if (written.ok())
        written = database.run("COMMIT");
    if (!written.ok())
        static_cast<void>(database.run("ROLLBACK"));
    return written;
}

} // namespace

namespace {

/// An empty capture with the tables of a sweep.
Status writeNewSweep(const std::string &emptyFile, const std::string &name, const TraceFileHeader &header,
                     const SweepConditions &conditions, const SweepPlan &plan)
{
    JETSCOPE_TRY_ASSIGN(TraceFileTables capture, TraceFileTables::fill(emptyFile, name));
    capture.setOrigin(header.origin);
    for (const auto &[fact, value] : header.facts)
        capture.setFact(fact, value);
    capture.finish();
    JETSCOPE_TRY(capture.status());
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(emptyFile, Database::Access::ReadWrite, name));
    JETSCOPE_TRY(database.run(sweepSchema()));
    return inTransaction(database, [&]() -> Status {
        JETSCOPE_TRY(writeConditions(database, conditions));
        return writePlan(database, plan);
    });
}

Result<Database> openToAdd(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(Database database, Database::open(path, Database::Access::ReadWrite));
    JETSCOPE_TRY(database.run("PRAGMA busy_timeout = 5000"));
    return database;
}

} // namespace

Result<SweepFile> SweepFile::create(const std::string &path, const TraceFileHeader &header,
                                    const SweepConditions &conditions, const SweepPlan &plan)
{
    JETSCOPE_TRY_ASSIGN(UnfinishedFile file, UnfinishedFile::createDatabase(path));
    JETSCOPE_TRY(writeNewSweep(file.partPath(), path, header, conditions, plan));
    JETSCOPE_TRY(file.publish());
    JETSCOPE_TRY_ASSIGN(Database database, openToAdd(path));
    return SweepFile(std::move(database));
}

Result<SweepFile> SweepFile::resume(const std::string &path)
{
    if (const Result<StoredSweep> stored = readSweep(path); !stored.ok())
        return stored.error();
    JETSCOPE_TRY_ASSIGN(Database database, openToAdd(path));
    return SweepFile(std::move(database));
}

Status SweepFile::add(const KeptStretch &kept)
{
    const std::vector<std::byte> bytes = bytesOf(kept.figures);
    const std::vector<Figure> figures = figuresWithColumn(m_database);
    JETSCOPE_TRY_ASSIGN(Statement row, m_database.prepare(insertOfStretch(figures)));
    JETSCOPE_TRY_ASSIGN(Statement counter, m_database.prepare("INSERT INTO sweep_counters VALUES(?, ?, ?, ?, ?)"));
    int column = 1;
    row.bind(column++, rowOfCell(kept.stretch.cell));
    row.bind(column++, static_cast<std::int64_t>(kept.stretch.round));
    row.bind(column++, kept.startNs);
    row.bind(column++, kept.tookNs);
    row.bind(column++, static_cast<std::int64_t>(kept.hazards));
    for (const Figure figure : figures) {
        const double value = figureOfBatches(kept.figures.batches[static_cast<std::size_t>(figure)]);
        std::isfinite(value) ? row.bind(column, value) : row.bindNull(column);
        ++column;
    }
    row.bind(column, std::span<const std::byte>(bytes));
    return inTransaction(m_database, [&]() -> Status {
        row.run();
        JETSCOPE_TRY(row.status());
        for (const StretchCounter &each : kept.counters) {
            counter.bind(1, rowOfCell(kept.stretch.cell));
            counter.bind(2, static_cast<std::int64_t>(kept.stretch.round));
            counter.bind(3, std::string_view(each.name));
            counter.bind(4, std::string_view(each.unit));
            counter.bind(5, each.mean);
            counter.run();
            JETSCOPE_TRY(counter.status());
        }
        return {};
    });
}

Status SweepFile::addFailure(std::size_t cell, std::string_view reason)
{
    JETSCOPE_TRY_ASSIGN(Statement row, m_database.prepare("UPDATE sweep_cells SET failure = ? WHERE id = ?"));
    row.bind(1, reason);
    row.bind(2, rowOfCell(cell));
    row.run();
    return row.status();
}

Status SweepFile::addSample(std::size_t cell, std::span<const std::byte> capture)
{
    JETSCOPE_TRY_ASSIGN(Statement row, m_database.prepare("INSERT OR REPLACE INTO sweep_samples VALUES(?, ?)"));
    row.bind(1, rowOfCell(cell));
    row.bind(2, capture);
    row.run();
    return row.status();
}

Status SweepFile::setRemark(std::string_view key, std::string_view value)
{
    return writeRemark(m_database, key, value);
}

// --- reading

namespace {

Status readConditions(Database &database, StoredSweep &to)
{
    JETSCOPE_TRY(eachRow(database, "SELECT rowid, name, value FROM sweep ORDER BY rowid", [&](const Statement &row) {
        to.remarks.emplace(row.text(1), row.text(2));
        return to.remarks.size() < 1000;
    }));
    const auto take = [&](const char *key) {
        const auto found = to.remarks.find(key);
        std::string value = found == to.remarks.end() ? std::string() : found->second;
        if (found != to.remarks.end())
            to.remarks.erase(found);
        return value;
    };
    to.conditions = {take("device_id"),
                     take("device"),
                     take("source"),
                     take("paced") == "yes",
                     std::strtoull(take("seed").c_str(), nullptr, 10),
                     take("made_by")};
    return {};
}

/// The settings that a file has columns for. Those that came later than the file have their defaults.
std::vector<const SettingRow *> settingsIn(Database &database)
{
    std::vector<const SettingRow *> settings;
    for (const SettingRow &row : settingTable())
        if (database.hasTable("sweep_cells", {row.column()}))
            settings.push_back(&row);
    return settings;
}

bool takeCell(const Statement &row, const std::vector<const SettingRow *> &settings, StoredSweep &to)
{
    SweepCell cell;
    const auto width = fromColumn<std::uint16_t>(row, 1);
    const auto height = fromColumn<std::uint16_t>(row, 2);
    if (!width || !height)
        return false;
    cell.width = *width;
    cell.height = *height;
    int column = 3;
    for (const SettingRow *setting : settings) {
        if (setting->kind == SettingRow::Kind::Names)
            addStagesOfFile(row.text(column));
        if (!setting->set(cell.config, row.text(column++)).ok())
            return false;
    }
    if (row.isNull(column)) {
        // Measured cells come first, so that their numbers are those of the plan.
        if (!to.plan.leftOut.empty() || row.integer(0) != rowOfCell(to.plan.cells.size()))
            return false;
        to.plan.cells.push_back(cell);
        to.failures.emplace_back(row.text(column + 1));
    } else {
        to.plan.leftOut.push_back({cell, std::string(row.text(column))});
    }
    return to.plan.cells.size() + to.plan.leftOut.size() <= kMaxSweepCells;
}

Status readCells(Database &database, StoredSweep &to)
{
    const std::vector<const SettingRow *> settings = settingsIn(database);
    std::string columns;
    for (const SettingRow *setting : settings)
        columns += setting->column() + ", ";
    return eachRow(database, "SELECT id, width, height, " + columns + "left_out, failure FROM sweep_cells ORDER BY id",
                   [&](const Statement &row) { return takeCell(row, settings, to); });
}

/// The cell of a row; empty if the plan has no such cell.
std::optional<std::size_t> cellOf(const Statement &row, int column, const StoredSweep &sweep)
{
    const auto id = fromColumn<std::uint32_t>(row, column);
    return id && *id >= 1 && *id <= sweep.plan.cells.size() ? std::optional<std::size_t>(*id - 1) : std::nullopt;
}

bool takeStretch(const Statement &row, StoredSweep &to)
{
    const auto cell = cellOf(row, 1, to);
    const auto round = fromColumn<std::uint32_t>(row, 2);
    const auto hazards = fromColumn<std::uint32_t>(row, 5);
    if (!cell || !round || *round >= kMaxRoundsOfFile || !hazards)
        return false;
    std::optional<StretchFigures> figures = stretchOf(row.blob(6));
    if (!figures)
        return false;
    to.result.add(*cell, *round, *std::move(figures));
    to.stretches.push_back({{*cell, *round}, {}, {}, *hazards, row.integer(3), row.integer(4)});
    return true;
}

bool takeCounter(const Statement &row, StoredSweep &to,
                 const std::map<std::pair<std::size_t, std::size_t>, std::size_t> &places)
{
    const auto cell = cellOf(row, 1, to);
    const auto round = fromColumn<std::uint32_t>(row, 2);
    if (!cell || !round)
        return false;
    const auto place = places.find({*cell, *round});
    if (place != places.end())
        to.stretches[place->second].counters.push_back(
            {std::string(row.text(3)), std::string(row.text(4)), row.real(5)});
    return true;
}

Status readCounters(Database &database, StoredSweep &to)
{
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places;
    for (std::size_t i = 0; i < to.stretches.size(); ++i)
        places[{to.stretches[i].stretch.cell, to.stretches[i].stretch.round}] = i;
    return eachRow(database, "SELECT rowid, cell, round, name, unit, mean FROM sweep_counters ORDER BY rowid",
                   [&](const Statement &row) { return takeCounter(row, to, places); });
}

bool hasSweepTables(Database &database)
{
    return database.hasTable("sweep", {"name", "value"})
        && database.hasTable("sweep_cells",
                             {"id", "width", "height", "memory", "output", "sync", "wait", "left_out", "failure"})
        && database.hasTable("sweep_stretches", {"cell", "round", "start_ns", "took_ns", "hazards", "figures"})
        && database.hasTable("sweep_counters", {"cell", "round", "name", "unit", "mean"})
        && database.hasTable("sweep_samples", {"cell", "capture"});
}

Result<TraceFile> openSweep(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(const FileKind kind, fileKindOf(path));
    if (kind != FileKind::Capture)
        return sentence(path + " is no sweep: give a file that \"jetscope sweep\" wrote");
    JETSCOPE_TRY_ASSIGN(TraceFile file, TraceFile::open(path));
    if (!hasSweepTables(file.database()))
        return sentence(path + " is a capture of one run and no sweep: give a file that \"jetscope sweep\" wrote");
    return file;
}

} // namespace

bool isSweepFile(const std::string &path)
{
    return openSweep(path).ok();
}

Result<StoredSweep> readSweep(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, openSweep(path));
    Database &database = file.database();
    StoredSweep sweep;
    JETSCOPE_TRY(readConditions(database, sweep));
    JETSCOPE_TRY(readCells(database, sweep));
    sweep.result = SweepResult(sweep.plan.cells.size());
    for (std::size_t cell = 0; cell < sweep.failures.size(); ++cell)
        if (!sweep.failures[cell].empty())
            sweep.result.fail(cell, sweep.failures[cell]);
    JETSCOPE_TRY(eachRow(
        database, "SELECT rowid, cell, round, start_ns, took_ns, hazards, figures FROM sweep_stretches ORDER BY rowid",
        [&](const Statement &row) { return takeStretch(row, sweep); }));
    JETSCOPE_TRY(readCounters(database, sweep));
    JETSCOPE_TRY(eachRow(database, "SELECT cell, cell FROM sweep_samples ORDER BY cell", [&](const Statement &row) {
        if (const auto cell = cellOf(row, 1, sweep))
            sweep.sampled.push_back(*cell);
        return true;
    }));
    return sweep;
}

Result<std::vector<std::byte>> readSweepSample(const std::string &path, std::size_t cell)
{
    JETSCOPE_TRY_ASSIGN(TraceFile file, openSweep(path));
    JETSCOPE_TRY_ASSIGN(Statement row, file.database().prepare("SELECT capture FROM sweep_samples WHERE cell = ?"));
    row.bind(1, rowOfCell(cell));
    if (!row.next()) {
        JETSCOPE_TRY(row.status());
        return sentence(path + " has no sample trace of this cell: measure it again, or take another cell");
    }
    const std::span<const std::byte> bytes = row.blob(0);
    return std::vector<std::byte>(bytes.begin(), bytes.end());
}

} // namespace jetscope
