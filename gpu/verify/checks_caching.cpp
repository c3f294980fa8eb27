// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Table 1 of the CUDA for Tegra note: which processor caches which memory, found by reading it again.
#include "core/measure/probe/memorywalk.h"
#include "core/platform/memorytable.h"
#include "core/text/numbertext.h"
#include "core/time/clock.h"
#include "gpu/measure/probebench.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kCacheSide = 384; ///< 576 KiB: more than a first-level cache, less than the last level of any board.
constexpr int kCpuPasses = 64;
constexpr int kDevicePasses = 256;
constexpr int kRepetitions = 5;
/// A share from which memory counts as cached, and one up to which it counts as not cached.
constexpr double kCachedFrom = 0.5;
constexpr double kUncachedTo = 0.3;

/// A row of the table, and its name as a memory of a probe.
struct CachedKind {
    std::string_view kind;
    std::string_view probed;
};
constexpr CachedKind kCachedKinds[] = {
    {"pinned host memory", "zero-copy"}, {"registered host memory", "registered"}, {"unified memory", "unified"}};

double medianTime(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// How long the CPU takes to read memory again.
Result<double> cpuTime(ProbeBench &bench, std::string_view kind)
{
    JETSCOPE_TRY_ASSIGN(const auto memory, MeasuredMemory::create(bench, kind, bench.frameBytes()));
    JETSCOPE_TRY(memory->giveToCpu());
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) {
        memory->read(1);
        const std::int64_t begin = nowNs();
        memory->read(kCpuPasses);
        times.push_back(static_cast<double>(nowNs() - begin));
    }
    return medianTime(times);
}

Result<double> deviceTime(ProbeBench &bench, std::string_view kind)
{
    JETSCOPE_TRY_ASSIGN(const auto memory, MeasuredMemory::create(bench, kind, bench.frameBytes()));
    JETSCOPE_TRY(memory->giveToDevice());
    std::vector<double> times;
    for (int i = 0; i < kRepetitions; ++i) {
        JETSCOPE_TRY_ASSIGN(const std::vector<double> measured,
                            bench.deviceTimes({[&] { return memory->readOnDevice(1); },
                                               [&] { return memory->readOnDevice(kDevicePasses); }}));
        times.push_back(std::max(measured[1], 1.0));
    }
    return medianTime(times);
}

Result<CacheShares> probeCaches(Workbench &bench, std::string_view kind)
{
    JETSCOPE_TRY_ASSIGN(const auto probe, ProbeBench::create(bench.device(), bench.display(), kCacheSide, kCacheSide));
    JETSCOPE_TRY_ASSIGN(const double plain, cpuTime(*probe, "pageable"));
    JETSCOPE_TRY_ASSIGN(const double cpu, cpuTime(*probe, kind));
    JETSCOPE_TRY_ASSIGN(const double own, deviceTime(*probe, "device"));
    JETSCOPE_TRY_ASSIGN(const double gpu, deviceTime(*probe, kind));
    return CacheShares{plain / cpu, own / gpu};
}

VerifyFact factOf(std::string_view what, const CacheCell &cell, double share)
{
    const bool isCached = share >= kCachedFrom;
    const bool isUncached = share <= kUncachedTo;
    VerifyFact fact{std::string(what), std::string(nameOf(cell.caching)) + " (" + std::string(cell.why) + ")",
                    std::string(isCached         ? "cached"
                                    : isUncached ? "uncached"
                                                 : "undecided")
                        + ": a further read has " + threeFigures(share) + " of the rate of memory that it caches",
                    Agreement::Open};
    const bool isFixed = cell.caching == Caching::Cached || cell.caching == Caching::Uncached;
    if (isFixed && (isCached || isUncached))
        fact.agrees = isCached == (cell.caching == Caching::Cached) ? Agreement::Yes : Agreement::No;
    return fact;
}

} // namespace

/// `key`: "pinned host memory/cpu".
Result<VerifyResult> checkCaching(VerifyWorld &world, std::string_view key)
{
    const std::string_view kind = key.substr(0, key.find('/'));
    const bool isCpu = key.ends_with("/cpu");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const DeviceFacts &facts = bench->facts();
    if (facts.software)
        return notPossible("the software iGPU follows the rules of a board, and not its times");
    if (!facts.integrated && !isCpu)
        return notPossible("no Tegra here: the table is one of integrated GPUs");
    const auto rows = memoryTable(facts);
    const auto row = std::find_if(rows.begin(), rows.end(), [kind](const auto &each) { return each.kind == kind; });
    const auto *const known = std::find_if(std::begin(kCachedKinds), std::end(kCachedKinds),
                                           [kind](const CachedKind &each) { return each.kind == kind; });
    if (row == rows.end() || known == std::end(kCachedKinds))
        return sentence("the table has no such row");
    const CacheCell &cell = isCpu ? row->cpu : row->gpu;
    if (cell.caching == Caching::NotSupported || cell.caching == Caching::NotAccessible)
        return notPossible(std::string(nameOf(cell.caching)) + ": " + std::string(cell.why));
    JETSCOPE_TRY_ASSIGN(const CacheShares shares,
                        world.measureCaches ? world.measureCaches(*bench, known->probed)
                                            : probeCaches(*bench, known->probed));
    const std::optional<double> share = isCpu ? shares.cpu : shares.gpu;
    if (!share)
        return notPossible("the processor does not reach the memory");
    return judged({factOf(std::string(kind) + (isCpu ? " for the CPU" : " for the GPU"), cell, *share)});
}

} // namespace jetscope
