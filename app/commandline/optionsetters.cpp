// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/optionsetters.h"

#include "app/commandline/optionvalues.h"
#include "app/commandline/settingslist.h"
#include "core/remote/reach/boardaddress.h"
#include "core/text/parsenumber.h"
#include "gpu/hazards/scenes.h"
#include "gpu/stages/stagetable.h"

#include <algorithm>

namespace jetscope {

namespace {

bool isMeasuring(Command command)
{
    return command == Command::Sweep || command == Command::Tune;
}

/// The stages of the chains of a sweep; '/' separates chains, so these stages lie in the present folder.
Status addStagesOfChains(std::string_view chains)
{
    for (std::size_t at = 0; at <= chains.size();) {
        const std::size_t end = std::min(chains.find('/', at), chains.size());
        JETSCOPE_TRY(addStages(chains.substr(at, end - at)));
        at = end + 1;
    }
    return {};
}

/// The stages of each "filters=…" in a list of settings.
Status addStagesOfSettings(std::string_view list)
{
    constexpr std::string_view kKey = "filters=";
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        if (const std::string_view pair = list.substr(at, end - at); pair.starts_with(kKey))
            JETSCOPE_TRY(addStages(pair.substr(kKey.size())));
        at = end + 1;
    }
    return {};
}

} // namespace

Status setFrom(Options &options, std::string_view, const OptionValues &values)
{
    JETSCOPE_TRY_ASSIGN(options.sweep.from, GivenSettings::parse(values[0]));
    return {};
}

std::string metricNames()
{
    std::string names;
    for (const Figure figure : sweepFigures())
        names += (names.empty() ? "" : ", ") + std::string(rowOf(figure).name);
    return names;
}

/// Names of figures, joined by commas.
Status setFleetMetrics(Options &options, std::string_view name, const OptionValues &values)
{
    for (std::size_t at = 0; at <= values[0].size();) {
        const std::size_t end = std::min(values[0].find(',', at), values[0].size());
        const std::string_view metric = values[0].substr(at, end - at);
        if (std::none_of(figureTable().begin(), figureTable().end(),
                         [&](const FigureRow &row) { return row.name == metric; }))
            return wrongValue(name, metric, "take names of figures such as " + metricNames());
        options.fleet.metrics.emplace_back(metric);
        at = end + 1;
    }
    return {};
}

Status setEngine(Options &options, std::string_view name, const OptionValues &values)
{
    options.fleet.engine = values[0];
    return values[0] == "built-in" || values[0] == "duckdb" ? Status()
                                                            : wrongValue(name, values[0], "take built-in or duckdb");
}

/// The limits keep sums of times within the range of 64-bit nanoseconds.
Status setLogOffset(Options &options, std::string_view name, const OptionValues &values)
{
    constexpr double kMax = 4e9;
    const bool earlier = values[0].starts_with('-');
    options.logOffsetSeconds = decimalNumber(values[0].substr(earlier ? 1 : 0), 0, kMax);
    if (!options.logOffsetSeconds)
        return wrongValue(name, values[0], "give a number of seconds such as 3600 or -0.25");
    if (earlier)
        options.logOffsetSeconds = -*options.logOffsetSeconds;
    return {};
}

Status setLogInterval(Options &options, std::string_view name, const OptionValues &values)
{
    options.logIntervalSeconds = decimalNumber(values[0], 0.001, 3600);
    return options.logIntervalSeconds ? Status()
                                      : wrongValue(name, values[0], "give a number of seconds from 0.001 to 3600");
}

Status setFailOnWorse(Options &options, std::string_view name, const OptionValues &values)
{
    options.compare.failOnWorse = decimalNumber(values[0], 0, 1000);
    return options.compare.failOnWorse ? Status()
                                       : wrongValue(name, values[0], "give a number of percent from 0 to 1000");
}

/// "20M" or the plain number. The trace drops whole millions and keeps at least two.
Status setMostSpans(Options &options, std::string_view name, const OptionValues &values)
{
    constexpr std::uint64_t kMillion = 1'000'000;
    const bool millions = values[0].ends_with('M');
    const std::string_view digits = values[0].substr(0, values[0].size() - (millions ? 1 : 0));
    const std::uint64_t unit = millions ? kMillion : 1;
    if (const auto number = parseNumber<std::uint64_t>(digits, 2 * kMillion / unit, 1000 * kMillion / unit)) {
        options.mostSpans = *number * unit;
        return {};
    }
    return wrongValue(name, values[0], "give a number of spans from 2M to 1000M, which is 2000000 to 1000000000");
}

/// The encoder writes PNG regardless of the name, so other endings are rejected.
Status setScreenshot(Options &options, std::string_view name, const OptionValues &values)
{
    const std::size_t fileName = values[0].rfind('/') + 1; // npos + 1 is 0.
    const std::size_t dot = values[0].rfind('.');
    const bool hasEnding = dot != std::string_view::npos && dot > fileName;
    if (hasEnding && values[0].substr(dot) != ".png" && values[0].substr(dot) != ".PNG")
        return wrongValue(name, values[0], "a picture of the window is a PNG file; give a name that ends in .png");
    return setText<&Options::screenshotPath>(options, name, values);
}

Status setInterval(Options &options, std::string_view name, const OptionValues &values)
{
    options.top.interval = decimalNumber(values[0], 0.1, 3600);
    return options.top.interval ? Status() : wrongValue(name, values[0], "give a number of seconds from 0.1 to 3600");
}

Status setTopCount(Options &options, std::string_view name, const OptionValues &values)
{
    options.top.count = parseNumber<std::uint64_t>(values[0], 1, 1'000'000'000);
    return options.top.count ? Status() : wrongValue(name, values[0], "give a number of readings, 1 or more");
}

/// The size of a terminal on another machine.
Status setScreen(Options &options, std::string_view name, const OptionValues &values)
{
    const std::size_t by = values[0].find('x');
    const auto columns = parseNumber<std::size_t>(values[0].substr(0, by), 1, 1000);
    const auto rows = parseNumber<std::size_t>(values[0].substr(by == std::string_view::npos ? 0 : by + 1), 1, 1000);
    if (!columns || !rows)
        return wrongValue(name, values[0], "give a size such as 80x24");
    options.top.screen = {*columns, *rows};
    return {};
}

std::string sceneNames()
{
    std::string names;
    for (const Scene &scene : scenes())
        names += (names.empty() ? "" : ", ") + std::string(scene.name);
    return names;
}

Status setScene(Options &options, std::string_view, const OptionValues &values)
{
    options.scene = sceneNamed(values[0]);
    if (!options.scene)
        return sentence("there is no scene \"" + std::string(values[0]) + "\"; take one of " + sceneNames());
    return {};
}

Status setTime(Options &options, std::string_view name, const OptionValues &values)
{
    constexpr std::uint64_t kMaxProbeSeconds = 120;
    if (isMeasuring(options.command))
        return setSweepNumber<&SweepOptions::seconds, 1, 1'000'000>(options, name, values);
    options.seconds = parseNumber<std::uint64_t>(values[0], 1, kMaxProbeSeconds);
    return options.seconds ? Status() : wrongValue(name, values[0], "give a number of seconds from 1 to 120");
}

Status setOutPath(Options &options, std::string_view name, const OptionValues &values)
{
    if (options.command == Command::Probe)
        return setText<&Options::probePath>(options, name, values);
    if (options.command == Command::Captures)
        return setText<&Options::captures, &CapturesOptions::outPath>(options, name, values);
    if (options.command == Command::Verify)
        return setText<&Options::verify, &VerifyOptions::outPath>(options, name, values);
    return options.command == Command::Report || options.command == Command::Fleet
        ? setText<&Options::reportPath>(options, name, values)
        : setText<&Options::sweep, &SweepOptions::outPath>(options, name, values);
}

Status setMetric(Options &options, std::string_view name, const OptionValues &values)
{
    for (const Figure figure : sweepFigures())
        if (rowOf(figure).name == values[0])
            options.metric = figure;
    return options.metric ? Status() : wrongValue(name, values[0], "take one of " + metricNames());
}

Status setSweepList(Options &options, std::string_view name, const OptionValues &values)
{
    options.sweep.givesOther = options.sweep.givesOther || name != "filters";
    if (name == "filters")
        JETSCOPE_TRY(addStagesOfChains(values[0]));
    const Status set = setSweepChoice(options.sweep.choices, name, values[0]);
    return set.ok() ? set : sentence("--" + set.error().text);
}

Status setPipelineSetting(Options &options, std::string_view name, const OptionValues &values)
{
    if (isMeasuring(options.command) && settingRow(name)->isSwept())
        return setSweepList(options, name, values);
    if (!options.hosts.empty()) {
        options.boardSettings.emplace_back(name, values[0]);
        return {};
    }
    if (name == "filters")
        JETSCOPE_TRY(addStages(values[0]));
    const Status set = options.settings.set(name, values[0]);
    return set.ok() ? set : sentence("--" + set.error().text);
}

Status addChange(Options &options, std::string_view name, const OptionValues &values)
{
    const auto frame = parseNumber<std::uint64_t>(values[0], 1, kMaxFrames);
    if (!frame)
        return wrongValue(name, values[0], "give the number of the first frame under the new setting, 1 or more");
    JETSCOPE_TRY(addStagesOfSettings(values[1]));
    std::optional<std::size_t> camera;
    JETSCOPE_TRY_ASSIGN(GivenSettings settings, settingsWithCamera(std::string(values[1]), camera));
    const SettingsAt at{static_cast<std::uint32_t>(*frame), std::move(settings), camera};
    for (const SettingsAt &other : options.at)
        for (const SettingRow *row : at.settings.rows())
            if (other.frame == at.frame && other.settings.has(row->key))
                return sentence(std::string(row->key) + " is given twice for frame " + std::to_string(at.frame)
                                + ": keep one of them");
    const auto behind = std::upper_bound(options.at.begin(), options.at.end(), at,
                                         [](const SettingsAt &a, const SettingsAt &b) { return a.frame < b.frame; });
    options.at.insert(behind, at);
    return {};
}

Status setFrameWish(Options &options, std::string_view name, const OptionValues &values)
{
    const Result<FrameWish> wish = parseFrameWish(values[0]);
    if (!wish.ok())
        return wrongValue(name, values[0], wish.error().text);
    options.attach.frameWish = wish.value();
    return {};
}

Status addHost(Options &options, std::string_view, const OptionValues &values)
{
    JETSCOPE_TRY_ASSIGN(BoardAddress board, BoardAddress::parse(values[0]));
    if (options.command != Command::Top && !options.hosts.empty())
        return sentence("--host is given twice: only \"jetscope top\" looks at several boards");
    options.hosts.push_back(std::move(board));
    return {};
}

} // namespace jetscope
