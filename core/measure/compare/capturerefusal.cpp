// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturecomparison.h"

#include "core/measure/sweep/sweepsummary.h"
#include "core/settings/settingtable.h"

#include <functional>

namespace jetscope {

namespace {

/// One fact that must be the same in all captures. Captures that do not have it are not compared with the others.
struct Fact {
    std::string_view what;
    std::function<std::string(const CaptureFigures &capture)> of;
    std::string_view remedy; ///< Behind "record both ".
};

/// What was worked on, what the settings make of it, and by what.
std::vector<Fact> makeFacts()
{
    std::vector<Fact> facts{
        {"the device differs", [](const CaptureFigures &capture) { return capture.origin.device; },
         "on the same device"},
        {"the source differs", [](const CaptureFigures &capture) { return capture.origin.source; },
         "with the same --source"},
        {"the frame size differs", [](const CaptureFigures &capture) { return capture.frameSize; },
         "with frames of one size"},
    };
    for (const SettingRow &row : settingTable())
        if (row.isWork())
            facts.push_back({row.work.differs,
                             [&row](const CaptureFigures &capture) {
                                 return capture.origin.config ? row.work.of(*capture.origin.config) : std::string();
                             },
                             row.work.remedy});
    facts.push_back({"the version differs", [](const CaptureFigures &capture) { return capture.origin.program; },
                     "with the same version of the program"});
    return facts;
}

std::string describe(const Fact &fact, const CaptureFigures &a, const CaptureFigures &b, ComparedSides sides,
                     const std::string &nameA)
{
    const std::string what = std::string(fact.what) + " (" + fact.of(a);
    return sides == ComparedSides::Running
        ? what + " in " + nameA + ", " + fact.of(b) + " now): go back to that of " + nameA + ", or pin " + nameA
            + " anew"
        : what + " in " + a.file + ", " + fact.of(b) + " in " + b.file + "): record both " + std::string(fact.remedy);
}

std::string factThatDiffers(const std::vector<const CaptureFigures *> &all, ComparedSides sides,
                            const std::string &nameA)
{
    static const std::vector<Fact> kFacts = makeFacts();
    for (const Fact &fact : kFacts) {
        const CaptureFigures *known = nullptr;
        for (const CaptureFigures *capture : all) {
            const std::string value = fact.of(*capture);
            if (value.empty())
                continue;
            if (!known)
                known = capture;
            if (fact.of(*known) != value)
                return describe(fact, *known, *capture, sides, nameA);
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

std::string captureRefusal(CaptureSide a, CaptureSide b, ComparedSides sides, std::string_view nameA)
{
    std::vector<const CaptureFigures *> all;
    for (const CaptureSide side : {a, b})
        for (const CaptureFigures &capture : side)
            all.push_back(&capture);
    if (std::string differs = factThatDiffers(all, sides, std::string(nameA)); !differs.empty())
        return differs;
    for (const CaptureSide side : {a, b})
        if (std::string differs = settingsWithin(side); !differs.empty())
            return differs;
    std::vector<std::vector<StretchCounter>> machine;
    for (const CaptureFigures *capture : all)
        machine.push_back(capture->machine);
    return machineChange(machine,
                         sides == ComparedSides::Running ? "between " + std::string(nameA) + " and now"
                                                         : "between the captures");
}

} // namespace jetscope
