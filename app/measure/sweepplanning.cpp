// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/measure/sweepplanning.h"

#include "app/commandline/devicechoice.h"
#include "app/commandline/help.h"
#include "core/board/boardfactrows.h"
#include "core/settings/filters.h"
#include "core/settings/settingtable.h"
#include "core/text/parsenumber.h"
#include "core/text/shellword.h"
#include "core/text/shorttext.h"
#include "core/text/utf8.h"
#include "core/time/clock.h"
#include "gpu/cpustage/cpuanalysis.h"
#include "gpu/sources/framesource.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kDefaultRounds = 5;
constexpr std::size_t kRoundsWithTime = 1000;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;
constexpr std::uint64_t kMaxSeconds = 1'000'000;
constexpr const char *kRoundsKey = "rounds"; ///< In the table `sweep`.
constexpr std::size_t kLongestShownSource = 1000;
constexpr const char *kSecondsKey = "seconds";

TurnsMethod methodOf(const SweepOptions &options, std::uint64_t seed)
{
    TurnsMethod method;
    method.seed = seed;
    method.rounds =
        static_cast<std::size_t>(options.rounds.value_or(options.seconds ? kRoundsWithTime : kDefaultRounds));
    if (options.seconds)
        method.budgetNs = static_cast<std::int64_t>(*options.seconds) * kNsPerSecond;
    return method;
}

/// A number that an earlier start of the sweep kept; empty if it kept none.
std::optional<std::uint64_t> keptNumber(const StoredSweep &stored, const char *key, std::uint64_t least,
                                        std::uint64_t most)
{
    const auto found = stored.remarks.find(key);
    return found == stored.remarks.end() ? std::nullopt : parseNumber<std::uint64_t>(found->second, least, most);
}

/// Limits that the command line does not give are those of the file.
SweepOptions limitsOf(const SweepOptions &options, const StoredSweep &stored)
{
    SweepOptions limits = options;
    if (!limits.rounds && !limits.seconds) {
        limits.rounds = keptNumber(stored, kRoundsKey, 1, kRoundsWithTime);
        limits.seconds = keptNumber(stored, kSecondsKey, 1, kMaxSeconds);
    }
    return limits;
}

/// The choices of the command line on top of what is legal on the device. Work is what is given, and the same in every
/// combination unless a list says otherwise; choices are open unless they are given.
Result<SweepChoices> choicesOf(const Options &options, const DeviceFacts &facts)
{
    SweepChoices choices = options.sweep.choices;
    choices.base = options.sweep.from.over(options.settings.over(nearestLegal({}, facts)));
    for (const SettingRow &row : settingTable())
        if (row.isOpen && choices.of(row.key) == SweepValues())
            choices.lists[std::string(row.key)].all = true;
    if (const Capability cpuStage = cpuStageCapability(); !cpuStage.available)
        if (choices.of("cpu-stage") != SweepValues())
            return sentence("--cpu-stage: " + cpuStage.reason);
    return choices;
}

std::optional<SweepRefusal> openDeviceOf(const std::string &deviceId, PreparedSweep &to)
{
    Result<std::shared_ptr<EglDisplay>> display = openHeadlessDisplay(deviceId);
    if (!display.ok())
        return SweepRefusal{false, display.error()};
    to.display = std::move(display).value();
    Result<std::unique_ptr<Device>> device = openDevice(deviceId, to.display);
    if (!device.ok())
        return SweepRefusal{false, device.error()};
    to.device = std::move(device).value();
    to.facts = to.device->facts();
    return std::nullopt;
}

std::optional<SweepRefusal> planNew(const Options &options, PreparedSweep &to)
{
    to.conditions.source = repeatedSource(options.source.value_or(kDefaultRunSource));
    if (const Status checked = checkSourceUri(to.conditions.source); !checked.ok())
        return SweepRefusal{true, checked.error()};
    if (options.deviceId)
        if (const Status checked = checkDevice(*options.deviceId, listDevices()); !checked.ok())
            return SweepRefusal{true, checked.error()};
    if (auto refused = openDeviceOf(options.deviceId.value_or(bestDeviceId()), to))
        return refused;
    const Result<SweepChoices> choices = choicesOf(options, to.facts);
    if (!choices.ok())
        return SweepRefusal{true, choices.error()};
    for (const SweepSize &size : choices.value().sizes)
        if (const auto address = sourceWithSize(to.conditions.source, size.width, size.height); !address.ok())
            return SweepRefusal{true, address.error()};
    to.base = choices.value().base;
    Result<SweepPlan> plan = planSweep(choices.value(), to.facts);
    if (!plan.ok())
        return SweepRefusal{true, plan.error()};
    to.plan = std::move(plan).value();
    to.conditions.deviceId = to.facts.id;
    to.conditions.deviceName = deviceWithBoard(to.facts.name);
    to.conditions.paced = options.sweep.paced || hasItsRate(to.conditions.source);
    to.conditions.seed = options.sweep.seed.value_or(1);
    to.conditions.madeBy = std::string("Jetscope ") + versionNumber();
    return std::nullopt;
}

/// A file must not load code: the command line names the stages of a sweep again.
Status checkStages(const std::string &names, const SweepValues &given)
{
    std::vector<std::string> loaded;
    for (const std::string &chain : given.named) {
        PipelineConfig config;
        JETSCOPE_TRY(applySetting(config, "filters", chain));
        for (const Filter filter : config.filters) {
            if (!isStage(filter))
                return sentence("--resume goes on with the filters in the file, and --filters only loads its stages: "
                                "leave out "
                                + quotedWords(nameOf(filter)));
            loaded.emplace_back(nameOf(filter));
        }
    }
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find(',', at), names.size());
        const std::string name = names.substr(at, end - at);
        if (std::find(loaded.begin(), loaded.end(), name) == loaded.end())
            return sentence("the sweep runs the stage " + quotedWords(name)
                            + ", and code is loaded only if the command line names it: add --filters " + names);
        at = end + 1;
    }
    return {};
}

/// A file must not open a device, a network address or a pipeline of its own: the command line names the source again.
Status checkSource(const std::string &stored, const std::optional<std::string> &given)
{
    if (given) {
        if (*given == stored || repeatedSource(*given) == stored)
            return {};
        return sentence("--resume goes on with the source in the file, which is " + quotedWords(stored)
                        + ", and --source only allows it: give that address");
    }
    if (opensNothing(stored))
        return {};
    if (stored.size() > kLongestShownSource || !isPlainLine(stored))
        return sentence("the source that the sweep names is too long or cannot be shown, so it is not opened: "
                        "begin another sweep");
    return sentence("the sweep goes on with a source that its file names, and it is opened only if the command line "
                    "names it, too: read it, and if it is wanted add --source "
                    + shellWord(stored));
}

std::optional<SweepRefusal> planResumed(const Options &options, PreparedSweep &to)
{
    Result<StoredSweep> stored = readSweep(*options.sweep.outPath);
    if (!stored.ok())
        return SweepRefusal{true, stored.error()};
    to.stored = std::move(stored).value();
    to.conditions = to.stored->conditions;
    to.plan = to.stored->plan;
    if (const Status checked = checkSource(to.conditions.source, options.source); !checked.ok())
        return SweepRefusal{true, checked.error()};
    if (const Status checked = checkStages(stageNamesOf(to.plan), options.sweep.choices.of("filters")); !checked.ok())
        return SweepRefusal{true, checked.error()};
    if (const Status checked = checkDevice(to.conditions.deviceId, listDevices()); !checked.ok())
        return SweepRefusal{false, checked.error()};
    if (auto refused = openDeviceOf(to.conditions.deviceId, to))
        return refused;
    if (const std::string device = deviceWithBoard(to.facts.name); device != to.conditions.deviceName)
        return SweepRefusal{true,
                            sentence("the sweep was begun on " + to.conditions.deviceName + " and this is " + device
                                     + ": figures of two devices do not belong into one sweep; begin "
                                       "another one")};
    return std::nullopt;
}

/// A setting of work that some cell has otherwise; null if all cells do the same.
const SettingRow *workThatDiffers(const std::vector<SweepCell> &cells, const PipelineConfig &config)
{
    for (const SettingRow &row : settingTable())
        for (const SweepCell &cell : cells)
            if (row.isWork() && row.work.of(cell.config) != row.work.of(config))
                return &row;
    return nullptr;
}

/// The cell that differs least from these settings.
std::size_t nearestCell(const std::vector<SweepCell> &cells, const PipelineConfig &config)
{
    const auto differences = [&](const SweepCell &cell) {
        const auto rows = settingTable();
        return std::count_if(rows.begin(), rows.end(),
                             [&](const SettingRow &row) { return row.text(cell.config) != row.text(config); });
    };
    const auto nearest = std::min_element(cells.begin(), cells.end(), [&](const SweepCell &a, const SweepCell &b) {
        return differences(a) < differences(b);
    });
    return static_cast<std::size_t>(nearest - cells.begin());
}

} // namespace

std::optional<SweepRefusal> prepareSweep(const Options &options, PreparedSweep &to)
{
    if (auto refused = options.sweep.resume ? planResumed(options, to) : planNew(options, to))
        return refused;
    to.method = methodOf(to.stored ? limitsOf(options.sweep, *to.stored) : options.sweep, to.conditions.seed);
    return std::nullopt;
}

std::optional<SweepRefusal> prepareTune(const Options &options, PreparedTune &to)
{
    if (auto refused = planNew(options, to.sweep))
        return refused;
    const std::vector<SweepCell> &cells = to.sweep.plan.cells;
    if (const Availability found = availability(to.sweep.base, to.sweep.facts); found.unavailable())
        return SweepRefusal{true, sentence("--from: " + found.reason)};
    to.start = nearestCell(cells, to.sweep.base);
    const PipelineConfig &start = cells[to.start].config;
    if (const SettingRow *row = workThatDiffers(cells, start))
        return SweepRefusal{true,
                            sentence("a search compares the same work, and in its lists "
                                     + std::string(row->work.differs)
                                     + ": name one of them, or measure all with \"jetscope sweep\"")};
    for (const SettingRow *row : options.sweep.from.rows())
        if (row->text(start) != row->text(to.sweep.base))
            return SweepRefusal{true,
                                sentence("--from has --" + std::string(row->key) + " " + row->text(to.sweep.base)
                                         + ", which is not among the combinations to search: add it to the list of --"
                                         + std::string(row->key) + ", or leave it out of --from")};
    to.limits.seconds = static_cast<double>(options.sweep.seconds.value_or(60));
    to.limits.method = methodOf(to.sweep.conditions.figure());
    return std::nullopt;
}

std::string stageNamesOf(const SweepPlan &plan)
{
    std::vector<std::string_view> names;
    for (const SweepCell &cell : plan.cells)
        for (const Filter filter : cell.config.filters)
            if (isStage(filter) && std::find(names.begin(), names.end(), nameOf(filter)) == names.end())
                names.push_back(nameOf(filter));
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ",") + std::string(name);
    return text;
}

std::string resumeCommandOf(const std::string &path, const SweepConditions &conditions, const SweepPlan &plan)
{
    const std::string stages = stageNamesOf(plan);
    return "jetscope sweep --out " + shellWord(path) + " --resume"
        + (opensNothing(conditions.source) ? std::string() : " --source " + shellWord(conditions.source))
        + (stages.empty() ? std::string() : " --filters " + shellWord(stages));
}

Status keepLimits(SweepFile &file, const SweepOptions &options)
{
    if (options.rounds)
        JETSCOPE_TRY(file.setRemark(kRoundsKey, std::to_string(*options.rounds)));
    if (options.seconds)
        JETSCOPE_TRY(file.setRemark(kSecondsKey, std::to_string(*options.seconds)));
    return {};
}

SourceForSize sourceForSize(const SweepConditions &conditions)
{
    return [source = conditions.source](SweepSize size) -> Result<std::string> {
        if (size == SweepSize{})
            return source;
        return sourceWithSize(source, size.width, size.height);
    };
}

Result<std::unique_ptr<Pipeline>> openSweepPipeline(PreparedSweep &prepared)
{
    const Pacing pacing = prepared.conditions.paced ? Pacing::Real : Pacing::Unpaced;
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<FrameSource> source, openSource(prepared.conditions.source, pacing));
    PipelineSetup setup;
    setup.display = prepared.display;
    setup.deviceId = prepared.conditions.deviceId;
    setup.device = std::move(prepared.device);
    setup.source = std::move(source);
    setup.openSource = [pacing](const std::string &address) { return openSource(address, pacing); };
    setup.config = nearestLegal(prepared.plan.cells.front().config, prepared.facts);
    return Pipeline::create(std::move(setup));
}

TraceFileHeader sweepFileHeader(const PreparedSweep &prepared)
{
    const TraceOrigin origin{deviceWithBoard(prepared.facts.name),
                             prepared.conditions.source,
                             prepared.conditions.madeBy,
                             {},
                             wallClockOffsetNs()};
    TraceFileHeader header = traceFileHeader(origin, prepared.facts, prepared.plan.cells.front().config);
    for (auto &fact : boardFactRows())
        header.facts.push_back(std::move(fact));
    return header;
}

} // namespace jetscope
