// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What kernels make, how threads wait, and what events say of time.
#include "core/settings/filters.h"
#include "core/text/numbertext.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <chrono>
#include <thread>

namespace jetscope {

namespace {

constexpr int kWorkWidth = 163; ///< Odd sizes have a rest in every vector unit and block.
constexpr int kWorkHeight = 101;
constexpr std::chrono::milliseconds kWorkTime{20};
constexpr double kMostTimes = 20; ///< An event may come late on a busy machine.

VerifyFact byteFact(std::string what, const std::string &difference)
{
    return {std::move(what), "the bytes of the CPU's filters", difference.empty() ? "the same bytes" : difference,
            difference.empty() ? Agreement::Yes : Agreement::No};
}

} // namespace

Result<VerifyResult> checkFilters(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    const ImageLayout layout = makeImageLayout(PixelFormat::Rgba8, kWorkWidth, kWorkHeight);
    const PixelBytes input = patternOf(layout.bytes, 11);
    std::vector<VerifyFact> facts;
    std::vector<Filter> all;
    const auto compare = [&](std::string name, const std::vector<Filter> &chain) -> Status {
        PixelBytes greySeen;
        PixelBytes grey;
        JETSCOPE_TRY_ASSIGN(const PixelBytes seen, bench->runOn(input, layout, chain, &greySeen));
        std::string difference = differenceOf(seen, referenceOf(input, layout, chain, &grey));
        if (difference.empty() && !(difference = differenceOf(greySeen, grey)).empty())
            difference = "in the grey result: " + difference;
        facts.push_back(byteFact(std::move(name), difference));
        return {};
    };
    for (const Choice<Filter> &choice : choices<Filter>()) {
        const FilterRow *row = filterRow(choice.value);
        if (!row || row->isStage)
            continue;
        all.push_back(choice.value);
        JETSCOPE_TRY(compare(std::string(choice.name), {choice.value}));
    }
    JETSCOPE_TRY(compare("all in a row", all));
    return judged(std::move(facts));
}

Result<VerifyResult> checkFormats(VerifyWorld &world, std::string_view)
{
    using enum PixelFormat;
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    std::vector<VerifyFact> facts;
    for (const PixelFormat format : {Rgba8, Bgr8, Nv12, Yuyv, Grey8, Rgb8, Uyvy, Yu12, Yu16})
        for (const YuvColour colour :
             {YuvColour::Bt601Limited, YuvColour::Bt601Full, YuvColour::Bt709Limited, YuvColour::Bt709Full}) {
            if (!isYuv(format) && colour != YuvColour::Bt601Limited)
                continue;
            const ImageLayout layout = makeImageLayout(format, kWorkWidth, kWorkHeight, colour);
            const PixelBytes input = patternOf(layout.bytes, 23);
            JETSCOPE_TRY_ASSIGN(const PixelBytes seen, bench->runOn(input, layout));
            std::string name(pixelFormatName(format));
            if (isYuv(format))
                name += ", " + std::string(yuvColourName(colour));
            facts.push_back(byteFact(std::move(name), differenceOf(seen, referenceOf(input, layout, {}))));
        }
    return judged(std::move(facts));
}

Result<VerifyResult> checkWaitPolicy(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    Device &device = bench->device();
    std::vector<VerifyFact> facts;
    for (const WaitPolicy policy : {WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Block}) {
        const Status set = device.setWaitPolicy(policy);
        const std::string found = set.ok() ? std::string(nameOf(device.waitPolicy())) : set.error().message();
        facts.push_back({"wait policy " + std::string(nameOf(policy)) + " on a device in use",
                         std::string(nameOf(policy)), found,
                         set.ok() && device.waitPolicy() == policy ? Agreement::Yes : Agreement::No});
    }
    return judged(std::move(facts));
}

Result<VerifyResult> checkEventTimes(VerifyWorld &world, std::string_view)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Workbench> bench, Workbench::open(world));
    Device &device = bench->device();
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Event> before, device.createEvent(Device::Timing::On));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Event> after, device.createEvent(Device::Timing::On));
    JETSCOPE_TRY(device.record(*before, bench->stream()));
    JETSCOPE_TRY(device.launchHost(bench->stream(), [] { std::this_thread::sleep_for(kWorkTime); }));
    JETSCOPE_TRY(device.record(*after, bench->stream()));
    JETSCOPE_TRY(device.synchronize(bench->stream()));
    JETSCOPE_TRY_ASSIGN(const std::int64_t ns, device.elapsedNs(*before, *after));
    const double ms = static_cast<double>(ns) / 1e6;
    const auto least = static_cast<double>(kWorkTime.count());
    // The clock of a device may be 1 % off that of the CPU.
    const bool agrees = ms >= least * 0.99 && ms <= least * kMostTimes;
    return judged({{"time between two events around a host function of " + std::to_string(kWorkTime.count()) + " ms",
                    "at least " + std::to_string(kWorkTime.count()) + " ms, and not many times as long",
                    threeFigures(ms) + " ms", agrees ? Agreement::Yes : Agreement::No}});
}

} // namespace jetscope
