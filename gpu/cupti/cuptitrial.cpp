// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/cuptitrial.h"

#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/trialchild.h"

#include <map>
#include <mutex>
#include <string_view>
#include <thread>

namespace jetscope {

namespace {

constexpr std::string_view kTrialWord = "--cupti-trial";
constexpr std::chrono::milliseconds kPollEvery{2};

/// The trials of this process.
struct Trials {
    std::mutex mutex;
    std::vector<std::string> command;
    std::map<int, std::unique_ptr<CuptiTrial>> byOrdinal;
};

Trials &trials()
{
    static Trials all;
    return all;
}

} // namespace

CuptiTrial::CuptiTrial(Plan plan) : m_plan(std::move(plan))
{
    startNext();
}

CuptiTrial::~CuptiTrial() = default;

void CuptiTrial::startNext()
{
    if (m_plan.command.empty())
        return fail("this program makes no trial of CUPTI, and untried it is not used", true);
    if (m_library >= m_plan.libraries.size())
        return settle();
    std::vector<std::string> command = m_plan.command;
    command.insert(command.end(), {std::to_string(m_plan.ordinal), m_plan.libraries[m_library], m_plan.driver});
    Result<std::unique_ptr<ChildProcess>> child = ChildProcess::start(command);
    if (!child.ok())
        return fail("the CUPTI trial cannot be made: " + child.error().message(), true);
    m_child = std::move(child).value();
    m_deadline = std::chrono::steady_clock::now() + m_plan.timeout;
}

const CuptiOutcome *CuptiTrial::poll()
{
    if (m_done)
        return &m_outcome;
    const bool timedOut = std::chrono::steady_clock::now() >= m_deadline;
    if (m_child->hasEnded() || timedOut) {
        const std::unique_ptr<ChildProcess> child = std::move(m_child);
        judge(*child, timedOut);
    }
    return m_done ? &m_outcome : nullptr;
}

const CuptiOutcome &CuptiTrial::wait()
{
    while (!poll())
        std::this_thread::sleep_for(kPollEvery);
    return m_outcome;
}

void CuptiTrial::judge(ChildProcess &child, bool timedOut)
{
    m_outcome = {};
    m_outcome.library = m_plan.libraries[m_library];
    const bool ended = child.hasEnded();
    const std::optional<TrialReport> report = TrialReport::parse(child.output());
    if (report) {
        m_outcome.library = report->library;
        m_outcome.version = report->version;
        m_outcome.remarks = report->remarks;
        m_outcome.concurrentManagedAccess = report->concurrentManagedAccess;
    }
    if (!ended && timedOut)
        return fail("the CUPTI trial did not end within " + std::to_string(m_plan.timeout.count())
                        + " ms, so CUPTI is not used; a newer driver and CUPTI may help",
                    true);
    if (!child.exited())
        return fail("the CUPTI trial crashed (signal " + std::to_string(child.signal())
                        + "): on a Jetson give this user access to the GPU's profiling devices "
                          "(/dev/nvgpu/igpu0/prof*) or start Jetscope as root; elsewhere update driver and CUPTI",
                    false);
    if (!report || child.exitCode() != 0)
        return fail("the CUPTI trial ended without an answer (exit code " + std::to_string(child.exitCode()) + ")",
                    false);
    switch (report->verdict) {
    case TrialReport::Verdict::Usable:
        m_outcome.usable = Capability::yes();
        m_done = true;
        return;
    case TrialReport::Verdict::Absent:
        ++m_library;
        return startNext();
    case TrialReport::Verdict::Failed:
    case TrialReport::Verdict::Final:
        return fail(report->reason, report->verdict == TrialReport::Verdict::Final);
    }
}

void CuptiTrial::fail(std::string reason, bool isFinal)
{
    m_outcome.usable = Capability::no(std::move(reason));
    m_outcome.remarks.clear();
    if (!m_firstFailure)
        m_firstFailure = m_outcome;
    if (isFinal) {
        m_done = true;
        return;
    }
    ++m_library;
    startNext();
}

void CuptiTrial::settle()
{
    m_done = true;
    // Report the best candidate's reason: the others are only fallbacks.
    if (m_firstFailure) {
        m_outcome = *m_firstFailure;
        return;
    }
    m_outcome = {};
    m_outcome.usable = Capability::no(
        "libcupti was not found in $CUDA_HOME, in /usr/local/cuda* and where the linker looks; install the "
        "CUPTI of the driver's CUDA release (package cuda-cupti-12-x or cuda-cupti-13-x)");
}

std::optional<int> cuptiTrialIfAsked(int argc, char **argv)
{
    constexpr int kWords = 2;
    if (argc >= kWords && argv[1] == kTrialWord) {
        endWithParent();
        return cuptiTrialMain(argc - kWords, argv + kWords);
    }
    offerCuptiTrial({"/proc/self/exe", std::string(kTrialWord)});
    return std::nullopt;
}

void offerCuptiTrial(std::vector<std::string> command)
{
    Trials &all = trials();
    const std::lock_guard lock(all.mutex);
    all.command = std::move(command);
}

std::optional<CuptiOutcome> cuptiOutcome(int ordinal)
{
    Trials &all = trials();
    const std::lock_guard lock(all.mutex);
    std::unique_ptr<CuptiTrial> &trial = all.byOrdinal[ordinal];
    if (!trial) {
        CuptiTrial::Plan plan;
        plan.command = all.command;
        plan.ordinal = ordinal;
        plan.libraries = cuptiCandidates();
        trial = std::make_unique<CuptiTrial>(std::move(plan));
    }
    const CuptiOutcome *const outcome = trial->poll();
    return outcome ? std::optional(*outcome) : std::nullopt;
}

CuptiOutcome awaitCuptiOutcome(int ordinal)
{
    for (;;) {
        if (std::optional<CuptiOutcome> outcome = cuptiOutcome(ordinal))
            return *std::move(outcome);
        std::this_thread::sleep_for(kPollEvery);
    }
}

} // namespace jetscope
