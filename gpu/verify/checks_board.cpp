// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What files of the kernel say of a board, as `top` and captures read them.
#include "core/board/boardidentity.h"
#include "core/board/boardrails.h"
#include "core/board/boardwords.h"
#include "core/text/numbertext.h"
#include "core/text/shorttext.h"
#include "core/time/clock.h"
#include "gpu/board/machinesampler.h"
#include "gpu/verify/verifychecks.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

namespace jetscope {

namespace {

constexpr std::string_view kNoTegra = "no Tegra here: the device tree names no chip";
constexpr std::chrono::milliseconds kBetweenReadings{60};
constexpr double kLeastPower = 0.3;   ///< Watts that any board needs, …
constexpr double kMostPower = 200;    ///< … and more than any takes.
constexpr double kPartsAtMost = 1.15; ///< Of a whole: they are not read at the same time.

/// A kind of values that a board has.
struct ValueKind {
    std::string_view key;
    BoardPart part;
    BoardQuantity quantity;
    double least;
    double most;
};
constexpr ValueKind kValueKinds[] = {
    {kGpuLoadCounter, BoardPart::Gpu, BoardQuantity::Load, 0, 100},
    {"GPU clock", BoardPart::Gpu, BoardQuantity::Clock, 1e6, 5e9},
    {"CPU clock", BoardPart::Cpu, BoardQuantity::Clock, 1e6, 5e9},
    {kCpuLoadCounter, BoardPart::Cpu, BoardQuantity::Load, 0, 100},
    {"memory used", BoardPart::Memory, BoardQuantity::Bytes, 1e6, 1e12},
    {"power mode", BoardPart::Board, BoardQuantity::PowerMode, 0, 100},
    {"temperatures", BoardPart::Temperature, BoardQuantity::Temperature, 1, 125},
};

bool isOfKind(const BoardItem &item, const ValueKind &kind)
{
    if (item.part != kind.part || item.quantity != kind.quantity)
        return false;
    return kind.part == BoardPart::Temperature || item.name == kind.key;
}

/// Two readings, because loads need both.
const BoardState &readTwice(MachineSampler &sampler)
{
    sampler.sample(nowNs());
    std::this_thread::sleep_for(kBetweenReadings);
    return sampler.sample(nowNs());
}

VerifyFact valueFact(const BoardItem &item, const Reading<double> &value, const ValueKind &kind,
                     const PowerModes &modes)
{
    VerifyFact fact{item.name,
                    "between " + valueText(kind.least, item.unit) + " and " + valueText(kind.most, item.unit),
                    value.known() ? readingText(item, value, modes) : "unknown: " + value.reason, Agreement::No};
    if (value.known() && *value.value >= kind.least && *value.value <= kind.most)
        fact.agrees = Agreement::Yes;
    else if (!value.known() && kind.part == BoardPart::Temperature)
        fact.agrees = Agreement::Open; // The sensor of a part that is off.
    return fact;
}

} // namespace

Result<VerifyResult> checkIdentity(VerifyWorld &world, std::string_view)
{
    const BoardIdentity board = readBoardIdentity(world.root);
    if (!board.isJetson())
        return notPossible(std::string(kNoTegra));
    const auto fact = [](std::string what, const auto &reading, const std::string &text) {
        return VerifyFact{std::move(what), "it is known", reading.known() ? text : "unknown: " + reading.reason,
                          reading.known() ? Agreement::Yes : Agreement::No};
    };
    return judged({fact("model", board.model, board.model.value.value_or("")),
                   fact("module", board.module, board.module.value.value_or("")),
                   fact("release of L4T", board.l4t, board.l4t.known() ? board.l4t.value->text() : ""),
                   fact("release of JetPack", board.jetpack, board.jetpack.value.value_or(""))});
}

Result<VerifyResult> checkBoardValues(VerifyWorld &world, std::string_view key)
{
    const auto *const kind = std::find_if(std::begin(kValueKinds), std::end(kValueKinds),
                                          [key](const ValueKind &each) { return each.key == key; });
    if (kind == std::end(kValueKinds))
        return sentence("no board has such values");
    if (!readBoardIdentity(world.root).isJetson())
        return notPossible(std::string(kNoTegra));
    MachineSampler sampler(world.root);
    const BoardState &state = readTwice(sampler);
    std::vector<VerifyFact> facts;
    for (std::size_t i = 0; i < sampler.items().size(); ++i)
        if (isOfKind(sampler.items()[i], *kind))
            facts.push_back(valueFact(sampler.items()[i], state.values[i], *kind, sampler.layout().modes));
    const bool anyAgrees =
        std::any_of(facts.begin(), facts.end(), [](const VerifyFact &fact) { return fact.agrees != Agreement::Open; });
    if (!anyAgrees)
        return failed("the board has no " + std::string(key) + " where Jetscope looks for it");
    return judged(std::move(facts));
}

Result<VerifyResult> checkRails(VerifyWorld &world, std::string_view)
{
    if (!readBoardIdentity(world.root).isJetson())
        return notPossible(std::string(kNoTegra));
    MachineSampler sampler(world.root);
    const BoardState &state = readTwice(sampler);
    std::vector<std::string> names;
    std::vector<std::optional<double>> watts;
    for (std::size_t i = 0; i < sampler.items().size(); ++i) {
        const std::string &name = sampler.items()[i].name;
        if (sampler.items()[i].part != BoardPart::Power || !name.starts_with(kRailPrefix) || name == kSumOfRailsCounter)
            continue;
        names.push_back(name.substr(kRailPrefix.size()));
        watts.push_back(state.values[i].value);
    }
    const BoardRails rails = railsOf(names);
    if (rails.board.empty())
        return failed("no board that Jetscope knows has these rails: "
                      + (names.empty() ? std::string("none") : joined(names, ", ")));
    double total = 0;
    double parts = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!watts[i])
            return failed("the rail " + names[i] + " cannot be read");
        const bool isSummed = std::find(rails.summed.begin(), rails.summed.end(), names[i]) != rails.summed.end();
        (isSummed ? total : parts) += *watts[i];
    }
    const auto inRange = [](double value, double least, double most) {
        return value >= least && value <= most ? Agreement::Yes : Agreement::No;
    };
    std::vector<VerifyFact> facts{{"power of " + joined(rails.summed, " + ") + " (" + rails.board + ")",
                                   "between 0.3 W and 200 W", valueText(total, "W"),
                                   inRange(total, kLeastPower, kMostPower)}};
    if (rails.summed.size() == 1 && names.size() > 1)
        facts.push_back({"sum of the other rails, which are parts of it", "not more than the whole",
                         valueText(parts, "W"), inRange(parts, 0, total * kPartsAtMost)});
    return judged(std::move(facts));
}

} // namespace jetscope
