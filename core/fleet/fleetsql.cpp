// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetsql.h"

#include "core/fleet/gziplines.h"
#include "core/system/newfile.h"
#include "core/text/shorttext.h"

#include <simdjson.h>

#include <filesystem>
#include <map>
#include <set>
#include <system_error>

namespace jetscope {

namespace {

using SqlElement = simdjson::dom::element;

/// "{'run': 'VARCHAR', …}"
std::string columnTypes()
{
    std::string types;
    for (const FleetField &field : fleetFields())
        types += (types.empty() ? "{" : ", ") + sqlText(field.name) + ": " + sqlText(field.sqlType);
    return types + "}";
}

std::string listOf(const std::vector<std::string> &paths)
{
    std::string list;
    for (const std::string &path : paths)
        list += (list.empty() ? "[" : ", ") + sqlText(path);
    return list + "]";
}

std::string conditionOf(const FleetSelection &selection)
{
    std::string condition = "(TRUE";
    for (const FleetSelection::Wish &wish : selection.wishes())
        condition += " AND " + wish.field + " = " + sqlText(wish.value);
    return condition + ")";
}

std::string metricCondition(const std::set<std::string> &metrics)
{
    if (metrics.empty())
        return "compared";
    std::string names;
    for (const std::string &metric : metrics)
        names += (names.empty() ? "" : ", ") + sqlText(metric);
    return "metric IN (" + names + ")";
}

/// What the parser of rows demands of each.
constexpr const char *kWrongRows =
    "SELECT CAST(count(*) AS VARCHAR) FROM runs WHERE run IS NULL OR run = '' OR board IS NULL OR board = '' OR metric "
    "IS "
    "NULL OR metric = '' OR value IS NULL OR NOT isfinite(value) OR n IS NULL OR commit IS NULL OR soc IS NULL OR "
    "jetpack IS NULL OR power_mode IS NULL OR config_hash IS NULL OR date IS NULL OR unit IS NULL OR least IS NULL OR "
    "compared IS NULL "
    "OR "
    "direction NOT IN ('lower', 'higher') OR scale NOT IN ('ratio', 'difference') OR direction IS NULL OR scale IS "
    "NULL";

/// The numbers are those of RunState.
constexpr const char *kStateOfRun =
    "CASE WHEN throttled THEN 2 WHEN clocks_locked THEN 0 WHEN NOT clocks_locked THEN 3 WHEN starts_with(soc, 'tegra') "
    "THEN 4 ELSE 1 END";

/// The columns that make a stratum and a metric, and how it is compared.
constexpr const char *kOfMetric = "soc: soc, jetpack: jetpack, power_mode: power_mode, config_hash: config_hash, "
                                  "metric: metric, unit: any_value(unit), "
                                  "direction: any_value(direction), scale: any_value(scale), least: any_value(least)";
constexpr const char *kByMetric =
    " FROM chosen WHERE state < 2 GROUP BY soc, jetpack, power_mode, config_hash, metric, ";

/// A board by a metric, with the values of both builds.
std::string boardsSelect()
{
    return std::string("SELECT CAST(to_json({") + kOfMetric
        + ", name: board, a: list(value) FILTER (WHERE a), b: list(value) FILTER (WHERE b)}) AS VARCHAR)" + kByMetric
        + "board";
}

/// A day by a metric, with the medians of both builds.
std::string daysSelect()
{
    return std::string("SELECT CAST(to_json({") + kOfMetric
        + ", name: date, a: [median(value) FILTER (WHERE a)], b: [median(value) FILTER (WHERE b)]}) AS VARCHAR)"
        + kByMetric + "date";
}

constexpr const char *kRunCounts = "SELECT CAST(to_json([count(DISTINCT run) FILTER (WHERE a), count(DISTINCT run) "
                                   "FILTER (WHERE b), count(DISTINCT run) "
                                   "FILTER (WHERE state = 1)]) AS VARCHAR) FROM chosen WHERE state < 2";

/// Packed lines as a table. DuckDB does not notice that the end of a packed file is missing.
Result<std::string> jsonTable(const std::vector<std::string> &paths)
{
    for (const std::string &path : paths)
        JETSCOPE_TRY(checkGzipLines(path));
    return "read_json(" + listOf(paths) + ", format = 'newline_delimited', columns = " + columnTypes()
        + ", hive_partitioning = false)";
}

Error wrongAnswer()
{
    return sentence("DuckDB answers otherwise than this version expects: take another 1.x");
}

bool textIn(const SqlElement &object, const char *name, std::string &to)
{
    std::string_view text;
    if (object[name].get(text) != simdjson::SUCCESS)
        return false;
    to.assign(text);
    return true;
}

/// Nulls are no values: no run of a build is null, or a list with one.
bool addSqlValues(const SqlElement &list, std::vector<double> &to)
{
    simdjson::dom::array values;
    if (list.is_null())
        return true;
    if (list.get(values) != simdjson::SUCCESS)
        return false;
    for (const SqlElement element : values) {
        double value = 0;
        if (element.is_null())
            continue;
        if (element.get(value) != simdjson::SUCCESS)
            return false;
        to.push_back(value);
    }
    return true;
}

/// `of`: where the metric has what is named, its boards or its days.
bool addNamed(FleetBoards &boards, const SqlElement &object, std::map<std::string, BuildValues> StratumMetric::*of)
{
    FleetRow row;
    std::string name;
    SqlElement a;
    SqlElement b;
    const bool isWhole = textIn(object, "soc", row.soc) && textIn(object, "jetpack", row.jetpack)
        && textIn(object, "power_mode", row.powerMode) && textIn(object, "config_hash", row.configHash)
        && textIn(object, "metric", row.metric) && textIn(object, "unit", row.unit)
        && textIn(object, "direction", row.direction) && textIn(object, "scale", row.scale)
        && object["least"].get(row.least) == simdjson::SUCCESS && textIn(object, "name", name)
        && object["a"].get(a) == simdjson::SUCCESS && object["b"].get(b) == simdjson::SUCCESS;
    if (!isWhole)
        return false;
    BuildValues &values = (boards.metricOf(row).*of)[name];
    return addSqlValues(a, values.a) && addSqlValues(b, values.b);
}

/// A SELECT of texts that are JSON.
Status queryJson(DuckDb &database, const std::string &sql, const std::function<bool(const SqlElement &)> &take)
{
    simdjson::dom::parser parser;
    return database.query(sql, [&](std::string_view text) -> Status {
        SqlElement element;
        const bool isTaken = parser.parse(text.data(), text.size()).get(element) == simdjson::SUCCESS && take(element);
        return isTaken ? Status() : Status(wrongAnswer());
    });
}

/// The rows of both builds, each once: a run that is there twice is rare, and finding that none is takes less time than
/// taking each row out of the others.
Status choose(DuckDb &database, const FleetBoards &boards)
{
    const std::string a = conditionOf(boards.a());
    const std::string b = conditionOf(boards.b());
    const std::string rows =
        " run, board, date, soc, jetpack, power_mode, config_hash, metric, unit, direction, scale, "
        "least, value, "
        + a + " AS a, " + b + " AS b, " + kStateOfRun + " AS state FROM runs WHERE (" + a + " OR " + b + ") AND "
        + metricCondition(boards.metrics());
    JETSCOPE_TRY(database.run("CREATE TEMP TABLE chosen AS SELECT" + rows));
    bool isOnce = true;
    JETSCOPE_TRY(database.query("SELECT CAST(count(*) = count(DISTINCT hash(run, metric)) AS VARCHAR) FROM chosen",
                                [&](std::string_view text) {
                                    isOnce = text == "true";
                                    return Status();
                                }));
    return isOnce ? Status() : database.run("CREATE OR REPLACE TEMP TABLE chosen AS SELECT DISTINCT * FROM chosen");
}

/// Runs that are left out, by their state.
Status addLeftOut(DuckDb &database, FleetBoards &boards)
{
    return queryJson(
        database, "SELECT DISTINCT CAST(to_json({s: state, r: run}) AS VARCHAR) FROM chosen WHERE state >= 2",
        [&](const SqlElement &object) {
            std::int64_t state = 0;
            std::string run;
            if (object["s"].get(state) != simdjson::SUCCESS || !textIn(object, "r", run) || state < 2 || state > 4)
                return false;
            boards.addLeftOut(static_cast<RunState>(state), run);
            return true;
        });
}

} // namespace

Result<std::string> fleetTable(const FleetFolder &folder)
{
    JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
    std::vector<std::string> json;
    std::vector<std::string> parquet;
    for (const FleetFile &file : listing.files) {
        const std::string packed = folder.parquetOf(file);
        std::error_code unknown;
        if (std::filesystem::exists(packed, unknown))
            parquet.push_back(packed);
        else
            json.push_back(file.path);
    }
    JETSCOPE_TRY_ASSIGN(const std::string lines, jsonTable(json));
    const std::string ofJson = "SELECT * FROM " + lines;
    const std::string ofParquet = "SELECT * FROM read_parquet(" + listOf(parquet) + ", hive_partitioning = false)";
    if (json.empty() && parquet.empty())
        return sentence("the folder has no runs: nothing was recorded");
    if (json.empty() || parquet.empty())
        return json.empty() ? ofParquet : ofJson;
    return ofParquet + " UNION ALL BY NAME " + ofJson;
}

Status queryFleet(DuckDb &database, const FleetFolder &folder, const std::string &sql,
                  const std::function<Status(std::string_view json)> &take)
{
    JETSCOPE_TRY_ASSIGN(const std::string table, fleetTable(folder));
    JETSCOPE_TRY(database.run("CREATE TEMP VIEW runs AS " + table));
    return database.query("SELECT CAST(to_json(answer) AS VARCHAR) FROM (" + sql + "\n) AS answer", take);
}

Result<std::size_t> writeParquet(DuckDb &database, const FleetFolder &folder)
{
    namespace fs = std::filesystem;
    JETSCOPE_TRY_ASSIGN(const FleetListing listing, folder.list());
    std::set<std::string> wanted;
    std::size_t written = 0;
    for (const FleetFile &file : listing.files) {
        if (!fs::path(file.path).filename().string().starts_with(kFleetDayPrefix))
            continue;
        const std::string path = folder.parquetOf(file);
        wanted.insert(path);
        std::error_code error;
        if (fs::exists(path, error))
            continue;
        fs::create_directories(fs::path(path).parent_path(), error);
        JETSCOPE_TRY_ASSIGN(UnfinishedFile packed, UnfinishedFile::create(path));
        JETSCOPE_TRY_ASSIGN(const std::string table, jsonTable({file.path}));
        JETSCOPE_TRY(database.run("COPY (SELECT * FROM " + table + ") TO " + sqlText(packed.partPath())
                                  + " (FORMAT parquet, COMPRESSION zstd)"));
        JETSCOPE_TRY(packed.publish());
        ++written;
    }
    std::error_code unknown;
    std::vector<fs::path> gone;
    for (fs::recursive_directory_iterator it(folder.path() + "/parquet", unknown), end; !unknown && it != end;
         it.increment(unknown))
        if (it->path().extension() == ".parquet" && !wanted.contains(it->path().string()))
            gone.push_back(it->path());
    for (const fs::path &path : gone)
        fs::remove(path, unknown);
    return written;
}

Status reduceFleet(DuckDb &database, const FleetFolder &folder, FleetBoards &boards)
{
    JETSCOPE_TRY_ASSIGN(const std::string table, fleetTable(folder));
    JETSCOPE_TRY(database.run("CREATE TEMP VIEW runs AS " + table));
    JETSCOPE_TRY(database.query(kWrongRows, [](std::string_view count) {
        return count == "0" ? Status()
                            : Status(sentence("rows lack a field, or have one of another type (" + std::string(count)
                                              + " of them): --engine built-in names the first"));
    }));
    JETSCOPE_TRY(choose(database, boards));
    JETSCOPE_TRY(queryJson(database, boardsSelect(),
                           [&](const SqlElement &object) { return addNamed(boards, object, &StratumMetric::boards); }));
    JETSCOPE_TRY(queryJson(database, daysSelect(),
                           [&](const SqlElement &object) { return addNamed(boards, object, &StratumMetric::days); }));
    FleetRuns runs;
    JETSCOPE_TRY(queryJson(database, kRunCounts, [&](const SqlElement &counts) {
        std::uint64_t number = 0;
        bool isGood = true;
        std::size_t i = 0;
        for (std::size_t *to : {&runs.a, &runs.b, &runs.unknown}) {
            isGood = isGood && counts.at(i++).get(number) == simdjson::SUCCESS;
            *to = number;
        }
        return isGood;
    }));
    boards.setRuns(runs);
    JETSCOPE_TRY(addLeftOut(database, boards));
    return database.query("SELECT DISTINCT commit FROM runs", [&](std::string_view commit) {
        boards.addCommit(std::string(commit));
        return Status();
    });
}

} // namespace jetscope
