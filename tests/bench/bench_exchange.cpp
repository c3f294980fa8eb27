// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "tests/bench/quantile.h"

#include <simdjson.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace jetscope;

namespace {

using Clock = std::chrono::steady_clock;
namespace json = simdjson::ondemand;

constexpr int kLanes = 20;
constexpr std::uint64_t kSpansPerFrame = 12;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class T>
T check(Result<T> result)
{
    if (!result.ok()) {
        std::fprintf(stderr, "%s\n", result.error().text.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

void check(const Status &status)
{
    if (!status.ok()) {
        std::fprintf(stderr, "%s\n", status.error().text.c_str());
        std::exit(1);
    }
}

/// The trace of a pipeline at 60 Hz with twenty lanes.
Trace traceOf(std::uint64_t spans)
{
    Trace trace(spans);
    std::vector<LaneInfo> lanes;
    for (int i = 0; i < kLanes; ++i)
        lanes.push_back({static_cast<LaneId>(i),
                         i % 2 ? LaneRole::DeviceStream : LaneRole::Pipeline,
                         "lane " + std::to_string(i),
                         {}});
    trace.setLanes(lanes);
    std::vector<TraceName> names;
    for (int i = 0; i < 30; ++i)
        names.push_back(trace.names().intern("work of kind " + std::to_string(i), static_cast<Category>(i % 13)));
    constexpr std::int64_t kBegin = 123'456'789'012'345;
    constexpr std::int64_t kPeriod = 16'666'667;
    for (std::uint64_t i = 0; i < spans; ++i) {
        const std::uint64_t frame = i / kSpansPerFrame;
        const auto at = kBegin + static_cast<std::int64_t>(frame) * kPeriod
            + static_cast<std::int64_t>(i % kSpansPerFrame) * 1'000'003;
        trace.add(static_cast<LaneId>(i % kLanes), 0,
                  {at, 700'000 + static_cast<std::int64_t>(i * 7919 % 200'000), i % 5 ? 0 : std::uint64_t{3'686'400},
                   static_cast<std::uint32_t>(frame), names[i * 31 % names.size()]});
        if (i % kSpansPerFrame == 0) {
            const FrameFigures figures{{1, 2, 3, 4, 7},
                                       static_cast<std::uint32_t>(frame),
                                       kBegin + static_cast<std::int64_t>(frame) * kPeriod,
                                       {kPeriod, 9'000'000, 8'000'000, 4'000'000, kPeriod - 13'000'000},
                                       5,
                                       6};
            trace.add(std::span(&figures, 1));
        }
    }
    return trace;
}

class Watch : public OpenProgress {
public:
    bool advance(double) override { return true; }
    void preview(Trace trace) override { firstPicture = trace.empty() ? 0 : secondsSince(m_begin); }
    double firstPicture = 0;

private:
    Clock::time_point m_begin = Clock::now();
};

/// Visits every value of a file, as in the parser's documentation.
std::uint64_t walk(json::value value)
{
    std::uint64_t seen = 1;
    switch (value.type().value_unsafe()) {
    case json::json_type::object:
        for (auto field : value.get_object()) {
            seen += field.unescaped_key().value_unsafe().size();
            seen += walk(field.value().value_unsafe());
        }
        break;
    case json::json_type::array:
        for (auto element : value.get_array())
            seen += walk(element.value_unsafe());
        break;
    case json::json_type::string:
        seen += value.get_string().value_unsafe().size();
        break;
    case json::json_type::number:
        seen += static_cast<std::uint64_t>(value.get_double().value_unsafe());
        break;
    default:
        break;
    }
    return seen;
}

double walkSeconds(const std::string &path, std::uint64_t &sum)
{
    const Clock::time_point begin = Clock::now();
    simdjson::padded_string text;
    if (simdjson::padded_string::load(path).get(text))
        std::exit(1);
    json::parser parser;
    json::document document;
    if (parser.iterate(text).get(document))
        std::exit(1);
    sum += walk(document.get_value().value_unsafe());
    return secondsSince(begin);
}

double domSeconds(const std::string &path, std::uint64_t &sum)
{
    const Clock::time_point begin = Clock::now();
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    if (parser.load(path).get(root))
        std::exit(1);
    sum += root.is_object() ? 1 : 0;
    return secondsSince(begin);
}

double openSeconds(const std::string &path, std::uint64_t &spans, double &firstPicture)
{
    Watch watch;
    const Clock::time_point begin = Clock::now();
    const OpenedTrace opened = check(openTrace(path, watch));
    const double seconds = secondsSince(begin);
    spans = opened.trace.spanCount();
    firstPicture = watch.firstPicture;
    return seconds;
}

double selectSeconds(const std::string &path, const char *select, std::uint64_t &sum)
{
    const Clock::time_point begin = Clock::now();
    Database database = check(Database::open(path, Database::Access::ReadOnly));
    Statement row = check(database.prepare(select));
    const int columns = row.columns();
    while (row.next())
        for (int column = 0; column < columns; ++column)
            sum += static_cast<std::uint64_t>(row.integer(column));
    check(row.status());
    return secondsSince(begin);
}

double selectTextSeconds(const std::string &path, const char *select, std::uint64_t &sum)
{
    const Clock::time_point begin = Clock::now();
    Database database = check(Database::open(path, Database::Access::ReadOnly));
    Statement row = check(database.prepare(select));
    while (row.next()) {
        for (const int column : {0, 4, 5, 6})
            sum += static_cast<std::uint64_t>(row.integer(column));
        for (const int column : {1, 2, 3})
            sum += row.text(column).size();
    }
    check(row.status());
    return secondsSince(begin);
}

void benchImport(const std::string &folder, std::uint64_t spans, int rounds)
{
    const std::string path = folder + "/import.json";
    NoProgress nobody;
    check(exportChrome(traceOf(spans), path, std::nullopt, nobody));
    std::vector<double> walks;
    std::vector<double> doms;
    std::vector<double> imports;
    std::uint64_t sum = 0;
    std::uint64_t read = 0;
    double unused = 0;
    for (int i = 0; i < rounds; ++i) {
        walks.push_back(walkSeconds(path, sum));
        doms.push_back(domSeconds(path, sum));
        imports.push_back(openSeconds(path, read, unused));
    }
    std::printf("Chrome trace of %llu spans, %llu MB\n", static_cast<unsigned long long>(read),
                static_cast<unsigned long long>(std::filesystem::file_size(path) >> 20U));
    std::printf("  simdjson's on-demand walk  %7.3f s\n", median(walks));
    std::printf("  simdjson's DOM             %7.3f s\n", median(doms));
    std::printf("  import                     %7.3f s\n", median(imports));
    std::printf("  ratio to the walk          %7.2f   (goal 1.5 at most)\n", median(imports) / median(walks));
    std::printf("  ratio to the DOM           %7.2f\n", median(imports) / median(doms));
    std::filesystem::remove(path);
}

void benchOpen(const std::string &folder, std::uint64_t spans, int rounds)
{
    const std::string path = folder + "/open.jscope";
    NoProgress nobody;
    const Clock::time_point begin = Clock::now();
    {
        const Trace trace = traceOf(spans);
        check(saveTrace(trace, path, nobody));
    }
    std::printf("Capture of %llu spans, %llu MB, made and written in %.1f s\n", static_cast<unsigned long long>(spans),
                static_cast<unsigned long long>(std::filesystem::file_size(path) >> 20U), secondsSince(begin));
    std::vector<double> rows;
    std::vector<double> views;
    std::vector<double> opens;
    std::vector<double> firsts;
    std::uint64_t sum = 0;
    std::uint64_t read = 0;
    for (int i = 0; i < rounds; ++i) {
        rows.push_back(
            selectSeconds(path, "SELECT lane, depth, name, frame, start_ns, duration_ns, bytes FROM span_rows", sum));
        views.push_back(selectTextSeconds(
            path, "SELECT frame, lane, name, category, start_ns, duration_ns, bytes FROM spans", sum));
        double first = 0;
        opens.push_back(openSeconds(path, read, first));
        firsts.push_back(first);
    }
    std::printf("  SELECT of span_rows        %7.3f s\n", median(rows));
    std::printf("  SELECT of spans            %7.3f s\n", median(views));
    std::printf("  open, all                  %7.3f s\n", median(opens));
    std::printf("  open, first picture        %7.3f s (goal 1 at most)\n", median(firsts));
    std::printf("  ratio to span_rows         %7.2f   (goal 1.5 at most)\n", median(opens) / median(rows));
    std::printf("  ratio to spans             %7.2f\n", median(opens) / median(views));
    std::filesystem::remove(path);
}

} // namespace

/// bench_exchange [FOLDER [MILLIONS [ROUNDS]]]: times reading traces, compared with the minimum time of the libraries
/// below.
int main(int argc, char **argv)
{
    const std::string parent = argc > 1 ? argv[1] : std::filesystem::temp_directory_path().string();
    const auto millions = static_cast<std::uint64_t>(argc > 2 ? std::atoi(argv[2]) : 10);
    const int rounds = argc > 3 ? std::atoi(argv[3]) : 5;
    std::string folder = parent + "/bench_exchange-XXXXXX";
    if (!mkdtemp(folder.data()))
        return 1;
    benchImport(folder, 1'000'000, rounds);
    benchOpen(folder, millions * 1'000'000, rounds);
    std::filesystem::remove_all(folder);
    return 0;
}
