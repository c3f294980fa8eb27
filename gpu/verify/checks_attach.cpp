// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Table 2 of the CUDA for Tegra note: what a change of the attachment prefetches. One that moves memory takes longer
// the more memory there is; one that moves none does not.
#include "core/platform/memorytable.h"
#include "core/text/numbertext.h"
#include "core/time/clock.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <algorithm>
#include <cstring>

namespace jetscope {

namespace {

constexpr std::size_t kFewBytes = std::size_t{64} << 10U;
constexpr std::size_t kManyBytes = std::size_t{16} << 20U;
constexpr int kAttachments = 9;
/// Times of many bytes over those of few, from which an attachment moves memory, and up to which it moves none.
constexpr double kMovesFrom = 4;
constexpr double kMovesNoneTo = 2;

Attach targetOf(AttachFlag flag)
{
    return flag == AttachFlag::Global ? Attach::Global : flag == AttachFlag::Host ? Attach::Host : Attach::Single;
}

/// "global/host"
std::string keyOf(const AttachTransition &transition)
{
    const auto word = [](AttachFlag flag) {
        return flag == AttachFlag::Global ? "global" : flag == AttachFlag::Host ? "host" : "single";
    };
    return std::string(word(transition.from)) + "/" + word(transition.to);
}

/// How long an attachment takes of memory that the side before it has just written.
Result<double> attachTime(Workbench &bench, const AttachTransition &transition, std::size_t bytes)
{
    Device &device = bench.device();
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, device.allocate(Allocation::Managed, bytes));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> other, device.allocate(Allocation::Device, bytes));
    std::vector<std::int64_t> times;
    for (int i = 0; i < kAttachments; ++i) {
        JETSCOPE_TRY(device.attach(*memory, targetOf(transition.from), bench.stream()));
        JETSCOPE_TRY(device.synchronize(bench.stream()));
        if (transition.from == AttachFlag::Host)
            std::memset(CpuWrite(device, wholeOf(*memory)).data(), i, bytes);
        else
            JETSCOPE_TRY(device.copyAsync(wholeOf(*memory), wholeOf(*other), CopyKind::DeviceToDevice, bench.stream()));
        JETSCOPE_TRY(device.synchronize(bench.stream()));
        const std::int64_t begin = nowNs();
        JETSCOPE_TRY(device.attach(*memory, targetOf(transition.to), bench.stream()));
        JETSCOPE_TRY(device.synchronize(bench.stream()));
        times.push_back(std::max<std::int64_t>(nowNs() - begin, 1));
    }
    std::ranges::sort(times);
    return static_cast<double>(times[times.size() / 2]);
}

Result<double> measureGrowth(Workbench &bench, const AttachTransition &transition)
{
    JETSCOPE_TRY_ASSIGN(const double few, attachTime(bench, transition, kFewBytes));
    JETSCOPE_TRY_ASSIGN(const double many, attachTime(bench, transition, kManyBytes));
    return many / few;
}

VerifyFact factOf(const AttachTransition &transition, double growth)
{
    const bool isMoved = growth >= kMovesFrom;
    const bool isLeft = growth <= kMovesNoneTo;
    const bool isPromised = transition.effect != AttachEffect::None;
    VerifyFact fact{"from " + std::string(nameOf(transition.from)) + " to " + std::string(nameOf(transition.to)),
                    transition.effect == AttachEffect::PrefetchesToCpu       ? "prefetches to the CPU"
                        : transition.effect == AttachEffect::PrefetchesToGpu ? "prefetches to the GPU"
                                                                             : "prefetches nothing",
                    std::string(isMoved      ? "moves memory"
                                    : isLeft ? "moves none"
                                             : "undecided")
                        + ": 16 MiB take " + threeFigures(growth) + " times as long as 64 KiB",
                    Agreement::Open};
    if (isMoved || isLeft)
        fact.agrees = isMoved == isPromised ? Agreement::Yes : Agreement::No;
    return fact;
}

} // namespace

/// `key`: "global/host".
Result<VerifyResult> checkAttachment(VerifyWorld &world, std::string_view key)
{
    const auto transition = std::ranges::find(attachTransitions(), key, keyOf);
    if (transition == attachTransitions().end())
        return sentence("the table has no such row");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const DeviceFacts &facts = bench->facts();
    if (facts.software)
        return notPossible("the software iGPU follows the rules of a board, and not its times");
    if (!facts.integrated)
        return notPossible("no Tegra here: the table is one of integrated GPUs");
    if (const Capability prefetches = attachmentsPrefetch(facts); !prefetches.available)
        return notPossible(prefetches.reason);
    JETSCOPE_TRY_ASSIGN(const double growth,
                        world.measureAttachment ? world.measureAttachment(*transition)
                                                : measureGrowth(*bench, *transition));
    return judged({factOf(*transition, growth)});
}

} // namespace jetscope
