// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The probe of a device on which pinned and registered memory change places with who writes: where the CPU writes,
// registered memory takes longer, and where DMA does, pinned memory.
#include "core/measure/method/rounds.h"
#include "core/measure/probe/probepairs.h"
#include "gpu/device/backends.h"
#include "gpu/device/forwardingdevice.h"
#include "gpu/measure/probesteps.h"
#include "tests/support/gpufixture.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <chrono>
#include <thread>

using namespace jetscope;

namespace {

constexpr std::chrono::milliseconds kPlanted{20}; ///< Much more than a frame takes otherwise.

class FlippingDevice final : public ForwardingDevice {
public:
    FlippingDevice(std::unique_ptr<Device> device, bool flips) : ForwardingDevice(std::move(device)), m_flips(flips) {}

    void endCpuAccess(const BufferRange &range, Access access) override
    {
        if (access == Access::Write && range.buffer->allocation() == Allocation::Registered)
            std::this_thread::sleep_for(kPlanted);
    }
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override
    {
        const bool slow = to.buffer->allocation() == (m_flips ? Allocation::PinnedMapped : Allocation::Registered);
        if (slow && kind == CopyKind::DeviceToHost)
            JETSCOPE_TRY(launchHost(stream, [] { std::this_thread::sleep_for(kPlanted); }));
        return ForwardingDevice::copyAsync(to, from, kind, stream);
    }

private:
    const bool m_flips;
};

/// Of the two kinds and writers.
bool isOfTheFlip(const std::string &key)
{
    const bool isKind = key.starts_with("pair.zero-copy.") || key.starts_with("pair.registered.");
    return isKind && (key.find(".cpu.gpu.") != std::string::npos || key.find(".dma.gpu.") != std::string::npos);
}

/// Those of the two kinds, of rounds on a software iGPU.
std::vector<PairFlip> flipsOf(bool flips)
{
    FlippingDevice device(openDevice("soft:thor", nullptr).value(), flips);
    const std::unique_ptr<ProbeBench> bench = ProbeBench::create(device, nullptr, 64, 36).value();
    std::vector<RoundStep> steps;
    for (RoundStep &step : pairSteps(*bench))
        if (isOfTheFlip(step.keys.front()))
            steps.push_back(std::move(step));
    RoundsMethod method;
    method.most = 2 * method.fewest; // A round that another test disturbs is not to decide.
    Rounds rounds(std::move(steps), method);
    while (!rounds.isOver())
        rounds.step();
    return pairFlips(probeTable(*bench, rounds));
}

} // namespace

class TestPlantedFlip : public QObject {
    Q_OBJECT

private slots:
    void theProbeFindsThePlantedFlip()
    {
        bool found = false;
        for (const PairFlip &flip : flipsOf(true))
            found = found
                || (flip.first == FramePair{FrameWriter::Cpu, FrameReader::Gpu}
                    && flip.second == FramePair{FrameWriter::Dma, FrameReader::Gpu}
                    && flip.better == MemoryKind::ZeroCopy && flip.other == MemoryKind::Registered);
        QVERIFY(found);
    }

    /// Registered memory is the slower one for both writers.
    void oneOrderForAllWritersIsNoFlip()
    {
        JETSCOPE_SKIP_UNLESS_LONG();
        for (const PairFlip &flip : flipsOf(false))
            QVERIFY(!(flip.first == FramePair{FrameWriter::Cpu, FrameReader::Gpu}
                      && flip.second == FramePair{FrameWriter::Dma, FrameReader::Gpu}));
    }
};

JETSCOPE_TEST(TestPlantedFlip)
#include "tst_plantedflip.moc"
