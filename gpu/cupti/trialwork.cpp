// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cupti/trialwork.h"

#include "core/time/clock.h"

#include <array>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kBytes = 4'096;
/// CUPTI converts the GPU's clock to the host's by interpolation, accurate to microseconds.
constexpr std::int64_t kConversionSlackNs = 2'000'000;

/// For every GPU from Maxwell on: the driver compiles it for the installed GPU.
constexpr const char *kKernelText =
    ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry jetscopeTrial()\n{\n    ret;\n}\n";

} // namespace

Result<TrialWork> TrialWork::prepare(int ordinal, const std::string &driver)
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

TrialWork::TrialWork(TrialWork &&other) noexcept
    : m_api(other.m_api),
      m_device(other.m_device),
      m_owner(std::exchange(other.m_owner, false)),
      m_launchedKernel(other.m_launchedKernel),
      m_beganNs(other.m_beganNs),
      m_endedNs(other.m_endedNs)
{
}

TrialWork::~TrialWork()
{
    if (m_owner)
        m_api.releasePrimaryContext(m_device);
}

Status TrialWork::check(const char *call, int code) const
{
    if (code == 0)
        return {};
    const char *text = nullptr;
    if (m_api.getErrorString(code, &text) != 0 || !text)
        text = "an error that the driver does not name";
    return Error{call, code, std::string("the CUPTI trial could not use the GPU: ") + text};
}

std::optional<bool> TrialWork::concurrentManagedAccess() const
{
    constexpr int kAttribute = 89; // CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS
    int value = 0;
    if (!m_api.deviceAttribute || m_api.deviceAttribute(&value, kAttribute, m_device) != 0)
        return std::nullopt;
    return value != 0;
}

Status TrialWork::run()
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

Status TrialWork::fillAndCopy(std::uint64_t memory)
{
    constexpr unsigned char kValue = 0x5a;
    std::array<unsigned char, kBytes> bytes{};
    JETSCOPE_TRY(check("cuMemsetD8", m_api.memset8(memory, kValue, kBytes)));
    return check("cuMemcpyDtoH", m_api.copyToHost(bytes.data(), memory, kBytes));
}

void TrialWork::launchKernel()
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

} // namespace jetscope
