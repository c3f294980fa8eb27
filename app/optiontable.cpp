// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/optiontable.h"

#include "app/numbers.h"
#include "app/settingslist.h"
#include "app/textlayout.h"
#include "core/pipelineconfig.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr unsigned kWindow = bitOf(Command::Window);
constexpr unsigned kRun = bitOf(Command::Run);
constexpr unsigned kDoctor = bitOf(Command::Doctor);
constexpr std::uint64_t kMaxFrames = 4'000'000'000; // Frame numbers are 32 bits wide.

Error wrongValue(std::string_view option, std::string_view value, std::string_view wanted)
{
    return Error{"", 0, "--" + std::string(option) + " cannot be " + inQuotes(value) + ": " + std::string(wanted)};
}

Status applyPipelineSetting(Options &options, std::string_view name, const OptionValues &values)
{
    // Tried on a configuration that nobody uses, so that a wrong name is found before anything is started.
    PipelineConfig trial;
    if (const Status applied = applySetting(trial, name, values[0]); !applied.ok())
        return Error{"", 0, "--" + applied.error().text};
    options.settings.emplace_back(name, values[0]);
    return {};
}

Status applyText(std::optional<std::string> &to, std::string_view name, std::string_view value, std::string_view wanted)
{
    if (value.empty())
        return wrongValue(name, value, wanted);
    to = std::string(value);
    return {};
}

Status applyCount(std::optional<std::uint64_t> &to, std::string_view name, std::string_view value)
{
    to = wholeNumber(value, 1, kMaxFrames);
    return to ? Status() : wrongValue(name, value, "give a number of frames from 1 to 4000000000");
}

Status applyAt(Options &options, std::string_view name, const OptionValues &values)
{
    const auto frame = wholeNumber(values[0], 1, kMaxFrames);
    if (!frame)
        return wrongValue(name, values[0], "give the number of the first frame under the new setting, 1 or more");
    Result<std::vector<Setting>> settings = parseSettings(values[1]);
    if (!settings.ok())
        return settings.error();
    const SettingsAt at{static_cast<std::uint32_t>(*frame), std::move(settings).value()};
    const auto behind = std::upper_bound(options.at.begin(), options.at.end(), at,
                                         [](const SettingsAt &a, const SettingsAt &b) { return a.frame < b.frame; });
    options.at.insert(behind, at);
    return {};
}

Status refuseRecord(Options &, std::string_view, const OptionValues &)
{
    return Error{"", 0, "--record is unavailable: this version writes no captures; use --json for the figures"};
}

template <class T>
std::string oneOf(std::string_view what)
{
    return std::string(what) + ": " + namesOf<T>();
}

std::string upTo(std::string_view what, int most)
{
    return std::string(what) + ": 1.." + std::to_string(most);
}

// Options without help are known but not offered.
constexpr OptionSpec kOptions[] = {
    {"source", "URI", kWindow | kRun,
     [] { return std::string("where frames come from: synthetic:?size=1280x720&fps=60 or file:PATH (a video, an image or a "
                             "folder of images); rate=real or rate=max sets the pace, loop=1 repeats"); },
     [](Options &o, std::string_view name, const OptionValues &v) {
         return applyText(o.source, name, v[0], "give a source, such as synthetic:?size=1280x720 or file:PATH");
     }},
    {"device", "ID", kWindow | kRun,
     [] { return std::string("cuda:N or soft:nano, soft:tx2, soft:xavier, soft:orin, soft:thor; \"jetscope doctor\" lists them"); },
     [](Options &o, std::string_view name, const OptionValues &v) {
         return applyText(o.deviceId, name, v[0], "give a device, such as soft:orin; \"jetscope doctor\" lists them");
     }},
    {"memory", "KIND", kWindow | kRun, [] { return oneOf<MemoryKind>("how a frame reaches the GPU"); }, applyPipelineSetting},
    {"output", "PATH", kWindow | kRun, [] { return oneOf<OutputKind>("how it reaches OpenGL ES"); }, applyPipelineSetting},
    {"sync", "MODE", kWindow | kRun, [] { return oneOf<SyncMode>("how the hand-overs are ordered"); }, applyPipelineSetting},
    {"wait", "POLICY", kWindow | kRun, [] { return oneOf<WaitPolicy>("how a CPU thread waits for the GPU"); },
     applyPipelineSetting},
    {"cpu-stage", "PLACE", kWindow | kRun, [] { return oneOf<CpuStagePlacement>("which frame the CPU stage works on"); },
     applyPipelineSetting},
    {"cpu-work", "WORK", kWindow | kRun, [] { return oneOf<CpuWork>("what it does"); }, applyPipelineSetting},
    {"filters", "LIST", kWindow | kRun,
     [] { return oneOf<Filter>("the GPU's filters in order, joined by commas, or none") + "; gaussian5,sobel if not given"; },
     applyPipelineSetting},
    {"frames-in-flight", "N", kWindow | kRun, [] { return upTo("frames worked on at a time", kMaxFramesInFlight); },
     applyPipelineSetting},
    {"streams", "N", kWindow | kRun, [] { return upTo("streams that they are spread over", kMaxStreams); },
     applyPipelineSetting},
    {"frames", "N", kWindow | kRun,
     [] { return "stop after N frames; if not given, run stops after " + std::to_string(kDefaultRunFrames)
               + " and the window goes on"; },
     [](Options &o, std::string_view name, const OptionValues &v) { return applyCount(o.frames, name, v[0]); }},
    {"at", "FRAME KEY=VALUE,…", kRun,
     [] { return std::string("change settings when a frame (they count from 0) begins; the keys are memory, output, sync, "
                             "wait, cpu-stage, cpu-work, filters (joined by +), frames-in-flight and streams; may be repeated"); },
     applyAt},
    {"checksum", "", kRun, [] { return std::string("SHA-256 over the output frames as OpenGL ES reads them"); },
     [](Options &o, std::string_view, const OptionValues &) { o.checksum = true; return Status(); }},
    {"hazards", "", kRun,
     [] { return std::string("report accesses that break the memory rules; any error among them makes the exit code 1"); },
     [](Options &o, std::string_view, const OptionValues &) { o.hazards = true; return Status(); }},
    {"record", "FILE", kWindow | kRun, nullptr, refuseRecord},
    {"screenshot", "FILE", kWindow, [] { return std::string("save the window as a PNG file and leave"); },
     [](Options &o, std::string_view name, const OptionValues &v) {
         if (v[0].empty())
             return Status(wrongValue(name, v[0], "give the name of a PNG file"));
         o.screenshotPath = std::string(v[0]);
         return Status();
     }},
    {"after-frames", "N", kWindow, [] { return std::string("frames shown before the screenshot"); },
     [](Options &o, std::string_view name, const OptionValues &v) { return applyCount(o.afterFrames, name, v[0]); }},
    {"json", "", kRun | kDoctor, [] { return std::string("print one JSON object in place of the text"); },
     [](Options &o, std::string_view, const OptionValues &) { o.json = true; return Status(); }},
    {"help", "", kWindow | kRun | kDoctor, [] { return std::string("print this text"); },
     [](Options &o, std::string_view, const OptionValues &) { o.help = true; return Status(); }},
    {"version", "", kWindow | kRun | kDoctor, [] { return std::string("print the version"); },
     [](Options &o, std::string_view, const OptionValues &) { o.version = true; return Status(); }},
};

constexpr CommandSpec kCommands[] = {
    {Command::Run, "run", "run the pipeline without a window and print its figures"},
    {Command::Doctor, "doctor", "say what this machine can do, and why not"},
};

} // namespace

int OptionSpec::valueCount() const
{
    if (placeholder.empty())
        return 0;
    return 1 + static_cast<int>(std::count(placeholder.begin(), placeholder.end(), ' '));
}

bool OptionSpec::belongsTo(Command command) const
{
    return (commands & bitOf(command)) != 0;
}

std::span<const OptionSpec> optionTable()
{
    return kOptions;
}

const OptionSpec *findOption(std::string_view name)
{
    const auto *found = std::find_if(std::begin(kOptions), std::end(kOptions),
                                     [name](const OptionSpec &option) { return option.name == name; });
    return found == std::end(kOptions) ? nullptr : found;
}

std::span<const CommandSpec> commandTable()
{
    return kCommands;
}

std::string commandName(Command command)
{
    for (const CommandSpec &spec : kCommands)
        if (spec.command == command)
            return "jetscope " + std::string(spec.name);
    return "jetscope";
}

} // namespace jetscope
