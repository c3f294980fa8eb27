// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/probeoutput.h"

#include "app/commandline/jsonvalues.h"
#include "core/measure/probe/probefindings.h"
#include "core/measure/probe/probejson.h"

namespace jetscope {

namespace {

JsonObject estimateJson(const Estimate &us)
{
    return {{"us", us.value}, {"at_least", us.atLeast}, {"at_most", us.atMost}};
}

JsonObject choiceJson(const PredictedChoice &choice)
{
    JsonObject json = estimateJson(choice.us);
    json["memory"] = nameOf(choice.memory);
    json["ties"] = choice.ties;
    JsonArray parts;
    for (const PredictedPart &part : choice.parts) {
        JsonObject object = estimateJson(part.us);
        object["what"] = part.what;
        parts.push_back(object);
    }
    json["parts"] = parts;
    json["reasons"] = choice.reasons;
    return json;
}

JsonObject adviceJson(const BoardAdvice &advice, const FrameUse &use)
{
    JsonArray ranked;
    for (const PredictedChoice &choice : advice.ranked)
        ranked.push_back(choiceJson(choice));
    JsonArray left;
    for (const UnpredictedChoice &choice : advice.left)
        left.push_back(JsonObject{{"memory", nameOf(choice.memory)}, {"reason", choice.reason}});
    return {{"label", jsonTextOrNull(advice.label)},
            {"refusal", jsonTextOrNull(advice.refusal)},
            {"width", use.width},
            {"height", use.height},
            {"cpu_passes", use.cpuPasses},
            {"gpu_passes", use.gpuPasses},
            {"writer", nameOf(use.writer)},
            {"ranked", ranked},
            {"left_out", left}};
}

} // namespace

JsonObject probeOutputJson(const ProbeTable &table, const std::optional<ProbeSource> &source)
{
    auto json = JsonValue::parse(probeJson(table)).get<JsonObject>();
    JsonArray findings;
    for (const ProbeFinding &finding : probeFindings(table)) {
        findings.push_back(JsonObject{{"text", finding.text}, {"figures", finding.keys}});
    }
    json["findings"] = findings;
    JsonArray advices;
    for (const FrameUse &use : advisedUses(table, source))
        advices.push_back(adviceJson(adviseMemory(table.device, table, use), use));
    json["advice"] = advices;
    if (source)
        json["source"] = JsonObject{{"source", source->uri},
                                    {"description", source->description},
                                    {"writer", nameOf(source->writer)},
                                    {"why", source->why},
                                    {"frame_bytes", source->bytes}};
    return json;
}

} // namespace jetscope
