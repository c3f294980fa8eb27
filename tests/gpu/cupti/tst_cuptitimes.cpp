// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which of CUPTI's records is the time of which piece of submitted work, with records of a made-up libcupti.
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/cupti/cuptilibrary.h"
#include "gpu/cupti/cuptirecords.h"
#include "gpu/device/forwardingdevice.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/gputime/sources.h"
#include "tests/support/fakecupti.h"
#include "tests/support/gpufixture.h"
#include "tests/support/testprogram.h"

#include <list>

using namespace jetscope;
using testing::FakeCupti;
using testing::FakeRecord;

namespace {

constexpr std::uint32_t kStream = 7;
constexpr std::uint64_t kPictureBytes = 3'686'400;

class CuptiDevice final : public ForwardingDevice {
public:
    explicit CuptiDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device))
    {
        m_facts.cuptiLibrary = JETSCOPE_FAKE_CUPTI;
        m_facts.cupti = Capability::yes();
    }
    Result<std::uint32_t> cuptiStreamId(const Stream &) override { return kStream; }
};

FakeRecord recordAt(std::int64_t ns, std::uint32_t kind)
{
    FakeRecord record;
    record.kind = kind;
    record.stream = kStream;
    record.start = static_cast<std::uint64_t>(ns);
    record.end = record.start + 1'000;
    return record;
}

FakeRecord kernelAt(std::int64_t ns, const char *name)
{
    FakeRecord record = recordAt(ns, cupti::kConcurrentKernel);
    record.name = name;
    return record;
}

FakeRecord copyAt(std::int64_t ns, GpuCopy copy, std::uint64_t bytes)
{
    FakeRecord record = recordAt(ns, cupti::kMemcpy);
    record.copyKind = static_cast<std::uint8_t>(copy);
    record.bytes = bytes;
    return record;
}

} // namespace

class TestCuptiTimes : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void ownKernelsAreOurs_data();
    void ownKernelsAreOurs();
    void copiesOfStagesAreNobodys();
    void aCopyBehindUnknownWorkHasBounds();
    void copiesOfMappedMemoryAreFound();
    void oneCopyWithoutARecordHoldsUpNoOther();

private:
    /// A piece of work that was submitted just now.
    GpuItem &submit(std::optional<CopyKind> copy) { return submit(!copy, copy); }
    GpuItem &submit(bool isKernel, std::optional<CopyKind> copy);
    std::int64_t startOf(const GpuItem &item) const { return item.time.startNs - m_beganNs; }

    std::unique_ptr<Device> m_device;
    std::optional<FakeCupti> m_fake;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<GpuTimeSource> m_times;
    std::list<GpuItem> m_items;
    std::int64_t m_beganNs = 0;
};

void TestCuptiTimes::initTestCase()
{
    JETSCOPE_VERIFY(CuptiLibrary::load(JETSCOPE_FAKE_CUPTI));
    m_fake.emplace(JETSCOPE_FAKE_CUPTI);
    QVERIFY(m_fake->isLoaded());
    Result<std::unique_ptr<Device>> soft = openDevice("soft:orin", testing::displayOf("soft:orin"));
    JETSCOPE_VERIFY(soft);
    m_device = std::make_unique<CuptiDevice>(std::move(soft).value());
    Result<std::unique_ptr<Stream>> stream = m_device->createStream();
    JETSCOPE_VERIFY(stream);
    m_stream = std::move(stream).value();
}

void TestCuptiTimes::init()
{
    m_times.reset();
    m_items.clear();
    m_fake->reset();
    Result<std::unique_ptr<GpuTimeSource>> times = newCuptiTimes(*m_device);
    JETSCOPE_VERIFY(times);
    m_times = std::move(times).value();
    m_times->addStream(*m_stream);
    m_beganNs = nowNs();
}

GpuItem &TestCuptiTimes::submit(bool isKernel, std::optional<CopyKind> copy)
{
    GpuItem &item = m_items.emplace_back();
    item.isKernel = isKernel;
    item.copy = copy;
    item.bytes = isKernel ? 0 : kPictureBytes;
    item.submitNs = m_beganNs;
    static_cast<void>(m_times->begin(*m_stream, item));
    static_cast<void>(m_times->end(*m_stream, item));
    return item;
}

void TestCuptiTimes::ownKernelsAreOurs_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char *name : {"_Z15jetscope_filterPK6uchar4mPS_mii", "_Z15jetscope_filteryyii",
                             "_Z15jetscope_filterPKhmPhmii", "_Z20jetscope_grey_filteryyii"})
        QTest::newRow(name) << QByteArray(name);
}

/// A kernel of the user, then one of Jetscope, with one of a library between them.
void TestCuptiTimes::ownKernelsAreOurs()
{
    QFETCH(QByteArray, name);
    const GpuItem &own = submit({});
    const GpuItem &builtIn = submit({});
    m_fake->add(kernelAt(m_beganNs + 1'000, name.constData()));
    m_fake->add(kernelAt(m_beganNs + 3'000, "_Z15somebody_filterv"));
    m_fake->add(kernelAt(m_beganNs + 5'000, "_ZN8jetscope4cuda7convertEv"));
    JETSCOPE_VERIFY(m_times->finish());
    QVERIFY(own.state == GpuItem::State::Timed && builtIn.state == GpuItem::State::Timed);
    QCOMPARE(startOf(own), std::int64_t(1'000));
    QCOMPARE(startOf(builtIn), std::int64_t(5'000));
}

/// A stage may copy in the stream of a frame what it does not announce: into an array, or a table that it needs.
void TestCuptiTimes::copiesOfStagesAreNobodys()
{
    const GpuItem &in = submit(CopyKind::HostToDevice);
    const GpuItem &out = submit(CopyKind::DeviceToHost);
    const GpuItem &next = submit(CopyKind::HostToDevice);
    m_fake->add(copyAt(m_beganNs + 1'000, GpuCopy::HostToDevice, kPictureBytes));
    m_fake->add(copyAt(m_beganNs + 3'000, GpuCopy::DeviceToArray, kPictureBytes));
    m_fake->add(copyAt(m_beganNs + 5'000, GpuCopy::ArrayToDevice, kPictureBytes));
    m_fake->add(copyAt(m_beganNs + 7'000, GpuCopy::DeviceToHost, kPictureBytes + 512)); // With padding.
    m_fake->add(copyAt(m_beganNs + 9'000, GpuCopy::HostToDevice, 256));
    m_fake->add(copyAt(m_beganNs + 11'000, GpuCopy::HostToDevice, kPictureBytes));
    JETSCOPE_VERIFY(m_times->finish());
    for (const GpuItem *item : {&in, &out, &next})
        QVERIFY(item->state == GpuItem::State::Timed);
    QCOMPARE(startOf(in), std::int64_t(1'000));
    QCOMPARE(startOf(out), std::int64_t(7'000));
    QCOMPARE(startOf(next), std::int64_t(11'000));
}

/// A library of the user copies as much in the same direction as the copy of the result, which is submitted behind it.
void TestCuptiTimes::aCopyBehindUnknownWorkHasBounds()
{
    m_times.reset();
    Tracer tracer;
    const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline", "thread");
    GpuTimer timer(*m_device, tracer);
    JETSCOPE_VERIFY(timer.use(GpuTime::Cupti));
    timer.addStream(*m_stream, 0);
    const NameId chain = internName("chain", Category::Kernel);
    const NameId copy = internName("copy to host", Category::Copy);
    std::uint32_t frame = 0;
    const auto runFrame = [&](bool hasUnknown) {
        JETSCOPE_VERIFY(timer.begin(*m_stream, chain, ++frame));
        if (hasUnknown)
            timer.kernels()->unknownKernels(internName("somebody's", Category::Kernel));
        else
            static_cast<void>(timer.kernels()->kernel(chain));
        JETSCOPE_VERIFY(timer.end());
        JETSCOPE_VERIFY(timer.beginCopy(*m_stream, copy, frame, kPictureBytes, CopyKind::DeviceToHost));
        JETSCOPE_VERIFY(timer.end());
        const std::int64_t ns = nowNs();
        m_fake->add(kernelAt(ns + 1'000, "_ZN8jetscope4cuda7convertEv"));
        m_fake->add(copyAt(ns + 3'000, GpuCopy::DeviceToHost, kPictureBytes));
        timer.completed(frame, ns + 1'000'000);
        JETSCOPE_VERIFY(timer.finish());
    };
    const auto certaintyOfCopy = [&](bool isBehindUnknown) {
        runFrame(isBehindUnknown);
        std::vector<Span> spans;
        tracer.collect(spans);
        for (const Span &span : spans)
            if (span.frame == frame && spanCategory(span.name) == Category::Copy)
                return QString(spanCertainty(span.name) == Certainty::Exact ? "exact" : "bounds");
        return QString("none");
    };
    QCOMPARE(certaintyOfCopy(false), QString("exact"));
    QCOMPARE(certaintyOfCopy(true), QString("bounds"));
    QCOMPARE(certaintyOfCopy(false), QString("exact")); // The unknown work is complete.
    timer.removeStream(*m_stream);
}

/// Zero-copy and registered memory: the copies of a stage have the directions that the driver gives them.
void TestCuptiTimes::copiesOfMappedMemoryAreFound()
{
    const GpuItem &into = submit(false, {});
    const GpuItem &outOf = submit(false, {});
    const GpuItem &toShared = submit(false, {});
    m_fake->add(copyAt(m_beganNs + 1'000, GpuCopy::HostToArray, kPictureBytes));
    m_fake->add(copyAt(m_beganNs + 2'000, GpuCopy::DeviceToDevice, 64)); // Too small to be one of them.
    m_fake->add(copyAt(m_beganNs + 3'000, GpuCopy::ArrayToHost, kPictureBytes));
    m_fake->add(copyAt(m_beganNs + 5'000, GpuCopy::HostToHost, kPictureBytes));
    JETSCOPE_VERIFY(m_times->finish());
    QCOMPARE(startOf(into), std::int64_t(1'000));
    QCOMPARE(startOf(outOf), std::int64_t(3'000));
    QCOMPARE(startOf(toShared), std::int64_t(5'000));
}

void TestCuptiTimes::oneCopyWithoutARecordHoldsUpNoOther()
{
    const GpuItem &lost = submit(CopyKind::HostToDevice);
    const GpuItem &out = submit(CopyKind::DeviceToHost);
    m_fake->add(copyAt(m_beganNs + 3'000, GpuCopy::DeviceToHost, kPictureBytes));
    JETSCOPE_VERIFY(m_times->finish());
    QVERIFY(lost.state == GpuItem::State::Untimed && out.state == GpuItem::State::Timed);
    QCOMPARE(startOf(out), std::int64_t(3'000));
}

JETSCOPE_TEST(TestCuptiTimes)
#include "tst_cuptitimes.moc"
