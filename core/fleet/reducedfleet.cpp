// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/reducedfleet.h"

#include "core/system/regularfile.h"
#include "core/text/jsontext.h"
#include "core/text/shorttext.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace jetscope {

namespace {

using ReducedElement = simdjson::dom::element;

constexpr std::size_t kMostParts = 10'000;

bool textIn(const ReducedElement &object, const char *name, std::string &to)
{
    std::string_view text;
    if (object[name].get(text) != simdjson::SUCCESS)
        return false;
    to.assign(text);
    return true;
}

bool numberIn(const ReducedElement &object, const char *name, std::size_t &to)
{
    std::uint64_t number = 0;
    if (object[name].get(number) != simdjson::SUCCESS)
        return false;
    to = number;
    return true;
}

/// A number, or a list of some. No field and a null are no values: no run of the build was there.
bool addValues(const ReducedElement &object, const char *name, std::vector<double> &to)
{
    ReducedElement values;
    if (object[name].get(values) != simdjson::SUCCESS)
        return true;
    double value = 0;
    simdjson::dom::array list;
    if (values.get(list) != simdjson::SUCCESS) {
        if (values.get(value) == simdjson::SUCCESS)
            to.push_back(value);
        return values.is_null() || values.is_number();
    }
    for (const ReducedElement element : list) {
        if (!element.is_null() && element.get(value) != simdjson::SUCCESS)
            return false;
        if (!element.is_null())
            to.push_back(value);
    }
    return true;
}

/// `of`: where the metric has what is named, its boards or its days. `a` and `b`: values that the line does not have.
bool addNamed(FleetBoards &boards, const ReducedElement &object, std::map<std::string, BuildValues> StratumMetric::*of,
              std::span<const double> a, std::span<const double> b)
{
    FleetRow row;
    std::string name;
    const bool isWhole = textIn(object, "soc", row.soc) && textIn(object, "jetpack", row.jetpack)
        && textIn(object, "power_mode", row.powerMode) && textIn(object, "config_hash", row.configHash)
        && textIn(object, "metric", row.metric) && textIn(object, "unit", row.unit)
        && textIn(object, "direction", row.direction) && textIn(object, "scale", row.scale)
        && object["least"].get(row.least) == simdjson::SUCCESS && textIn(object, "name", name);
    if (!isWhole)
        return false;
    BuildValues &values = (boards.metricOf(row).*of)[name];
    values.a.insert(values.a.end(), a.begin(), a.end());
    values.b.insert(values.b.end(), b.begin(), b.end());
    return addValues(object, "a", values.a) && addValues(object, "b", values.b);
}

bool addRuns(FleetBoards &boards, const ReducedElement &object)
{
    FleetRuns runs;
    if (!numberIn(object, "a", runs.a) || !numberIn(object, "b", runs.b) || !numberIn(object, "unknown", runs.unknown))
        return false;
    const FleetRuns &before = boards.runs();
    boards.setRuns({before.a + runs.a, before.b + runs.b, before.unknown + runs.unknown});
    return true;
}

bool addLeftOutRun(FleetBoards &boards, const ReducedElement &object)
{
    std::size_t state = 0;
    std::string run;
    if (!numberIn(object, "state", state) || !textIn(object, "run", run)
        || state <= static_cast<std::size_t>(RunState::CountsUnknown)
        || state > static_cast<std::size_t>(RunState::Unknown))
        return false;
    boards.addLeftOut(static_cast<RunState>(state), run);
    return true;
}

bool addCommitOf(FleetBoards &boards, const ReducedElement &object)
{
    std::string commit;
    if (!textIn(object, "commit", commit))
        return false;
    boards.addCommit(commit);
    return true;
}

/// What both ends must agree on.
std::string sidesText(const FleetBoards &boards)
{
    std::string text = boards.a().text() + " and " + boards.b().text();
    for (const std::string &metric : boards.metrics())
        text += ", " + metric;
    return text;
}

void appendValues(std::string &to, const char *name, const std::vector<double> &values)
{
    to.append(",\"").append(name).append("\":");
    char before = '[';
    for (const double value : values) {
        to += before;
        appendNumber(to, value);
        before = ',';
    }
    to += values.empty() ? "[]" : "]";
}

void appendField(std::string &to, const char *name, std::string_view text)
{
    to.append(",\"").append(name).append("\":");
    appendJsonText(to, text);
}

std::string namedLine(const char *kind, const Stratum &stratum, const std::string &metric, const FleetMetric &how,
                      const std::string &name, const BuildValues &values)
{
    std::string line = std::string("{\"kind\":\"") + kind + "\"";
    appendField(line, "soc", stratum.soc);
    appendField(line, "jetpack", stratum.jetpack);
    appendField(line, "power_mode", stratum.powerMode);
    appendField(line, "config_hash", stratum.configHash);
    appendField(line, "metric", metric);
    appendField(line, "unit", how.unit);
    appendField(line, "direction", how.higherIsBetter ? kHigherIsBetter : kLowerIsBetter);
    appendField(line, "scale", how.byDifference ? kByDifference : kByRatio);
    line += ",\"least\":";
    appendNumber(line, how.least);
    appendField(line, "name", name);
    appendValues(line, "a", values.a);
    appendValues(line, "b", values.b);
    return line + "}\n";
}

std::string partFields(const FleetPart &part)
{
    return ",\"part\":" + std::to_string(part.index) + ",\"of\":" + std::to_string(part.count);
}

Status writeStrata(const FleetBoards &boards, const std::function<Status(std::string_view line)> &take)
{
    for (const auto &[stratum, metrics] : boards.strata())
        for (const auto &[metric, of] : metrics) {
            for (const auto &[name, values] : of.boards)
                JETSCOPE_TRY(take(namedLine("board", stratum, metric, of.metric, name, values)));
            for (const auto &[name, values] : of.days)
                JETSCOPE_TRY(take(namedLine("day", stratum, metric, of.metric, name, values)));
        }
    return {};
}

} // namespace

std::string reducedBegin(const FleetBoards &boards, const FleetPart &part, std::size_t unfinished)
{
    std::string line = "{\"kind\":\"begin\",\"schema\":" + std::to_string(kFleetSchema);
    appendField(line, "sides", sidesText(boards));
    return line + partFields(part) + ",\"unfinished\":" + std::to_string(unfinished) + "}\n";
}

std::string reducedEnd(const FleetPart &part)
{
    return "{\"kind\":\"end\"" + partFields(part) + "}\n";
}

Status writeReduced(const FleetBoards &boards, const FleetPart &part, std::size_t unfinished,
                    const std::function<Status(std::string_view line)> &take)
{
    JETSCOPE_TRY(take(reducedBegin(boards, part, unfinished)));
    JETSCOPE_TRY(writeStrata(boards, take));
    const FleetRuns &runs = boards.runs();
    JETSCOPE_TRY(take("{\"kind\":\"runs\",\"a\":" + std::to_string(runs.a) + ",\"b\":" + std::to_string(runs.b)
                      + ",\"unknown\":" + std::to_string(runs.unknown) + "}\n"));
    for (const auto &[state, names] : boards.leftOut())
        for (const std::string &run : names) {
            std::string line = "{\"kind\":\"left out\",\"state\":" + std::to_string(static_cast<int>(state));
            appendField(line, "run", run);
            JETSCOPE_TRY(take(line + "}\n"));
        }
    for (const std::string &commit : boards.commits()) {
        std::string line = "{\"kind\":\"commit\"";
        appendField(line, "commit", commit);
        JETSCOPE_TRY(take(line + "}\n"));
    }
    return take(reducedEnd(part));
}

struct ReducedReader::Parts {
    simdjson::dom::parser parser;

    /// The part that a line of begin or end names; the count must be that of the others.
    static bool partIn(const ReducedElement &object, std::size_t &index, std::size_t &count)
    {
        std::size_t of = 0;
        if (!numberIn(object, "part", index) || !numberIn(object, "of", of) || of == 0 || of > kMostParts || index >= of
            || (count != 0 && count != of))
            return false;
        count = of;
        return true;
    }
};

ReducedReader::ReducedReader(FleetBoards &boards) : m_boards(boards), m_parts(std::make_unique<Parts>()) {}
ReducedReader::~ReducedReader() = default;

Status ReducedReader::take(std::string_view line, std::span<const double> a, std::span<const double> b)
{
    ReducedElement object;
    std::string kind;
    const bool isJson = m_parts->parser.parse(line.data(), line.size()).get(object) == simdjson::SUCCESS
        && textIn(object, "kind", kind);
    std::size_t part = 0;
    if (isJson && kind == "begin") {
        std::size_t schema = 0;
        std::size_t unfinished = 0;
        std::string sides;
        if (!numberIn(object, "schema", schema) || schema != kFleetSchema || !textIn(object, "sides", sides)
            || !numberIn(object, "unfinished", unfinished) || !Parts::partIn(object, part, m_count))
            return sentence("a part was reduced by another version of Jetscope");
        if (sides != sidesText(m_boards))
            return sentence("a part was reduced for " + quotedWords(sides) + ", and not for "
                            + quotedWords(sidesText(m_boards)));
        if (!m_begun.insert(part).second)
            return sentence("part " + std::to_string(part) + " is there twice");
        m_unfinished += unfinished;
        return {};
    }
    const bool isGood = isJson
        && (kind == "board"          ? addNamed(m_boards, object, &StratumMetric::boards, a, b)
                : kind == "day"      ? addNamed(m_boards, object, &StratumMetric::days, {}, {})
                : kind == "runs"     ? addRuns(m_boards, object)
                : kind == "left out" ? addLeftOutRun(m_boards, object)
                : kind == "commit"
                ? addCommitOf(m_boards, object)
                : kind == "end" && Parts::partIn(object, part, m_count) && m_ended.insert(part).second);
    return isGood ? Status() : Status(sentence("this is no line of a reduced fleet, but " + quotedWords(line)));
}

Status ReducedReader::finish() const
{
    if (m_begun.empty())
        return sentence("this is no reduced fleet: \"jetscope fleet reduce\" makes one");
    if (m_begun.size() < m_count || m_ended != m_begun)
        return sentence("of " + counted(m_count, "part") + " of the fleet "
                        + std::to_string(std::min(m_begun.size(), m_ended.size()))
                        + " came whole: reduce the others again");
    return {};
}

Result<std::size_t> readReduced(const std::string &path, FleetBoards &boards)
{
    FileStream file;
    if (path == "-") {
        file.reset(fdopen(dup(STDIN_FILENO), "r"));
        if (!file)
            return sentence("standard input cannot be read");
    } else {
        JETSCOPE_TRY_ASSIGN(file, openRegularFile(path));
    }
    ReducedReader reader(boards);
    char *line = nullptr;
    std::size_t room = 0;
    Status status;
    for (ssize_t size = 0; status.ok() && (size = getline(&line, &room, file.get())) > 0;)
        status = reader.take({line, static_cast<std::size_t>(size) - (line[size - 1] == '\n' ? 1 : 0)});
    std::free(line);
    if (status.ok() && std::ferror(file.get()) != 0)
        status = sentence(path + " cannot be read to its end");
    if (status.ok())
        status = reader.finish();
    if (!status.ok())
        return sentence((path == "-" ? "standard input" : path) + ": " + status.error().text);
    return reader.unfinished();
}

} // namespace jetscope
