// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/run/runplan.h"

#include "core/settings/settingtable.h"
#include "gpu/hazards/scenes.h"
#include "gpu/sources/severaladdress.h"

#include <algorithm>

namespace jetscope {

namespace {

PipelineConfig firstConfig(const Options &options, const DeviceFacts &facts)
{
    PipelineConfig config = options.settings.over(nearestLegal(PipelineConfig{}, facts));
    if (!options.settings.has("sync"))
        config.sync = bestSyncMode(config.output, facts);
    return options.scene ? options.scene->choose(config) : config;
}

std::vector<Segment> segmentsOf(const Options &options, const DeviceFacts &facts)
{
    std::vector<Segment> segments = {{0, firstConfig(options, facts)}};
    if (const std::optional<SeveralAddress> several = severalIn(options.source.value_or("")))
        segments.front().camera = several->drives;
    for (const SettingsAt &at : options.at) {
        const PipelineConfig config = at.settings.over(segments.back().config);
        if (segments.back().firstFrame == at.frame)
            segments.back().config = config;
        else
            segments.push_back({at.frame, config, segments.back().camera});
        if (at.camera)
            segments.back().camera = at.camera;
    }
    return segments;
}

/// One choice of a configuration in the user's words, for example "sync none", with its availability.
struct JudgedChoice {
    std::string name;
    Availability found;
};

std::vector<JudgedChoice> judge(const PipelineConfig &config, const DeviceFacts &facts, const Capability &cpuStage)
{
    std::vector<JudgedChoice> all;
    for (const SettingRow &row : settingTable()) {
        if (row.kind != SettingRow::Kind::Names)
            all.push_back({std::string(row.key) + " " + row.text(config), row.availability(config, facts)});
        if (row.key == "cpu-stage" && config.cpuStage != CpuStagePlacement::Off && !cpuStage.available)
            all.back().found = {Availability::Level::Unavailable, cpuStage.reason};
    }
    for (const Filter filter : config.filters)
        all.push_back({"filter " + std::string(nameOf(filter)), availability(filter, config, facts)});
    return all;
}

/// Choices that are unsafe only in combination share one entry: "memory unified with cpu-stage same-input".
std::vector<JudgedChoice> unsafeOnes(const std::vector<JudgedChoice> &choices)
{
    std::vector<JudgedChoice> unsafe;
    for (const JudgedChoice &choice : choices) {
        if (choice.found.legal())
            continue;
        const auto together = std::find_if(unsafe.begin(), unsafe.end(), [&](const JudgedChoice &other) {
            return other.found.reason == choice.found.reason;
        });
        if (together == unsafe.end())
            unsafe.push_back(choice);
        else
            together->name += " with " + choice.name;
    }
    return unsafe;
}

} // namespace

Status checkCameras(const Options &options)
{
    const std::optional<SeveralAddress> several = severalIn(options.source.value_or(""));
    for (const SettingsAt &at : options.at) {
        if (at.camera && !several)
            return sentence("camera=" + std::to_string(*at.camera + 1)
                            + " chooses one of several sources: give them with --source \"several:A | B\"");
        if (at.camera && *at.camera >= several->sources.size())
            return sentence("camera=" + std::to_string(*at.camera + 1) + " is none of the "
                            + std::to_string(several->sources.size()) + " sources");
    }
    return {};
}

Result<RunPlan> planRun(const Options &options, const DeviceFacts &facts, const Capability &cpuStage)
{
    RunPlan plan{segmentsOf(options, facts), {}};
    for (const Segment &segment : plan.segments) {
        const std::string place =
            segment.firstFrame == 0 ? "" : "from frame " + std::to_string(segment.firstFrame) + " on, ";
        const std::vector<JudgedChoice> choices = judge(segment.config, facts, cpuStage);
        for (const JudgedChoice &choice : choices)
            if (choice.found.unavailable())
                return sentence(place + choice.name + " is unavailable on " + facts.id + ": " + choice.found.reason);
        for (const JudgedChoice &unsafe : unsafeOnes(choices))
            plan.warnings.push_back(place + unsafe.name + " is unsafe: " + unsafe.found.reason);
    }
    return plan;
}

void takeExternalBuffers(RunPlan &plan, const Options &options, const DeviceFacts &facts)
{
    if (options.settings.has("memory"))
        return;
    for (std::size_t i = 0; i < plan.segments.size(); ++i) {
        PipelineConfig &config = plan.segments[i].config;
        const bool named = std::any_of(options.at.begin(), options.at.end(), [&](const SettingsAt &at) {
            return at.frame <= plan.segments[i].firstFrame && at.settings.has("memory");
        });
        if (!named && availability(MemoryKind::NvBuf, config, facts).legal())
            config.memory = MemoryKind::NvBuf;
    }
}

} // namespace jetscope
