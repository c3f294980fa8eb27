// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/capturecomparison.h"

#include "core/board/boardlayout.h"
#include "core/measure/sweep/sweepsummary.h"
#include "core/settings/settingtable.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace jetscope {

namespace {

/// One fact that must be the same in all captures. Captures that do not have it are not compared with the others.
struct Fact {
    std::string_view what;
    std::function<std::string(const CaptureFigures &capture)> of;
    std::string_view remedy; ///< Behind "record both ".
};

/// What was worked on, and what the settings make of it.
std::vector<Fact> factsOfWork()
{
    std::vector<Fact> facts{
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
    return facts;
}

/// By what it was done.
std::vector<Fact> factsOfMachine()
{
    return {{"the device differs", [](const CaptureFigures &capture) { return capture.origin.device; },
             "on the same device"},
            {"the version differs", [](const CaptureFigures &capture) { return capture.origin.program; },
             "with the same version of the program"}};
}

/// Two captures that differ in a fact.
struct Differing {
    const Fact *fact;
    const CaptureFigures *a;
    const CaptureFigures *b;
};

std::vector<Differing> differing(const std::vector<Fact> &facts, CaptureSide sideA, CaptureSide sideB)
{
    std::vector<Differing> all;
    for (const Fact &fact : facts) {
        const CaptureFigures *known = nullptr;
        for (const CaptureSide side : {sideA, sideB})
            for (const CaptureFigures &capture : side) {
                const std::string value = fact.of(capture);
                if (value.empty())
                    continue;
                if (!known)
                    known = &capture;
                if (fact.of(*known) != value && (all.empty() || all.back().fact != &fact))
                    all.push_back({&fact, known, &capture});
            }
    }
    return all;
}

/// "the source differs (… in a.jscope, … in b.jscope) and the filters differ (…): record both with …"
CaptureDifference describe(const std::vector<Differing> &all, ComparedSides sides, std::string_view nameA)
{
    if (all.empty())
        return {};
    const bool running = sides == ComparedSides::Running;
    const std::string name(nameA);
    std::vector<std::string> what;
    std::vector<std::string> remedies;
    for (const auto &[fact, a, b] : all) {
        what.push_back(std::string(fact->what) + " (" + fact->of(*a) + " in " + (running ? name : a->file) + ", "
                       + fact->of(*b) + (running ? " now)" : " in " + b->file + ")"));
        remedies.emplace_back(fact->remedy);
    }
    const std::string remedy = running
        ? "go back to " + std::string(all.size() == 1 ? "that" : "those") + " of " + name + ", or pin " + name + " anew"
        : "record both " + joined(remedies, " and ");
    return {joined(what, " and "), remedy};
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

/// Of an inspected program, which is outside, too, it says nothing.
std::optional<double> loadOutside(const CaptureFigures &capture)
{
    for (const StretchCounter &counter : capture.machine)
        if (counter.name == kOutsideLoadCounter && capture.origin.config)
            return counter.mean;
    return std::nullopt;
}

/// Programs beside a pipeline make it slower, and no noise within a capture shows it: they were there all the time.
std::string unlikeLoads(CaptureSide a, CaptureSide b, ComparedSides sides, std::string_view nameA)
{
    constexpr double kMostApart = 20; // Percent of all processors.
    struct Load {
        double percent = 0;
        std::string where;
    };
    std::vector<Load> loads;
    const auto add = [&](CaptureSide side, const std::string &running) {
        for (const CaptureFigures &capture : side)
            if (const std::optional<double> percent = loadOutside(capture))
                loads.push_back({*percent, sides == ComparedSides::Running ? running : "in " + capture.file});
    };
    add(a, "in " + std::string(nameA));
    add(b, "now");
    const auto [least, most] = std::minmax_element(
        loads.begin(), loads.end(), [](const Load &one, const Load &other) { return one.percent < other.percent; });
    if (loads.empty() || most->percent - least->percent <= kMostApart)
        return {};
    const auto words = [](const Load &load) { return fixedText(load.percent, 0) + " % " + load.where; };
    return "other programs took unlike shares of the processors (" + words(*least) + ", " + words(*most)
        + "): end them, or measure both beside the same programs";
}

/// How much runs differ from each other is not known of so few. Of one a side it is left out, which is said.
std::string tooFewRuns(CaptureSide a, CaptureSide b, ComparedSides sides)
{
    constexpr std::size_t kFewestRuns = 5; // With fewer, a difference of ten times would be within the noise.
    const std::size_t runs = a.size() + b.size();
    if (sides == ComparedSides::Running || runs == 2 || runs >= kFewestRuns)
        return {};
    return "of " + std::to_string(a.size()) + " and " + std::to_string(b.size())
        + " captures it is not known how much runs differ from each other: record at least 3 a side, or compare one "
          "with one";
}

} // namespace

CaptureDifference otherWork(CaptureSide a, CaptureSide b, ComparedSides sides, std::string_view nameA)
{
    static const std::vector<Fact> kFacts = factsOfWork();
    return describe(differing(kFacts, a, b), sides, nameA);
}

std::string captureRefusal(CaptureSide a, CaptureSide b, ComparedSides sides, std::string_view nameA)
{
    static const std::vector<Fact> kFacts = factsOfMachine();
    if (const CaptureDifference differs = describe(differing(kFacts, a, b), sides, nameA); !differs.what.empty())
        return differs.sentence();
    for (const CaptureSide side : {a, b})
        if (std::string differs = settingsWithin(side); !differs.empty())
            return differs;
    if (std::string load = unlikeLoads(a, b, sides, nameA); !load.empty())
        return load;
    if (std::string few = tooFewRuns(a, b, sides); !few.empty())
        return few;
    std::vector<std::vector<StretchCounter>> machine;
    for (const CaptureSide side : {a, b})
        for (const CaptureFigures &capture : side)
            machine.push_back(capture.machine);
    return machineChange(machine,
                         sides == ComparedSides::Running ? "between " + std::string(nameA) + " and now"
                                                         : "between the captures");
}

} // namespace jetscope
