// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments about waits: how the CPU waits for the device, and for GL.
#include "gpu/measure/experiments.h"

#include "gpu/gl/api.h"
#include "gpu/gl/context.h"
#include "gpu/gl/texture.h"

#include <algorithm>
#include <thread>

#include <sys/resource.h>

namespace jetscope {

namespace {

constexpr double kNsInMicros = 1000;
constexpr double kWorkNs = 1e6; ///< Long enough that a blocked thread sleeps.
constexpr int kMaxPasses = 4000;
constexpr int kPassTrials = 5;
constexpr int kPassesInTrial = 8;
constexpr double kShortestPassNs = 100;
constexpr int kWaitsInRound = 10;
constexpr std::int64_t kFenceLimitNs = 5'000'000;
constexpr int kFenceSide = 256;
constexpr int kFencesInRound = 5;

double threadCpuMicros()
{
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    const auto micros = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
    };
    return micros(usage.ru_utime) + micros(usage.ru_stime);
}

/// Waits for work of about a millisecond, several times under a policy.
Result<std::vector<double>> measurePolicy(ProbeBench &bench, MeasuredMemory &memory, int passes, WaitPolicy policy)
{
    JETSCOPE_TRY(bench.device().setWaitPolicy(policy));
    const double cpuBegin = threadCpuMicros();
    const Result<double> ns = medianNanoseconds(kWaitsInRound, [&]() -> Status {
        JETSCOPE_TRY(memory.readOnDevice(passes));
        return bench.synchronize();
    });
    const double cpu = (threadCpuMicros() - cpuBegin) / kWaitsInRound;
    JETSCOPE_TRY(bench.device().setWaitPolicy(bench.quickWait()));
    if (!ns.ok())
        return ns.error();
    return std::vector{ns.value() / kNsInMicros, cpu};
}

/// How many passes over the memory take about so long.
Result<int> passesFor(ProbeBench &bench, MeasuredMemory &memory, double wantedNs)
{
    double pass = wantedNs;
    for (int i = 0; i < kPassTrials; ++i) { // The shortest one, since a busy machine makes some longer.
        JETSCOPE_TRY_ASSIGN(const std::vector<double> times,
                            bench.deviceTimes({[&memory] { return memory.readOnDevice(kPassesInTrial); }}));
        pass = std::min(pass, times[0] / kPassesInTrial);
    }
    pass = std::max(kShortestPassNs, pass);
    return static_cast<int>(std::clamp(wantedNs / pass, 1.0, static_cast<double>(kMaxPasses)));
}

/// A GL context of its own with something to draw into.
class FenceScene {
public:
    static Result<std::shared_ptr<FenceScene>> create(ProbeBench &bench)
    {
        if (!bench.display())
            return sentence("there is no EGL display");
        std::shared_ptr<FenceScene> scene(new FenceScene);
        scene->m_display = bench.display();
        JETSCOPE_TRY_ASSIGN(scene->m_context, EglContext::create(bench.display()));
        JETSCOPE_TRY(scene->m_context->makeCurrent());
        JETSCOPE_TRY_ASSIGN(scene->m_texture, GlTexture::create(kFenceSide, kFenceSide));
        JETSCOPE_TRY_ASSIGN(scene->m_framebuffer,
                            GlFramebuffer::create(scene->m_texture->id(), kFenceSide, kFenceSide));
        return scene;
    }

    /// The time until a fence behind a clear is signalled, as seen without any call that flushes; the limit if it is
    /// not signalled until then.
    Result<double> signalNs(bool flush)
    {
        JETSCOPE_TRY(m_context->makeCurrent());
        glFinish();
        m_framebuffer->bind();
        glClear(GL_COLOR_BUFFER_BIT);
        const std::int64_t begin = nowNs();
        EGLSync sync = eglCreateSync(m_display->native(), EGL_SYNC_FENCE, nullptr);
        if (sync == EGL_NO_SYNC)
            return eglError("eglCreateSync(EGL_SYNC_FENCE)");
        if (flush)
            glFlush();
        EGLAttrib state = EGL_UNSIGNALED;
        std::int64_t now = begin;
        while (state != EGL_SIGNALED && now - begin < kFenceLimitNs) {
            if (!eglGetSyncAttrib(m_display->native(), sync, EGL_SYNC_STATUS, &state))
                break;
            now = nowNs();
            std::this_thread::yield();
        }
        eglDestroySync(m_display->native(), sync);
        return static_cast<double>(state == EGL_SIGNALED ? now - begin : kFenceLimitNs);
    }

private:
    FenceScene() = default;

    std::shared_ptr<EglDisplay> m_display;
    std::unique_ptr<EglContext> m_context; ///< Destroyed last.
    std::unique_ptr<GlTexture> m_texture;
    std::unique_ptr<GlFramebuffer> m_framebuffer;
};

Result<std::vector<double>> measureFences(FenceScene &scene, bool flush)
{
    std::vector<double> times;
    double signalled = 0;
    for (int i = 0; i < kFencesInRound; ++i) {
        JETSCOPE_TRY_ASSIGN(const double ns, scene.signalNs(flush));
        times.push_back(ns);
        signalled += ns < static_cast<double>(kFenceLimitNs) ? 1 : 0;
    }
    std::sort(times.begin(), times.end());
    return std::vector{times[times.size() / 2] / kNsInMicros, 100 * signalled / kFencesInRound};
}

} // namespace

Result<PreparedExperiment> prepareWaitPolicy(ProbeBench &bench)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"latency", "us", {.least = 0.01}},
                               {"CPU time of the waiting thread", "us", {.least = 0.05, .leastInUnit = 1}}};
    prepared.design.variants = {"a wait that spins", "a wait that yields", "a wait that blocks"};
    prepared.design.comparisons = {{0, 1, 0}, {0, 2, 0}, {0, 1, 1}, {0, 2, 1}};
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<MeasuredMemory> made,
                        MeasuredMemory::create(bench, "device", bench.frameBytes()));
    const std::shared_ptr<MeasuredMemory> memory = std::move(made);
    JETSCOPE_TRY_ASSIGN(const int passes, passesFor(bench, *memory, kWorkNs));
    for (const WaitPolicy policy : {WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Block})
        addStep(prepared, [&bench, memory, passes, policy] { return measurePolicy(bench, *memory, passes, policy); });
    return prepared;
}

Result<PreparedExperiment> prepareFenceFlush(ProbeBench &bench)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"the time until the fence is signalled (5 ms at most)", "us", {.least = 0.05}},
                               {"the share of fences signalled within 5 ms",
                                "%",
                                {.direction = Direction::HigherIsBetter, .scale = Scale::Difference}}};
    prepared.design.variants = {"a flush behind the fence", "no flush"};
    prepared.design.comparisons = {{0, 1, 0}, {0, 1, 1}};
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<FenceScene> scene, FenceScene::create(bench));
    for (const bool flush : {true, false})
        addStep(prepared, [scene, flush] { return measureFences(*scene, flush); });
    return prepared;
}

} // namespace jetscope
