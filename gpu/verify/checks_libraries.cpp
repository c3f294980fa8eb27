// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Libraries of NVIDIA that Jetscope loads: CUPTI, VPI, cuDLA, and libraries for nvivafilter.
#include "core/board/boardidentity.h"
#include "core/platform/libraries.h"
#include "core/platform/permissions.h"
#include "core/platform/platformfacts.h"
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/stages/devicetrial.h"
#include "gpu/stages/dla/dlastage.h"
#include "gpu/stages/nviva/nvivaprocess.h"
#include "gpu/stages/vpi/vpistage.h"
#include "gpu/verify/verifychecks.h"
#include "gpu/verify/workbench.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace jetscope {

namespace {

constexpr int kPictureWidth = 640;
constexpr int kPictureHeight = 480;
constexpr int kMostDifference = 4; ///< Engines round in other ways than a CPU.
constexpr int kNvivaWidth = 320;
constexpr int kNvivaHeight = 240;
constexpr int kNvivaFrames = 5;
constexpr const char *kNvivaSample = "/usr/lib/aarch64-linux-gnu/libnvsample_cudaprocess.so";

/// "cuda:0"; none for other devices.
std::optional<int> ordinalOf(std::string_view deviceId)
{
    constexpr std::string_view kCuda = "cuda:";
    int ordinal = 0;
    if (!deviceId.starts_with(kCuda)
        || std::from_chars(deviceId.data() + kCuda.size(), deviceId.data() + deviceId.size(), ordinal).ec
            != std::errc())
        return std::nullopt;
    return ordinal;
}

bool isJetson(const VerifyWorld &world)
{
    return readBoardIdentity(world.root).isJetson();
}

/// Whether CUPTI says by its documented codes that it may not profile here, which is no fault of it.
bool isRefused(const VerifyWorld &world, const std::string &reason)
{
    const ProfilingAccess access = profilingAccess(world.root);
    if (access.state == ProfilingAccess::State::AdminOnly && geteuid() != 0)
        return true;
    // Without these nodes CUPTI may even crash when it is subscribed to (CUDA.jl #3254).
    for (const NodeAccess &nodes : nodeAccess(world.root, UserIdentity::ofProcess()))
        if (nodes.state == NodeAccess::State::Denied && nodes.isForProfiling)
            return true;
    constexpr cupti::ResultCode kRefusals[] = {
        cupti::kInsufficientPrivileges,      cupti::kHardwareBusy,          cupti::kVirtualizedDeviceNotSupported,
        cupti::kVirtualizedDevicePrivileges, cupti::kConfidentialComputing, cupti::kMigDevice,
        cupti::kMultipleSubscribers};
    return std::any_of(std::begin(kRefusals), std::end(kRefusals), [&](cupti::ResultCode code) {
        return reason.find(cuptiExplanation(code)) != std::string::npos;
    });
}

} // namespace

Result<VerifyResult> checkCupti(VerifyWorld &world, std::string_view)
{
    const std::optional<int> ordinal = ordinalOf(world.deviceId);
    if (!ordinal)
        return notPossible("CUPTI is for NVIDIA's GPUs; the software iGPU stamps its own work");
    const CuptiOutcome outcome = world.tryCupti(*ordinal);
    if (outcome.usable.available) {
        VerifyResult result = passed();
        for (const std::string &remark : outcome.remarks)
            result.facts.push_back({"remark", "", remark, Agreement::Open});
        return result;
    }
    if (outcome.library.empty())
        return notPossible(outcome.usable.reason);
    return isRefused(world, outcome.usable.reason) ? notPossible(outcome.usable.reason) : failed(outcome.usable.reason);
}

namespace {

/// Without edges and noise, where engines may differ.
PixelBytes smoothPicture(const ImageLayout &layout)
{
    PixelBytes picture(layout.bytes);
    const PlaneLayout &plane = layout.planes[0];
    for (std::size_t y = 0; y < static_cast<std::size_t>(plane.rows); ++y)
        for (std::size_t x = 0; x < plane.rowBytes; ++x)
            picture[y * plane.pitch + x] =
                static_cast<std::byte>(30 + x * 120 / plane.rowBytes + y * 80 / static_cast<std::size_t>(plane.rows));
    return picture;
}

/// What an algorithm makes of the smooth picture on a backend.
Result<PixelBytes> runVpi(const std::string &address)
{
    JETSCOPE_TRY_ASSIGN(const StageAddress parsed, StageAddress::parse(address));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<VpiStage> stage, VpiStage::create(parsed));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<StageInstance> instance,
                        stage->setUp({StageDevice::Memory::Host, 0, 0, 0}, kPictureWidth, kPictureHeight));
    const ImageLayout in = makeImageLayout(instance->reads(), kPictureWidth, kPictureHeight);
    const ImageLayout out = makeImageLayout(instance->makes(), kPictureWidth, kPictureHeight);
    PixelBytes input = smoothPicture(in);
    PixelBytes output(out.bytes);
    JETSCOPE_TRY(instance->run({0,
                                {in.format, in.width, in.height, input.data(), in.planes[0].pitch},
                                {out.format, out.width, out.height, output.data(), out.planes[0].pitch},
                                nullptr,
                                nullptr}));
    return output;
}

int greatestDifference(const PixelBytes &a, const PixelBytes &b)
{
    int greatest = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        greatest = std::max(greatest, std::abs(static_cast<int>(a[i]) - static_cast<int>(b[i])));
    return greatest;
}

} // namespace

/// `key`: "gaussian/pva".
Result<VerifyResult> checkVpi(VerifyWorld &world, std::string_view key)
{
    if (const Capability has = hasVpi(vpiTools().library); !has.available)
        return notPossible(has.reason);
    const std::string algorithm(key.substr(0, key.find('/')));
    const std::string backend(key.substr(key.find('/') + 1));
    const Result<PixelBytes> wanted = runVpi(algorithm + "?backend=cpu");
    const Result<PixelBytes> found = runVpi(algorithm + "?backend=" + backend);
    if (!found.ok() && !isJetson(world))
        return notPossible(found.error().message());
    if (!wanted.ok() || !found.ok())
        return wanted.ok() ? found.error() : wanted.error();
    const int difference = greatestDifference(found.value(), wanted.value());
    return judged(
        {{algorithm + " on " + backend, "what VPI makes on the CPU, within " + std::to_string(kMostDifference),
          "differs by " + std::to_string(difference) + " at most",
          difference <= kMostDifference ? Agreement::Yes : Agreement::No}});
}

Result<VerifyResult> checkDlaCount(VerifyWorld &world, std::string_view)
{
    const DlaModes modes = examineDlaModes();
    if (modes.version.empty())
        return notPossible(modes.hybrid.reason);
    const DlaCount tree = countDlas(world.root);
    if (!tree.count)
        return notPossible(tree.reason);
    return judged({{"DLAs", std::to_string(*tree.count) + " in the device tree",
                    std::to_string(modes.engines) + " in cuDLA " + modes.version,
                    *tree.count == modes.engines ? Agreement::Yes : Agreement::No}});
}

namespace {

struct LoadableRun {
    std::string wrong; ///< Or nothing.
    PixelBytes picture;
};

/// Runs the loadable on a few pictures between guards, whose borders it may not touch.
Result<LoadableRun> runLoadable(const VerifyWorld &world, std::string_view mode, int ordinal)
{
    JETSCOPE_TRY_ASSIGN(const StageAddress parsed, StageAddress::parse(world.loadable + "?mode=" + std::string(mode)));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<DlaStage> stage, DlaStage::create(parsed));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<DeviceTrial> device, DeviceTrial::open(dlaTools().driver, ordinal));
    DeviceTrialWork work;
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<StageInstance> instance,
                        stage->setUp({StageDevice::Memory::Cuda, ordinal, 0, 0}, work.width, work.height));
    work.reads = instance->reads();
    work.makes = instance->makes();
    StageImage output;
    work.run = [&](const StageFrame &frame) {
        output = frame.output;
        return instance->run(frame);
    };
    LoadableRun run;
    JETSCOPE_TRY_ASSIGN(run.wrong, device->judge(work));
    const ImageLayout layout = makeImageLayout(output.format, output.width, output.height);
    const std::size_t rowBytes = layout.planes[0].rowBytes;
    run.picture.resize(rowBytes * static_cast<std::size_t>(output.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(output.height); ++y)
        JETSCOPE_TRY(device->driver().check(
            "cuMemcpyDtoH",
            device->driver().copyToHost(run.picture.data() + y * rowBytes,
                                        reinterpret_cast<std::uintptr_t>(output.pixels + y * output.pitch), rowBytes)));
    return run;
}

/// Why a loadable cannot be run in a mode; empty if it can be tried.
std::string noLoadableFor(const VerifyWorld &world, const DlaModes &modes, const Capability &mode)
{
    if (modes.engines == 0)
        return mode.reason;
    if (world.loadable.empty())
        return "it needs a loadable, which only TensorRT makes: name one with --loadable";
    return ordinalOf(world.deviceId) ? "" : "a DLA needs the CUDA device of its board";
}

} // namespace

/// `key`: "hybrid" or "standalone".
Result<VerifyResult> checkDlaTask(VerifyWorld &world, std::string_view key)
{
    const DlaModes modes = examineDlaModes();
    const Capability &mode = key == "hybrid" ? modes.hybrid : modes.standalone;
    if (modes.engines > 0 && !mode.available)
        return failed(mode.reason);
    if (const std::string why = noLoadableFor(world, modes, mode); !why.empty())
        return notPossible(why);
    JETSCOPE_TRY_ASSIGN(const LoadableRun run, runLoadable(world, key, *ordinalOf(world.deviceId)));
    return run.wrong.empty() ? passed() : failed(run.wrong);
}

Result<VerifyResult> checkDlaModes(VerifyWorld &world, std::string_view)
{
    const DlaModes modes = examineDlaModes();
    for (const Capability &mode : {modes.hybrid, modes.standalone})
        if (const std::string why = noLoadableFor(world, modes, mode); !why.empty())
            return notPossible(why);
    const int ordinal = *ordinalOf(world.deviceId);
    const Result<LoadableRun> hybrid = runLoadable(world, "hybrid", ordinal);
    const Result<LoadableRun> standalone = runLoadable(world, "standalone", ordinal);
    if (!hybrid.ok() || !standalone.ok()) // The rows of the modes say it.
        return notPossible("the loadable does not run in both modes");
    const std::string difference = differenceOf(standalone.value().picture, hybrid.value().picture);
    return judged(
        {{"picture of the standalone mode", "that of the hybrid mode", difference.empty() ? "the same" : difference,
          difference.empty() ? Agreement::Yes : Agreement::No}});
}

Result<VerifyResult> checkNviva(VerifyWorld &world, std::string_view)
{
    const std::optional<int> ordinal = ordinalOf(world.deviceId);
    const std::string library = world.nvivaLibrary.empty() ? kNvivaSample : world.nvivaLibrary;
    std::error_code unknown;
    if (!ordinal || !std::filesystem::exists(library, unknown))
        return notPossible("NVIDIA's sample for nvivafilter is not installed here (" + std::string(kNvivaSample) + ")");
    JETSCOPE_TRY_ASSIGN(const std::string standIns, findNvivaStandIns());
    JETSCOPE_TRY_ASSIGN(
        const auto process,
        NvivaProcess::start({library, standIns, nvivaTools().driver, *ordinal, nvivaTools().surfaces, "gbp"}));
    JETSCOPE_TRY(process->resize(kNvivaWidth, kNvivaHeight));
    std::uint32_t fewest = ~0U;
    for (int i = 0; i < kNvivaFrames; ++i) {
        const PixelBytes picture =
            patternOf(std::size_t{4} * kNvivaWidth * kNvivaHeight, static_cast<std::uint32_t>(i) + 600);
        std::copy(picture.begin(), picture.end(), process->frame());
        JETSCOPE_TRY_ASSIGN(const NvivaWork *const work, process->run());
        fewest = std::min(fewest, work->registrations);
    }
    return judged({{"registrations of the frame's EGLImage", "at least one for each frame", std::to_string(fewest),
                    fewest > 0 ? Agreement::Yes : Agreement::No},
                   {"EGLImage of the frame", "a real one", process->isByEglImage() ? "a real one" : "a stand-in",
                    process->isByEglImage() ? Agreement::Yes : Agreement::Open}});
}

} // namespace jetscope
