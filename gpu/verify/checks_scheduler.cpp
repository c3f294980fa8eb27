// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What jetscope-sched writes on this kernel: threads, the GPU's contexts, engines.
#include "core/attach/kernel/engineline.h"
#include "core/attach/kernel/traceline.h"
#include "core/text/shorttext.h"
#include "gpu/attach/host/scheduleraccess.h"
#include "gpu/cupti/childprocess.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <chrono>
#include <thread>

namespace jetscope {

namespace {

constexpr std::chrono::seconds kMostWatching{6};
constexpr std::chrono::milliseconds kBetweenWork{2};

/// Ends it by a signal, so that it leaves the kernel as it was.
Result<std::vector<std::string>> watchCommand()
{
    JETSCOPE_TRY_ASSIGN(const std::string program, findSchedulerProgram());
    return std::vector<std::string>{"/usr/bin/timeout", "-s", "INT", "1", program};
}

/// What the lines say.
struct WatchedLines {
    std::size_t switches = 0;
    std::size_t contexts = 0;
    std::size_t engines = 0;
    std::string error;      ///< As the program says it.
    std::string noContexts; ///< As well.
    std::string damaged;    ///< The first line that cannot be read, and the first one of an engine.
    std::string damagedEngine;
    std::size_t engineEvents = 0;
    bool hasEngineEvents = false; ///< The program has told what the kernel has.

    void take(std::string_view line)
    {
        if (line.starts_with('#')) {
            takeComment(line);
            return;
        }
        const std::optional<TraceLine> read = parseTraceLine(line);
        if (!read) {
            keepFirst(damaged, line);
            return;
        }
        const bool isEngine = read->kind == TraceLine::Kind::Engine;
        if (isEngine && !parseEngineEvent(read->use, read->arguments)) {
            keepFirst(damagedEngine, line);
            return;
        }
        switches += read->kind == TraceLine::Kind::Switch ? 1 : 0;
        contexts += read->kind == TraceLine::Kind::Context ? 1 : 0;
        engines += isEngine ? 1 : 0;
    }

private:
    static void keepFirst(std::string &kept, std::string_view line)
    {
        if (kept.empty())
            kept = shortText(line, 200);
    }
    void takeComment(std::string_view line)
    {
        constexpr std::string_view kError = "# error: ";
        constexpr std::string_view kContexts = JSA_CONTEXTS_REFUSED;
        if (line.starts_with(kError))
            error = line.substr(kError.size());
        else if (line.starts_with(kContexts))
            noContexts = line.substr(kContexts.size());
        for (const std::string_view group : {"# events: host1x ", "# events: nvhost "})
            if (line.starts_with(group)) {
                hasEngineEvents = true;
                engineEvents += line.substr(group.size()).starts_with("0 ") ? 0 : 1;
            }
    }
};

/// Watches for a second, while the device works.
Result<WatchedLines> watchKernel(VerifyWorld &world)
{
    std::vector<std::string> command = world.schedulerCommand;
    if (command.empty()) {
        JETSCOPE_TRY_ASSIGN(command, watchCommand());
    }
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<ChildProcess> child, ChildProcess::start(command));
    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, 64, 64);
    const PixelBytes input = patternOf(layout.bytes, 1);
    const auto deadline = std::chrono::steady_clock::now() + kMostWatching;
    while (!child->hasEnded() && std::chrono::steady_clock::now() < deadline) {
        JETSCOPE_TRY(bench->runOn(input, layout));
        std::this_thread::sleep_for(kBetweenWork);
    }
    WatchedLines lines;
    const std::string_view text = child->output();
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (end == std::string_view::npos) // Its output is cut there.
            break;
        if (end > at)
            lines.take(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

VerifyResult found(std::string what, std::size_t count)
{
    VerifyResult result = passed();
    result.facts.push_back({std::move(what), "some lines", counted(count, "line"), Agreement::Yes});
    return result;
}

} // namespace

/// `key`: "threads", "contexts" or "engines".
Result<VerifyResult> checkScheduler(VerifyWorld &world, std::string_view key)
{
    const std::string refusal = world.schedulerRefusal ? world.schedulerRefusal() : schedulerRefusal();
    if (!refusal.empty())
        return notPossible(refusal);
    JETSCOPE_TRY_ASSIGN(const WatchedLines lines, watchKernel(world));
    if (!lines.error.empty())
        return failed("the kernel refuses: " + lines.error);
    if (key == "threads" && !lines.damaged.empty())
        return failed("a line of the trace has another form than documented: " + lines.damaged);
    if (key == "threads")
        return lines.switches > 0 ? found("switches of threads", lines.switches)
                                  : failed("no thread was switched within a second");
    if (key == "contexts" && !lines.noContexts.empty())
        return notPossible(lines.noContexts);
    if (key == "contexts")
        return lines.contexts > 0 ? found("moments of the GPU's contexts", lines.contexts)
                                  : failed("the GPU worked, and nothing was told of its contexts");
    if (!lines.damagedEngine.empty())
        return failed("an event of an engine has another form than documented: " + lines.damagedEngine);
    if (lines.engines > 0)
        return found("events of engines", lines.engines);
    return notPossible(lines.hasEngineEvents && lines.engineEvents == 0
                           ? "this kernel has no events of host1x and nvhost"
                           : "no engine worked while the kernel was watched");
}

} // namespace jetscope
