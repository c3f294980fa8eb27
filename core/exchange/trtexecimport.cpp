// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/importers.h"

#include "core/exchange/bytesource.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/frameperiods.h"
#include "core/trace/timelimits.h"
#include "core/trace/watchedsort.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxTimesBytes = std::size_t{256} << 20;
constexpr std::size_t kInferencesBetweenLooks = 1 << 14;

/// What an inference consists of.
struct InferencePart {
    const char *begin; ///< Keys of the file.
    const char *end;
    const char *name;
    const char *lane;
    LaneRole role;
    Category category;
};

constexpr InferencePart kInferenceParts[] = {
    {"startEnqMs", "endEnqMs", "enqueue", "enqueue", LaneRole::Pipeline, Category::Submit},
    {"startH2dMs", "endH2dMs", "copy to the device", "copies to the device", LaneRole::DeviceStream, Category::Copy},
    {"startComputeMs", "endComputeMs", "inference", "compute", LaneRole::DeviceStream, Category::Kernel},
    {"startD2hMs", "endD2hMs", "copy to the host", "copies to the host", LaneRole::DeviceStream, Category::Copy},
};
using Inference = std::array<Interval, std::size(kInferenceParts)>;

std::optional<std::int64_t> timeAt(const simdjson::dom::object &object, const char *key)
{
    constexpr double kNsPerMs = 1e6;
    double ms = 0;
    if (object[key].get(ms) || !(std::abs(ms) < static_cast<double>(kMaxTraceNs) / kNsPerMs))
        return std::nullopt;
    return std::llround(ms * kNsPerMs);
}

/// Empty if a time is missing or an end comes before its begin.
std::optional<Inference> inferenceOf(const simdjson::dom::element &element)
{
    simdjson::dom::object object;
    Inference inference;
    if (element.get(object))
        return std::nullopt;
    for (std::size_t i = 0; i < inference.size(); ++i) {
        const auto begin = timeAt(object, kInferenceParts[i].begin);
        const auto end = timeAt(object, kInferenceParts[i].end);
        if (!begin || !end || !isTracePiece(*begin, *end - *begin))
            return std::nullopt;
        inference[i] = {*begin, *end};
    }
    return inference;
}

std::int64_t inferenceStart(const Inference &inference)
{
    return std::min_element(inference.begin(), inference.end(),
                            [](const Interval &a, const Interval &b) { return a.startNs < b.startNs; })
        ->startNs;
}

std::int64_t inferenceEnd(const Inference &inference)
{
    return std::max_element(inference.begin(), inference.end(),
                            [](const Interval &a, const Interval &b) { return a.endNs < b.endNs; })
        ->endNs;
}

Result<std::string> wholeText(const std::string &path)
{
    JETSCOPE_TRY_ASSIGN(ByteSource source, ByteSource::open(path));
    std::string text;
    constexpr std::size_t kAtOnce = 1 << 20;
    while (true) {
        const std::size_t before = text.size();
        text.resize(before + kAtOnce);
        JETSCOPE_TRY_ASSIGN(const std::size_t got, source.read(std::span(text).subspan(before)));
        text.resize(before + got);
        if (got < kAtOnce)
            return text;
        if (text.size() > kMaxTimesBytes)
            return sentence(path + " has more than 256 MB of times: record fewer inferences, with --iterations");
    }
}

/// Adds the spans of all inferences and returns their frames, which last until the next one begins.
std::vector<FramePeriod> addInferences(const std::vector<Inference> &inferences, ForeignLanes &lanes, TraceNames &names)
{
    std::vector<FramePeriod> periods;
    for (const InferencePart &part : kInferenceParts)
        (void)lanes.addLane(part.role, part.lane, "trtexec");
    for (std::size_t i = 0; i < inferences.size(); ++i) {
        const auto frame = static_cast<std::uint32_t>(i);
        for (std::size_t k = 0; k < std::size(kInferenceParts); ++k) {
            const Interval &time = inferences[i][k];
            lanes.add(static_cast<LaneId>(k),
                      {time.startNs, time.endNs - time.startNs, 0, frame,
                       names.intern(kInferenceParts[k].name, kInferenceParts[k].category)});
        }
        const std::int64_t end =
            i + 1 < inferences.size() ? inferenceStart(inferences[i + 1]) : inferenceEnd(inferences[i]);
        periods.push_back({frame, {inferenceStart(inferences[i]), end}});
    }
    return periods;
}

} // namespace

bool looksLikeTrtexecTimes(std::string_view beginning)
{
    return beginning.find("\"startComputeMs\"") != std::string_view::npos
        && beginning.find("\"endComputeMs\"") != std::string_view::npos
        && beginning.find("\"ph\"") == std::string_view::npos;
}

Result<OpenedTrace> importTrtexecTimes(const std::string &path, Progress &progress, std::uint64_t mostSpans)
{
    JETSCOPE_TRY_ASSIGN(const std::string text, wholeText(path));
    simdjson::dom::parser parser;
    simdjson::dom::array elements;
    if (parser.parse(text).get(elements))
        return sentence(path + " is no valid JSON: it is what trtexec writes with --exportTimes; write it again");
    ImportAccount account;
    const ImportAccount::RowId shown = account.rowShown("inferences", "frames");
    const ImportAccount::RowId wrong =
        account.rowLeftOut("inferences", "their times are no numbers or end before they begin");
    account.setRead(elements.size());
    std::vector<Inference> inferences;
    for (const simdjson::dom::element &element : elements) {
        const auto inference = inferenceOf(element);
        account.count(inference ? shown : wrong);
        if (inference)
            inferences.push_back(*inference);
        if (inferences.size() % kInferencesBetweenLooks == 0 && !progress.advance(0.5))
            return cancelledError();
    }
    if (inferences.empty())
        return sentence(path + " has no inference whose times can be read: write it again with trtexec --exportTimes");
    const auto byStart = [](const Inference &a, const Inference &b) { return inferenceStart(a) < inferenceStart(b); };
    Trace trace(std::numeric_limits<std::uint64_t>::max());
    ForeignLanes lanes;
    SpanPoints noPoints;
    if (!watchedStableSort(inferences, byStart, progress, 0.5))
        return cancelledError();
    const std::vector<FramePeriod> periods = addInferences(inferences, lanes, trace.names());
    TraceOrigin origin;
    origin.program = "trtexec";
    origin.file = path;
    trace.setOrigin(std::move(origin));
    if (!lanes.moveTo(trace, noPoints, progress, 0.5, 0.8) || !addFrames(trace, periods, progress, 0.8, 1))
        return cancelledError();
    trace.setMostSpans(mostSpans);
    return OpenedTrace{
        std::move(trace), {"each inference of trtexec is a frame, until the next one begins"}, {}, std::move(account)};
}

} // namespace jetscope
