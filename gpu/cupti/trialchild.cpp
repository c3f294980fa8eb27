// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/trialchild.h"

#include "gpu/cupti/cuptisession.h"
#include "gpu/cupti/trialwork.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr unsigned kMostSeconds = 30; ///< In case the parent is gone and cannot kill this process.
constexpr int kFetches = 50;
constexpr std::chrono::milliseconds kBetweenFetches{20};
constexpr const char *kNothingCame = "CUPTI delivered no times of the trial's work";

/// Failures that do not depend on the tried file.
bool isFinal(long code)
{
    return code != 0 && code != cupti::kNotCompatible && code != cupti::kNotInitialized && code != cupti::kUnknown;
}

TrialReport &failWith(TrialReport &report, std::string reason,
                      TrialReport::Verdict verdict = TrialReport::Verdict::Failed)
{
    report.verdict = verdict;
    report.reason = std::move(reason);
    return report;
}

/// Checks that the records contain the trial's work, and only times within it. Returns the reason if not.
std::string judgeRecords(const std::vector<GpuActivity> &activities, const CuptiCounters &counters,
                         const TrialWork &work)
{
    if (const std::string trouble = counters.trouble(); !trouble.empty())
        return "of the trial's work, " + trouble;
    const auto has = [&](GpuActivity::Kind kind) {
        return std::any_of(activities.begin(), activities.end(),
                           [&](const GpuActivity &activity) { return activity.kind == kind; });
    };
    // A kernel that was not launched because the driver has no compiler does not count against CUPTI.
    if (activities.empty() || (work.launchedKernel() && !has(GpuActivity::Kind::Kernel)))
        return kNothingCame;
    for (const GpuActivity &activity : activities)
        if (activity.startNs < work.beganNs() || activity.endNs > work.endedNs())
            return "CUPTI's times lie outside the time in which the trial's work was done";
    return {};
}

/// The work is complete, but CUPTI may still be converting its times.
std::string fetchAndJudge(CuptiSession &session, const TrialWork &work)
{
    std::vector<GpuActivity> all;
    std::vector<GpuActivity> part;
    std::string reason = kNothingCame;
    for (int i = 0; i < kFetches && reason == kNothingCame; ++i) {
        if (i > 0)
            std::this_thread::sleep_for(kBetweenFetches);
        if (const Status flushed = session.flush(); !flushed.ok())
            return flushed.error().text;
        session.take(part);
        all.insert(all.end(), part.begin(), part.end());
        reason = judgeRecords(all, session.counters(), work);
    }
    return reason;
}

} // namespace

TrialReport tryCupti(int ordinal, const std::string &library, const std::string &driver)
{
    TrialReport report;
    report.library = library;
    // Load first, because creating a context takes far longer.
    const Result<CuptiLibrary> loaded = CuptiLibrary::load(library);
    if (!loaded.ok()) {
        const bool absent = library.find('/') == std::string::npos && loaded.error().call == "dlopen";
        return failWith(report, loaded.error().text,
                        absent ? TrialReport::Verdict::Absent : TrialReport::Verdict::Failed);
    }
    report.library = loaded.value().path();
    report.version = cuptiVersionText(loaded.value().version());
    Result<TrialWork> work = TrialWork::prepare(ordinal, driver);
    if (!work.ok())
        return failWith(report, work.error().message(), TrialReport::Verdict::Final);
    report.concurrentManagedAccess = work.value().concurrentManagedAccess();
    const Result<std::unique_ptr<CuptiSession>> session = CuptiSession::open(loaded.value());
    if (!session.ok())
        return failWith(report, session.error().text,
                        isFinal(session.error().code) ? TrialReport::Verdict::Final : TrialReport::Verdict::Failed);
    if (const std::string_view refusal = session.value()->refusal(GpuActivity::Kind::Kernel); !refusal.empty())
        return failWith(report, "kernels cannot be recorded: " + std::string(refusal));
    for (const auto &[kind, name] :
         {std::pair{GpuActivity::Kind::Memcpy, "copies"}, std::pair{GpuActivity::Kind::Memset, "memsets"}})
        if (const std::string_view refusal = session.value()->refusal(kind); !refusal.empty())
            report.remarks.push_back(std::string(name) + " are not recorded: " + std::string(refusal));
    if (const Status done = work.value().run(); !done.ok())
        return failWith(report, done.error().message(), TrialReport::Verdict::Final);
    if (const std::string reason = fetchAndJudge(*session.value(), work.value()); !reason.empty())
        return failWith(report, reason);
    report.verdict = TrialReport::Verdict::Usable;
    return report;
}

int cuptiTrialMain(int argc, char **argv)
{
    alarm(kMostSeconds);
    // A crash is an expected result and needs no core dump; a limit of 1 also disables core dump handlers (core(5)).
    const rlimit noCore{1, 1};
    setrlimit(RLIMIT_CORE, &noCore);
    const int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (output < 0 || nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        return 1;
    close(nowhere);
    int ordinal = -1;
    if (argc == 3)
        std::from_chars(argv[0], argv[0] + std::strlen(argv[0]), ordinal);
    if (ordinal < 0)
        return 2;
    const std::string text = tryCupti(ordinal, argv[1], argv[2]).text();
    const bool written = write(output, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(output);
    return written ? 0 : 1;
}

} // namespace jetscope
