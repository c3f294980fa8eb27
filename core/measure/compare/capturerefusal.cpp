// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturecomparison.h"

#include "core/measure/sweep/sweepsummary.h"

#include <algorithm>

namespace jetscope {

namespace {

/// One fact that must be the same in all captures. Captures that do not have it are not compared with the others.
struct Fact {
    const char *what;
    std::string (*of)(const CaptureFigures &capture);
    const char *remedy;
};

template <class Text>
std::string ofConfig(const CaptureFigures &capture, Text text)
{
    return capture.origin.config ? text(*capture.origin.config) : std::string();
}

/// Its placement is a choice to compare; its work is not.
std::string cpuStageOf(const PipelineConfig &config)
{
    return std::string(config.cpuStage == CpuStagePlacement::Off ? nameOf(config.cpuStage) : nameOf(config.cpuWork));
}

constexpr Fact kFacts[] = {
    {"the device differs", [](const CaptureFigures &capture) { return capture.origin.device; },
     "record both on the same device"},
    {"the source differs", [](const CaptureFigures &capture) { return capture.origin.source; },
     "record both with the same --source"},
    {"the frame size differs", [](const CaptureFigures &capture) { return capture.frameSize; },
     "record both with frames of one size"},
    {"the filters differ",
     [](const CaptureFigures &capture) {
         return ofConfig(capture, [](const PipelineConfig &config) { return filterNames(config.filters); });
     },
     "record both with the same --filters"},
    {"the CPU stage differs", [](const CaptureFigures &capture) { return ofConfig(capture, cpuStageOf); },
     "record both with the same --cpu-work, or both without a CPU stage"},
    {"the version differs", [](const CaptureFigures &capture) { return capture.origin.program; },
     "record both with the same version of the program"},
};

constexpr const char *kRemedyWhileRunning = "go back to that of A, or pin A anew";

std::string describe(const Fact &fact, const CaptureFigures &a, const CaptureFigures &b, ComparedSides sides)
{
    const std::string what = std::string(fact.what) + " (" + fact.of(a);
    return sides == ComparedSides::Running
        ? what + " in A, " + fact.of(b) + " now): " + kRemedyWhileRunning
        : what + " in " + a.file + ", " + fact.of(b) + " in " + b.file + "): " + fact.remedy;
}

std::string factThatDiffers(const std::vector<const CaptureFigures *> &all, ComparedSides sides)
{
    for (const Fact &fact : kFacts) {
        const CaptureFigures *known = nullptr;
        for (const CaptureFigures *capture : all) {
            const std::string value = fact.of(*capture);
            if (value.empty())
                continue;
            if (!known)
                known = capture;
            if (fact.of(*known) != value)
                return describe(fact, *known, *capture, sides);
        }
    }
    return {};
}

std::string settingsWithin(CaptureSide side)
{
    for (const CaptureFigures &capture : side) {
        if (!capture.change.empty())
            return "the settings changed while " + capture.file + " was recorded (" + capture.change
                + "): record each choice into a capture of its own";
        if (!capture.origin.config || !side.front().origin.config)
            continue;
        const std::string change = describeChange(*side.front().origin.config, *capture.origin.config);
        if (!change.empty())
            return "captures of one side have different settings (" + change + " in " + capture.file
                + "): give only captures of one choice for each side";
    }
    return {};
}

} // namespace

std::string captureRefusal(CaptureSide a, CaptureSide b, ComparedSides sides)
{
    std::vector<const CaptureFigures *> all;
    for (const CaptureSide side : {a, b})
        for (const CaptureFigures &capture : side)
            all.push_back(&capture);
    if (std::string differs = factThatDiffers(all, sides); !differs.empty())
        return differs;
    for (const CaptureSide side : {a, b})
        if (std::string differs = settingsWithin(side); !differs.empty())
            return differs;
    std::vector<std::vector<StretchCounter>> machine;
    for (const CaptureFigures *capture : all)
        machine.push_back(capture->machine);
    return machineChange(machine, sides == ComparedSides::Running ? "between A and now" : "between the captures");
}

} // namespace jetscope
