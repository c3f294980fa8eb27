// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/stages/devicetrial.h"

#include <vector>

namespace jetscope {

namespace {

constexpr std::size_t kGuardBytes = 4096;
constexpr std::byte kGuardFill{0x33};

/// A picture in device memory, usually with guards before and behind it. Ends with the process.
class DevicePicture {
public:
    DevicePicture(const KernelDriver &driver, PixelFormat format, const DeviceTrialWork &work)
        : m_driver(driver),
          m_layout(makeImageLayout(format, work.width, work.height)),
          m_guardBytes(work.isExact ? 0 : kGuardBytes)
    {
        if (work.isExact) {
            m_layout.planes[0].pitch = m_layout.planes[0].rowBytes;
            m_layout.bytes = m_layout.planes[0].rowBytes * static_cast<std::size_t>(work.height);
        }
        m_bytes.resize(m_layout.bytes + 2 * m_guardBytes);
    }

    Status make(std::byte fill, bool isRandom)
    {
        m_bytes.assign(m_bytes.size(), kGuardFill);
        std::uint32_t random = 17;
        for (std::size_t i = 0; i < m_layout.bytes; ++i)
            m_bytes[m_guardBytes + i] =
                isRandom ? static_cast<std::byte>((random = random * 1664525 + 1013904223) >> 24) : fill;
        if (m_memory == 0)
            JETSCOPE_TRY(m_driver.check("cuMemAlloc", m_driver.allocate(&m_memory, m_bytes.size())));
        return m_driver.check("cuMemcpyHtoD", m_driver.copyToDevice(m_memory, m_bytes.data(), m_bytes.size()));
    }
    /// The bytes on the device now.
    Result<std::vector<std::byte>> fetch() const
    {
        std::vector<std::byte> bytes(m_bytes.size());
        JETSCOPE_TRY(m_driver.check("cuMemcpyDtoH", m_driver.copyToHost(bytes.data(), m_memory, bytes.size())));
        return bytes;
    }
    const std::vector<std::byte> &made() const { return m_bytes; }
    bool isGuard(std::size_t byte) const { return byte < m_guardBytes || byte >= m_guardBytes + m_layout.bytes; }
    bool isPixel(std::size_t byte) const
    {
        if (isGuard(byte))
            return false;
        return (byte - m_guardBytes) % m_layout.planes[0].pitch < m_layout.planes[0].rowBytes;
    }
    StageImage image() const
    {
        return {m_layout.format, m_layout.width, m_layout.height,
                reinterpret_cast<std::byte *>(m_memory + m_guardBytes), m_layout.planes[0].pitch};
    }

private:
    const KernelDriver &m_driver;
    ImageLayout m_layout;
    const std::size_t m_guardBytes;
    std::vector<std::byte> m_bytes;
    std::uint64_t m_memory = 0;
};

/// What is wrong with the outputs of two runs that began with different bytes; empty if nothing.
std::string judgeOutputs(const DevicePicture &output, const std::vector<std::byte> (&results)[2],
                         const std::byte (&fills)[2])
{
    for (std::size_t i = 0; i < results[0].size(); ++i) {
        const bool isGuard = output.isGuard(i);
        const bool kept =
            results[0][i] == (isGuard ? kGuardFill : fills[0]) && results[1][i] == (isGuard ? kGuardFill : fills[1]);
        if (output.isPixel(i) && kept)
            return "it did not write every pixel of its output";
        if (!output.isPixel(i) && !kept)
            return "it wrote outside of its output";
    }
    return {};
}

} // namespace

Result<std::unique_ptr<DeviceTrial>> DeviceTrial::open(const std::string &driverPath, int ordinal)
{
    JETSCOPE_TRY_ASSIGN(const KernelDriver driver, KernelDriver::load(driverPath));
    int device = 0;
    void *context = nullptr;
    std::unique_ptr<DeviceTrial> trial(new DeviceTrial(driver));
    JETSCOPE_TRY(driver.check("cuInit", driver.init(0)));
    JETSCOPE_TRY(driver.check("cuDeviceGet", driver.deviceGet(&device, ordinal)));
    JETSCOPE_TRY(driver.check("cuDevicePrimaryCtxRetain", driver.retainPrimaryContext(&context, device)));
    JETSCOPE_TRY(driver.check("cuCtxSetCurrent", driver.setCurrentContext(context)));
    JETSCOPE_TRY(driver.check("cuStreamCreate", driver.createStream(&trial->m_stream, driver::kNonBlocking)));
    return trial;
}

Result<std::string> DeviceTrial::judge(const DeviceTrialWork &work) const
{
    DevicePicture input(m_driver, work.reads, work);
    DevicePicture output(m_driver, work.makes, work);
    const std::byte fills[] = {std::byte{0x5a}, std::byte{0xa5}};
    std::vector<std::byte> results[2];
    for (std::size_t run = 0; run < 2; ++run) {
        JETSCOPE_TRY(input.make({}, true));
        JETSCOPE_TRY(output.make(fills[run], false));
        // A copy from pageable memory may return before its bytes arrive, and the stream does not wait for it.
        JETSCOPE_TRY(m_driver.check("cuCtxSynchronize", m_driver.synchronizeContext()));
        JETSCOPE_TRY(work.run({run, input.image(), output.image(), m_stream}));
        JETSCOPE_TRY(m_driver.check("cuCtxSynchronize", m_driver.synchronizeContext()));
        JETSCOPE_TRY_ASSIGN(results[run], output.fetch());
        JETSCOPE_TRY_ASSIGN(const std::vector<std::byte> after, input.fetch());
        if (after != input.made() && !work.writesInput)
            return std::string("it changed its input without declaring that it writes it");
    }
    return judgeOutputs(output, results, fills);
}

} // namespace jetscope
