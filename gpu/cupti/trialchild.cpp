// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/trialchild.h"

#include "core/text/parsenumber.h"
#include "core/time/clock.h"
#include "gpu/cupti/childprocess.h"
#include "gpu/cupti/cuptisession.h"
#include "gpu/cupti/driverapi.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kBytes = 4'096;
/// CUPTI converts the GPU's clock to the host's by interpolation, accurate to microseconds.
constexpr std::int64_t kConversionSlackNs = 2'000'000;

/// For every GPU from Maxwell on: the driver compiles it for the installed GPU.
constexpr const char *kKernelText =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry jetscopeTrial()\n{\n    ret;\n}\n";

/// A small amount of work for a device: a memset, a copy and, if the driver can compile it, an empty kernel. One
/// thread.
class TrialWork {
public:
    /// Makes the device's primary context current on this thread.
    static Result<TrialWork> prepare(int ordinal, const std::string &driver)
    {
        JETSCOPE_TRY_ASSIGN(const DriverApi api, DriverApi::load(driver));
        TrialWork work(api, 0);
        work.m_owner = false;
        JETSCOPE_TRY(work.check("cuInit", work.m_api.init(0)));
        JETSCOPE_TRY(work.check("cuDeviceGet", work.m_api.deviceGet(&work.m_device, ordinal)));
        void *context = nullptr;
        JETSCOPE_TRY(work.check("cuDevicePrimaryCtxRetain", work.m_api.retainPrimaryContext(&context, work.m_device)));
        work.m_owner = true;
        JETSCOPE_TRY(work.check("cuCtxSetCurrent", work.m_api.setCurrentContext(context)));
        return work;
    }

    TrialWork(TrialWork &&other) noexcept
        : m_api(other.m_api),
          m_device(other.m_device),
          m_owner(std::exchange(other.m_owner, false)),
          m_launchedKernel(other.m_launchedKernel),
          m_beganNs(other.m_beganNs),
          m_endedNs(other.m_endedNs)
    {
    }

    TrialWork &operator=(TrialWork &&) = delete;

    ~TrialWork()
    {
        if (m_owner)
            m_api.releasePrimaryContext(m_device);
    }

    /// Runs the work and waits for it.
    Status run()
    {
        m_beganNs = nowNs() - kConversionSlackNs;
        std::uint64_t memory = 0;
        JETSCOPE_TRY(check("cuMemAlloc", m_api.allocate(&memory, kBytes)));
        const Status done = fillAndCopy(memory);
        launchKernel();
        const Status synchronized = check("cuCtxSynchronize", m_api.synchronizeContext());
        m_endedNs = nowNs() + kConversionSlackNs;
        m_api.free(memory);
        return done.ok() ? synchronized : done;
    }

    /// concurrentManagedAccess of the device; empty if the driver does not say.
    std::optional<bool> concurrentManagedAccess() const
    {
        constexpr int kAttribute = 89; // CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
        int value = 0;
        if (!m_api.deviceAttribute || m_api.deviceAttribute(&value, kAttribute, m_device) != 0)
            return std::nullopt;
        return value != 0;
    }

    bool launchedKernel() const { return m_launchedKernel; }
    std::int64_t beganNs() const { return m_beganNs; } ///< From nowNs(); all work is between these two times.
    std::int64_t endedNs() const { return m_endedNs; }

private:
    TrialWork(const DriverApi &api, int device) : m_api(api), m_device(device) {}

    Status check(const char *call, int code) const
    {
        if (code == 0)
            return {};
        const char *text = nullptr;
        if (m_api.getErrorString(code, &text) != 0 || !text)
            text = "an error that the driver does not name";
        return Error{call, code, std::string("the CUPTI trial could not use the GPU: ") + text};
    }

    Status fillAndCopy(std::uint64_t memory)
    {
        constexpr unsigned char kValue = 0x5a;
        std::array<unsigned char, kBytes> bytes{};
        JETSCOPE_TRY(check("cuMemsetD8", m_api.memset8(memory, kValue, kBytes)));
        return check("cuMemcpyDtoH", m_api.copyToHost(bytes.data(), memory, kBytes));
    }

    void launchKernel()
    {
        void *module = nullptr;
        void *function = nullptr;
        if (m_api.loadModule(&module, kKernelText) != 0)
            return;
        m_launchedKernel = m_api.getFunction(&function, module, "jetscopeTrial") == 0
            && m_api.launchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr) == 0
            && m_api.synchronizeContext() == 0;
        m_api.unloadModule(module);
    }

    DriverApi m_api;
    int m_device;
    bool m_owner = true;
    bool m_launchedKernel = false;
    std::int64_t m_beganNs = 0;
    std::int64_t m_endedNs = 0;
};

/// Callbacks, as the library asks for them in inspected programs: where CUPTI is not allowed, it may crash when it is
/// subscribed to, and that must happen here. A refusal is no failure: the library does without.
class TrialCallbacks {
public:
    explicit TrialCallbacks(const cupti::Api &api) : m_api(api)
    {
        constexpr std::uint32_t kLaunchKernel = 307; // Of cupti_driver_cbid.h.
        const auto ignore = [](void *, int, std::uint32_t, const void *) {};
        if (m_api.subscribe(&m_subscriber, ignore, nullptr) == cupti::kSuccess)
            m_api.enableCallback(1, m_subscriber, JSC_DOMAIN_DRIVER, kLaunchKernel);
        else
            m_subscriber = nullptr;
    }
    ~TrialCallbacks()
    {
        if (m_subscriber)
            m_api.unsubscribe(m_subscriber);
    }
    TrialCallbacks(const TrialCallbacks &) = delete;

private:
    const cupti::Api &m_api;
    void *m_subscriber = nullptr;
};

constexpr unsigned kMaxSeconds = 30;
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
    const TrialCallbacks callbacks(loaded.value().api());
    if (const Status done = work.value().run(); !done.ok())
        return failWith(report, done.error().message(), TrialReport::Verdict::Final);
    if (const std::string reason = fetchAndJudge(*session.value(), work.value()); !reason.empty())
        return failWith(report, reason);
    report.verdict = TrialReport::Verdict::Usable;
    return report;
}

int cuptiTrialMain(int argc, char **argv)
{
    const ChildReport report(kMaxSeconds);
    if (!report.canWrite())
        return 1;
    const std::optional<int> ordinal = argc == 3 ? parseNumber<int>(argv[0], 0) : std::nullopt;
    if (!ordinal)
        return 2;
    return report.write(tryCupti(*ordinal, argv[1], argv[2]).text()) ? 0 : 1;
}

} // namespace jetscope
