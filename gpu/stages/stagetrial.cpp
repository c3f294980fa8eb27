// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/stagetrial.h"

#include "gpu/cupti/childprocess.h"
#include "gpu/stages/dla/dlastage.h"
#include "gpu/stages/kernelstage.h"
#include "gpu/stages/vpi/vpistage.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::string_view kStageTrialWord = "--stage-trial";
constexpr std::string_view kNvivaWord = "nviva";
constexpr std::string_view kVpiTrialWord = "vpi";
constexpr std::string_view kVpiBufferTrialWord = "vpi-buffers";
constexpr std::string_view kDlaTrialWord = "dla";
constexpr std::string_view kGoodReport = "good\n";
constexpr std::string_view kBadReport = "bad\n";
constexpr std::string_view kExactWord = "exact"; ///< Behind the words of a kernel: KernelTrialMemory::Exact.
constexpr unsigned kMaxTrialSeconds = 60;
constexpr std::chrono::milliseconds kTrialPoll{2};

/// What trials of this process have in common. Any thread.
class UsualPlan {
public:
    StageTrialPlan get() const
    {
        const std::lock_guard lock(m_mutex);
        return m_plan;
    }
    template <class Change>
    void set(Change change)
    {
        const std::lock_guard lock(m_mutex);
        change(m_plan);
    }

private:
    mutable std::mutex m_mutex;
    StageTrialPlan m_plan;
};

UsualPlan &theUsualPlan()
{
    static UsualPlan plan;
    return plan;
}

StageTrialPlan usualPlan()
{
    return theUsualPlan().get();
}

std::string addressText(const StageAddress &address)
{
    std::string text = address.path;
    char separator = '?';
    for (const auto &[key, value] : address.options) {
        text += separator + key + "=" + value;
        separator = '&';
    }
    return text;
}

int stageTrialMain(const std::function<std::string()> &trial)
{
    const ChildReport report(kMaxTrialSeconds);
    if (!report.canWrite())
        return 1;
    const std::string reason = trial();
    // What the library does when it is unloaded is no part of the trial.
    _exit(report.write(reason.empty() ? std::string(kGoodReport) : std::string(kBadReport) + reason) ? 0 : 1);
}

int stageTrialMain(const char *text, const std::function<std::string(const StageAddress &)> &trial)
{
    const Result<StageAddress> address = StageAddress::parse(text);
    return address.ok() ? stageTrialMain([&] { return trial(address.value()); }) : 2;
}

/// What follows kStageTrialWord.
using TrialWords = std::vector<char *>;

int libraryMain(const TrialWords &words)
{
    return stageTrialMain(words[0], trialOfLibrary);
}

int kernelMain(const TrialWords &words)
{
    const bool isExact = words.size() > 3 && words[3] == kExactWord;
    return stageTrialMain([&] { return trialOfKernel(std::atoi(words[0]), words[1], words[2], isExact); });
}

int nvivaTrialMain(const TrialWords &words)
{
    return stageTrialMain([&] { return trialOfNviva(words[1], words[2]); });
}

int nvivaProcessMain(const TrialWords &words)
{
    return nvivaMain({words[1], words[2], words[3], std::atoi(words[4]), words[5], words[6]});
}

int vpiMain(const TrialWords &words)
{
    return stageTrialMain(
        words[1], [&](const StageAddress &address) { return trialOfVpi(address, words[3], std::atoi(words[2])); });
}

int vpiBufferMain(const TrialWords &words)
{
    VpiTools tools;
    tools.major = std::atoi(words[2]);
    tools.library = words[3];
    tools.driver = words[4];
    return stageTrialMain(words[1],
                          [&](const StageAddress &address) { return trialOfVpiBuffers(address, tools, words[5]); });
}

int dlaMain(const TrialWords &words)
{
    DlaTools tools;
    tools.library = words[2];
    tools.buffers = words[3];
    tools.syncs = words[4];
    return stageTrialMain(words[1], [&](const StageAddress &address) { return trialOfDla(address, tools); });
}

struct TrialRow {
    std::string_view word; ///< The first one; empty: any.
    std::size_t count;     ///< Of words, with the first one.
    int (*run)(const TrialWords &words);
};
/// The first row that fits is taken: a kernel's words begin with the number of a device.
constexpr TrialRow kTrials[] = {
    {"", 1, libraryMain},
    {kNvivaWord, 3, nvivaTrialMain},
    {kNvivaWord, 7, nvivaProcessMain},
    {kVpiTrialWord, 4, vpiMain},
    {kVpiBufferTrialWord, 6, vpiBufferMain},
    {kDlaTrialWord, 5, dlaMain},
    {"", 3, kernelMain},
    {"", 4, kernelMain},
};

} // namespace

StageTrialPlan kernelTrialPlan(int ordinal, const std::string &cubinFile, const std::string &driver,
                               KernelTrialMemory memory)
{
    StageTrialPlan plan = usualPlan();
    plan.words = {std::to_string(ordinal), cubinFile, driver};
    if (memory == KernelTrialMemory::Exact)
        plan.words.emplace_back(kExactWord);
    return plan;
}

StageTrialPlan stageTrialPlan(const StageAddress &address)
{
    StageTrialPlan plan = usualPlan();
    plan.words = {addressText(address)};
    return plan;
}

StageTrialPlan nvivaTrialPlan(const std::string &library, const std::string &standIns)
{
    StageTrialPlan plan = usualPlan();
    plan.words = {std::string(kNvivaWord), library, standIns};
    return plan;
}

std::vector<std::string> nvivaCommand(const NvivaWords &words)
{
    std::vector<std::string> command = usualPlan().command;
    if (!command.empty())
        command.insert(command.end(),
                       {std::string(kNvivaWord), words.library, words.standIns, words.driver,
                        std::to_string(words.ordinal), words.surfaces, words.parts});
    return command;
}

StageTrialPlan vpiTrialPlan(const StageAddress &address, const std::string &library, int major)
{
    StageTrialPlan plan = usualPlan();
    plan.words = {std::string(kVpiTrialWord), addressText(address), std::to_string(major), library};
    return plan;
}

StageTrialPlan vpiBufferTrialPlan(const StageAddress &address, const VpiTools &tools, const std::string &surfaces)
{
    StageTrialPlan plan = usualPlan();
    plan.words = {std::string(kVpiBufferTrialWord),
                  addressText(address),
                  std::to_string(tools.major),
                  tools.library,
                  tools.driver,
                  surfaces};
    return plan;
}

StageTrialPlan dlaTrialPlan(const StageAddress &address, const DlaTools &tools)
{
    StageTrialPlan plan = usualPlan();
    plan.words = {std::string(kDlaTrialWord), addressText(address), tools.library, tools.buffers, tools.syncs};
    return plan;
}

Capability tryStage(const StageTrialPlan &plan, const std::stop_token &stop)
{
    if (plan.command.empty())
        return Capability::no("this program makes no trial of stages, and untried they are not used");
    std::vector<std::string> command = plan.command;
    command.insert(command.end(), plan.words.begin(), plan.words.end());
    const Result<std::unique_ptr<ChildProcess>> started = ChildProcess::start(command);
    if (!started.ok())
        return Capability::no("its trial cannot be made: " + started.error().message());
    ChildProcess &child = *started.value();
    const auto deadline = std::chrono::steady_clock::now() + plan.timeout;
    while (!child.hasEnded()) {
        if (stop.stop_requested())
            return Capability::no("its trial was stopped");
        if (std::chrono::steady_clock::now() >= deadline)
            return Capability::no("in its trial it did not return within " + std::to_string(plan.timeout.count())
                                  + " ms");
        std::this_thread::sleep_for(kTrialPoll);
    }
    if (!child.exited())
        return Capability::no("in its trial it crashed (" + std::string(strsignal(child.signal())) + ")");
    const std::string &report = child.output();
    if (child.exitCode() == 0 && report == kGoodReport)
        return Capability::yes();
    if (child.exitCode() == 0 && report.starts_with(kBadReport) && report.size() > kBadReport.size())
        return Capability::no(report.substr(kBadReport.size()));
    return Capability::no("its trial ended without an answer (exit code " + std::to_string(child.exitCode()) + ")");
}

std::optional<int> stageTrialIfAsked(int argc, char **argv)
{
    if (argc > 1 && argv[1] == kStageTrialWord) {
        const TrialWords words(argv + 2, argv + argc);
        for (const TrialRow &row : kTrials)
            if (words.size() == row.count && (row.word.empty() || words[0] == row.word)) {
                endWithParent();
                return row.run(words);
            }
    }
    theUsualPlan().set([](StageTrialPlan &plan) { plan.command = {"/proc/self/exe", std::string(kStageTrialWord)}; });
    return std::nullopt;
}

void setStageTrialTimeout(std::chrono::milliseconds timeout)
{
    theUsualPlan().set([timeout](StageTrialPlan &plan) { plan.timeout = timeout; });
}

} // namespace jetscope
