// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetsql.h"

#include "core/fleet/gziplines.h"
#include "core/fleet/reducedfleet.h"
#include "core/fleet/reducesql.h"
#include "core/system/newfile.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

namespace jetscope {

namespace {

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

/// Those whose rows are read as JSON, behind "runs" and "boards".
constexpr const char *kLaterStatements[] = {"days", "left out", "commits"};
/// The columns of "boards" but for the values.
constexpr const char *kBoardColumns[] = {"kind", "soc",       "jetpack", "power_mode", "config_hash", "metric",
                                         "unit", "direction", "scale",   "least",      "name"};

/// Words of a statement and what takes their place.
using SqlWords = std::map<std::string_view, std::string>;

/// The statement of reduce.sql, filled in; words that are not given are empty.
std::string statementOf(std::string_view name, const FleetBoards &boards, SqlWords words = {})
{
    words.insert({{"{a}", conditionOf(boards.a())},
                  {"{b}", conditionOf(boards.b())},
                  {"{compared}", metricCondition(boards.metrics())}});
    const std::string head = "-- @" + std::string(name) + "\n";
    const std::size_t begin = kReduceSql.find(head);
    assert(begin != std::string_view::npos);
    std::string_view left = kReduceSql.substr(begin + head.size());
    left = left.substr(0, left.find("\n\n"));
    std::string sql;
    while (!left.empty()) {
        const std::size_t open = std::min(left.find('{'), left.size());
        sql += left.substr(0, open);
        left.remove_prefix(open);
        const std::string_view word = left.substr(0, left.find('}') + 1);
        if (!left.empty())
            sql += words[word];
        left.remove_prefix(left.empty() ? 0 : word.size());
    }
    return sql;
}

/// Packed lines as a table. DuckDB does not notice that the end of a packed file is missing.
Result<std::string> jsonTable(const std::vector<std::string> &paths)
{
    for (const std::string &path : paths)
        JETSCOPE_TRY(checkGzipLines(path));
    return "read_json(" + listOf(paths) + ", format = 'newline_delimited', columns = " + columnTypes()
        + ", hive_partitioning = false)";
}

/// Each row of a SELECT as an object of JSON.
std::string asJson(const std::string &sql)
{
    return "SELECT CAST(to_json(answer) AS VARCHAR) FROM (" + sql + "\n) AS answer";
}

/// The boards: an object of JSON without the values, and these as lists. As text they double the statement's time.
std::string boardsWithLists(const std::string &sql)
{
    std::string head;
    for (const char *column : kBoardColumns)
        head += (head.empty() ? "{" : ", ") + sqlText(column) + ": " + column;
    return "SELECT CAST(to_json(" + head + "}) AS VARCHAR), CAST(a AS DOUBLE[]), CAST(b AS DOUBLE[]) FROM (" + sql
        + "\n) AS answer";
}

/// Fills {once} and {all once}: whether each run has each of its metrics once. A set of all pairs of run and metric
/// takes five times as long as a bit for each metric of a run. Nothing where there are more metrics than bits.
Result<SqlWords> wordsOfOnce(DuckDb &database)
{
    std::string metrics;
    std::size_t count = 0;
    JETSCOPE_TRY(database.query("SELECT DISTINCT metric FROM chosen", [&](std::string_view metric) {
        metrics += (metrics.empty() ? "" : ", ") + sqlText(metric);
        ++count;
        return Status();
    }));
    if (count == 0 || count > 64)
        return SqlWords();
    JETSCOPE_TRY(database.run("CREATE TYPE metric AS ENUM (" + metrics + ")"));
    return SqlWords{{"{once}", ", count(*) = bit_count(bit_or(1::UBIGINT << enum_code(metric::metric))) AS once"},
                    {"{all once}", ", bool_and(once) AS once"}};
}

/// The table of the rows of both builds, each once, and the line of its runs. A run that is there twice is rare, and
/// finding that none is takes less time than taking each row out of the others.
/// Lines are packed text, which takes longer to read again than all else. Parquet is read by each statement: of its
/// columns only those that the statement names, in less time and memory than a table of them takes.
Result<std::string> choose(DuckDb &database, const FleetBoards &boards, const std::string &table)
{
    const std::string kind = table.find("read_json") != std::string::npos ? "TABLE" : "VIEW";
    JETSCOPE_TRY(database.run("CREATE TEMP " + kind + " chosen AS " + statementOf("chosen", boards)));
    JETSCOPE_TRY_ASSIGN(const SqlWords once, wordsOfOnce(database));
    std::string runs;
    const auto takeRuns = [&](std::string_view line) {
        runs = line;
        return Status();
    };
    JETSCOPE_TRY(database.query(asJson(statementOf("runs", boards, once)), takeRuns));
    if (runs.find("\"once\":true") == std::string::npos) {
        JETSCOPE_TRY(database.run("CREATE OR REPLACE TEMP " + kind + " chosen AS "
                                  + statementOf("chosen", boards, {{"{distinct}", "DISTINCT"}})));
        JETSCOPE_TRY(database.query(asJson(statementOf("runs", boards)), takeRuns));
    }
    return runs;
}

Status refuseWrongRows(std::string_view count)
{
    return count == "{\"wrong\":0}"
        ? Status()
        : Status(sentence("rows lack a field, or have one of another type ("
                          + std::string(count.substr(count.find(':') + 1, count.size() - count.find(':') - 2))
                          + " of them): --engine built-in names the first"));
}

using TakeJson = std::function<Status(std::string_view json)>;

/// Makes the table `chosen`, of rows that are whole. The line of its runs.
Result<std::string> chooseRows(DuckDb &database, const FleetFolder &folder, const FleetBoards &boards)
{
    JETSCOPE_TRY_ASSIGN(const std::string table, fleetTable(folder));
    Status read = database.run("CREATE TEMP VIEW runs AS " + table);
    if (read.ok())
        read = database.query(asJson(statementOf("wrong", boards)), refuseWrongRows);
    if (!read.ok() && read.error().text.starts_with("DuckDB") && table.find("read_parquet") != std::string::npos)
        return sentence(read.error().text + " If the Parquet is damaged, or of another version, remove " + folder.path()
                        + "/parquet: \"jetscope fleet compact\" makes it again");
    JETSCOPE_TRY(read);
    return choose(database, boards, table);
}

/// All statements; `readBoards` runs the one of the boards, whose values may come as text or as lists.
Status reduceRows(DuckDb &database, const FleetFolder &folder, const FleetBoards &boards, const TakeJson &take,
                  const std::function<Status(const std::string &sql)> &readBoards)
{
    JETSCOPE_TRY_ASSIGN(const std::string runs, chooseRows(database, folder, boards));
    JETSCOPE_TRY(take(runs));
    JETSCOPE_TRY(readBoards(statementOf("boards", boards)));
    for (const char *name : kLaterStatements)
        JETSCOPE_TRY(database.query(asJson(statementOf(name, boards)), take));
    return {};
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
    return database.query(asJson(sql), take);
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

std::vector<FleetStatement> fleetStatements(const FleetBoards &boards)
{
    std::vector<FleetStatement> statements{{"wrong", statementOf("wrong", boards)},
                                           {"chosen", statementOf("chosen", boards, {{"{distinct}", "DISTINCT"}})},
                                           {"runs", statementOf("runs", boards)},
                                           {"boards", statementOf("boards", boards)}};
    for (const char *name : kLaterStatements)
        statements.push_back({name, statementOf(name, boards)});
    return statements;
}

Status reduceFleet(DuckDb &database, const FleetFolder &folder, const FleetBoards &boards,
                   const std::function<Status(std::string_view json)> &take)
{
    return reduceRows(database, folder, boards, take,
                      [&](const std::string &sql) { return database.query(asJson(sql), take); });
}

Status reduceFleet(DuckDb &database, const FleetFolder &folder, FleetBoards &boards)
{
    ReducedReader reader(boards);
    const auto takeBoard = [&](const DuckRow &row) { return reader.take(row.text, row.lists[0], row.lists[1]); };
    return reduceRows(
        database, folder, boards, [&](std::string_view json) { return reader.take(json); },
        [&](const std::string &sql) { return database.queryLists(boardsWithLists(sql), takeBoard); });
}

} // namespace jetscope
