// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/dlastage.h"
#include "tests/support/cputensors.h"
#include "tests/support/fakecudla.h"
#include "tests/support/fakeexternal.h"
#include "tests/support/fakenvsci.h"

#include <QString>

#include <dlfcn.h>
#include <utility>

// The made-up libraries that tests of DLA stages load, as one world.
namespace jetscope::testing {

template <class Function>
Function *callOf(const char *library, const char *name)
{
    return reinterpret_cast<Function *>(dlsym(dlopen(library, RTLD_NOW | RTLD_LOCAL), name));
}
#define FAKE_DLA(name) testing::callOf<decltype(name)>(JETSCOPE_FAKE_CUDLA, #name)
#define FAKE_CUDA(name) testing::callOf<decltype(name)>(JETSCOPE_FAKE_DRIVER, #name)
#define FAKE_SCI(library, name) testing::callOf<decltype(name)>(library, #name)
constexpr const char *kSciLibraries[] = {JETSCOPE_FAKE_NVSCIBUF, JETSCOPE_FAKE_NVSCISYNC};

inline DlaTools dlaWorld(std::chrono::milliseconds timeout = std::chrono::seconds(60))
{
    return {JETSCOPE_FAKE_CUDLA,    JETSCOPE_FAKE_DRIVER,   &cpuTensorKernels(), timeout,
            JETSCOPE_FAKE_NVSCIBUF, JETSCOPE_FAKE_NVSCISYNC};
}

/// What exists in all libraries; 0 where nothing leaks.
inline int dlaWorldLive()
{
    int live = FAKE_DLA(fakeCudlaLive)() + FAKE_CUDA(fakeExternalLive)();
    for (const char *library : kSciLibraries)
        live += FAKE_SCI(library, fakeSciLive)();
    return live;
}

/// What was done against a contract, and forgets it.
inline QString dlaWorldViolations()
{
    QString all = FAKE_DLA(fakeCudlaViolations)();
    all += FAKE_CUDA(fakeExternalViolations)();
    for (const char *library : kSciLibraries)
        all += FAKE_SCI(library, fakeSciViolations)();
    return all;
}

/// Every function works again.
inline void clearFailures()
{
    FAKE_DLA(fakeCudlaFail)("");
    FAKE_DLA(fakeCudlaError)(0);
    FAKE_DLA(fakeCudlaOnTask)(nullptr);
    FAKE_DLA(fakeCudlaSkewStandalone)(false);
    FAKE_CUDA(fakeExternalFail)("");
    callOf<void(bool)>(JETSCOPE_FAKE_DRIVER, "fakeDriverHang")(false);
    callOf<void(int)>(JETSCOPE_FAKE_DRIVER, "fakeDriverFailEvents")(0);
    for (const char *library : kSciLibraries) {
        FAKE_SCI(library, fakeSciFail)("");
        FAKE_SCI(library, fakeSciPreferSemaphores)(false);
    }
}

/// Nothing exists, either.
inline void renewDlaWorld()
{
    clearFailures();
    FAKE_DLA(fakeCudlaCount)(2);
    FAKE_DLA(fakeCudlaForget)();
    FAKE_CUDA(fakeExternalForget)();
    for (const char *library : kSciLibraries)
        FAKE_SCI(library, fakeSciForget)();
    static_cast<void>(dlaWorldViolations());
}

/// Events that are recorded from now on, and so the work before them, are not complete until this ends.
inline void hangCuda(bool hangs)
{
    callOf<void(bool)>(JETSCOPE_FAKE_DRIVER, "fakeDriverHang")(hangs);
}
/// The DLA never ends a task, but the work of CUDA before it.
inline void hangTasks()
{
    FAKE_DLA(fakeCudlaOnTask)([] { hangCuda(true); });
}
inline void failEvents(int code)
{
    callOf<void(int)>(JETSCOPE_FAKE_DRIVER, "fakeDriverFailEvents")(code);
}

inline StageDevice cudaStageDevice()
{
    StageDevice device;
    device.memory = StageDevice::Memory::Cuda;
    return device;
}

/// A frame with padding behind its rows.
struct DlaFrame {
    static constexpr int kWidth = 97;
    static constexpr int kHeight = 41;
    static constexpr std::size_t kPitch = kWidth * 4 + 20;

    explicit DlaFrame(std::uint32_t seed) : bytes(kPitch * kHeight)
    {
        for (std::byte &each : bytes)
            each = static_cast<std::byte>((seed = seed * 1664525 + 1013904223) >> 24);
    }
    StageImage image() { return {PixelFormat::Rgba8, kWidth, kHeight, bytes.data(), kPitch}; }
    int at(int x, int y, int channel) const
    {
        return static_cast<int>(
            bytes[static_cast<std::size_t>(y) * kPitch + static_cast<std::size_t>(4 * x + channel)]);
    }
    std::vector<std::byte> bytes;
};

inline void *streamNumber(std::uintptr_t number)
{
    return reinterpret_cast<void *>(number); // NOLINT
}

/// Three channels of half, 24x16, and a heat map of two.
constexpr const char *kHeatLoadable = "fakedla heat 1 2 3 16 24 0 0 2304 1 2 2 16 24 0 0 1536";

/// A stage with its instance. The file of the loadable is in this folder.
struct DlaRun {
    std::unique_ptr<DlaStage> stage;
    std::unique_ptr<StageInstance> instance;

    static Result<DlaRun> open(const std::string &file, const std::string &options)
    {
        DlaRun run;
        JETSCOPE_TRY_ASSIGN(const StageAddress address, StageAddress::parse(file + options));
        JETSCOPE_TRY_ASSIGN(run.stage, DlaStage::create(address));
        JETSCOPE_TRY_ASSIGN(run.instance, run.stage->setUp(cudaStageDevice(), DlaFrame::kWidth, DlaFrame::kHeight));
        return run;
    }
    Status frame(std::uint64_t number, std::uintptr_t stream)
    {
        DlaFrame input(1);
        DlaFrame output(2);
        return instance->run({number, input.image(), output.image(), streamNumber(stream)});
    }
};

} // namespace jetscope::testing
