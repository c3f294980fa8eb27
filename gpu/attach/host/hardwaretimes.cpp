// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/attach/host/hardwaretimes.h"

#include "core/attach/format/attachformat.h"
#include "core/time/clock.h"
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/cupti/trialcache.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>

namespace jetscope {

namespace {

constexpr const char *kInjection = "CUDA_INJECTION64_PATH";

/// Only opened, nothing of it is called; without a driver the trial's process is not worth its time.
bool hasDriver()
{
    void *const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (driver)
        dlclose(driver);
    return driver != nullptr;
}

CuptiOutcome outcomeOfTrial(TrialUse use, std::optional<double> &trialMs)
{
    constexpr int kOrdinal = 0;
    const TrialCache cache(kOrdinal);
    if (use == TrialUse::Kept)
        if (std::optional<CuptiOutcome> kept = cache.find())
            return *std::move(kept);
    const std::int64_t startNs = nowNs();
    const CuptiOutcome outcome = awaitCuptiOutcome(kOrdinal);
    trialMs = static_cast<double>(nowNs() - startNs) / 1e6;
    cache.store(outcome, static_cast<std::int64_t>(std::time(nullptr)));
    return outcome;
}

std::string printable(const std::string &text)
{
    std::string clean;
    for (const char c : text)
        clean += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    return clean;
}

} // namespace

HardwareTimes planHardwareTimes(const Result<std::string> &injected, TrialUse use)
{
    HardwareTimes plan;
    if (!injected.ok()) {
        plan.refusal = injected.error().text;
        return plan;
    }
    if (const char *other = std::getenv(kInjection); other && *other) {
        plan.refusal = "another profiler is to be loaded into the program (" + std::string(kInjection)
            + " is set), and CUPTI supports one at a time: unset the variable";
        return plan;
    }
    if (!hasDriver()) {
        plan.refusal = "there is no NVIDIA driver on this machine (libcuda.so.1)";
        return plan;
    }
    const CuptiOutcome outcome = outcomeOfTrial(use, plan.trialMs);
    plan.version = outcome.version;
    plan.concurrentManagedAccess = outcome.concurrentManagedAccess;
    if (!outcome.usable.available) {
        plan.refusal = outcome.usable.reason;
        return plan;
    }
    plan.variables = {std::string(kInjection) + "=" + injected.value(),
                      std::string(JSA_CUPTI_VARIABLE) + "=" + outcome.library};
    return plan;
}

std::string hardwareRefusal(const AttachGpuProcess &process)
{
    switch (process.step) {
    case JSA_GPU_STEP_NONE:
        break;
    case JSA_GPU_STEP_LOAD:
        return "libcupti cannot be loaded into the program: " + printable(process.reason);
    case JSA_GPU_STEP_SYMBOL:
        return "libcupti has no function " + printable(process.reason)
            + "; install the CUPTI of the driver's CUDA release";
    case JSA_GPU_STEP_VERSION:
        return "the program uses CUPTI's version " + std::to_string(process.version)
            + "; Jetscope reads the records of CUDA 12.2 to 13";
    case JSA_GPU_STEP_CLOCK:
        return "CUPTI does not take Jetscope's clock: " + cuptiExplanation(process.code);
    case JSA_GPU_STEP_BUFFERS:
        return "CUPTI does not take Jetscope's buffers: " + cuptiExplanation(process.code);
    case JSA_GPU_STEP_KERNELS:
        return "CUPTI does not record kernels: " + cuptiExplanation(process.code);
    }
    return "CUPTI did not start in the program";
}

std::vector<std::pair<std::string, std::string>> hardwareGaps(const AttachGpuProcess &process)
{
    constexpr std::pair<jsa_gpu_kind, const char *> kKinds[] = {
        {JSA_GPU_COPY, "copies"},
        {JSA_GPU_SET, "memsets"},
        {JSA_GPU_CALL, "the calls that submitted the work"},
    };
    std::vector<std::pair<std::string, std::string>> gaps;
    if (process.state == JSA_GPU_RECORDING)
        for (const auto &[kind, name] : kKinds)
            if (process.refusals[kind] != cupti::kSuccess)
                gaps.emplace_back(name, cuptiExplanation(process.refusals[kind]));
    return gaps;
}

bool HardwareReport::records() const
{
    return std::any_of(processes.begin(), processes.end(),
                       [](const AttachGpuProcess &process) { return process.state == JSA_GPU_RECORDING; });
}

std::string HardwareReport::source() const
{
    return hasBounds ? "bounds" : records() ? "cupti" : "none";
}

std::string HardwareReport::refusal() const
{
    if (!plan.refusal.empty())
        return plan.refusal;
    for (const AttachGpuProcess &process : processes)
        if (process.state != JSA_GPU_RECORDING)
            return hardwareRefusal(process);
    return processes.empty() ? "the program did not start CUDA, or its driver does not load the library of Jetscope"
                             : std::string();
}

} // namespace jetscope
