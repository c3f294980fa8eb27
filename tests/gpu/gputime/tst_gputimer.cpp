// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The timer of device work after a failure: a piece whose submission failed, a stream that goes, a device that no
// longer answers.
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/device/forwardingdevice.h"
#include "gpu/gputime/gputimer.h"
#include "tests/support/gpufixture.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

namespace {

class SilentDevice final : public ForwardingDevice {
public:
    explicit SilentDevice(std::unique_ptr<Device> device) : ForwardingDevice(std::move(device)) {}
    Result<bool> query(const Event &event) override
    {
        if (isLost)
            return Error{"cudaEventQuery", 719, "unspecified launch failure"};
        return ForwardingDevice::query(event);
    }
    bool isLost = false;
};

} // namespace

class TestGpuTimer : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void figuresGoOnAfterAFailure_data();
    void figuresGoOnAfterAFailure();
    void anAbandonedPieceIsForgotten_data() { figuresGoOnAfterAFailure_data(); }
    void anAbandonedPieceIsForgotten();
    void aLostDeviceEndsAllPieces();

private:
    std::unique_ptr<Stream> newStream();
    void runFrame(Stream &stream, std::uint32_t frame);

    const NameId m_name = internName("blur", Category::Kernel);
    std::unique_ptr<SilentDevice> m_device;
    std::unique_ptr<Tracer> m_tracer;
    std::unique_ptr<ThreadRecorder> m_recorder;
    std::unique_ptr<GpuTimer> m_timer;
};

void TestGpuTimer::init()
{
    Result<std::unique_ptr<Device>> soft = openDevice("soft:orin", testing::displayOf("soft:orin"));
    JETSCOPE_VERIFY(soft);
    m_device = std::make_unique<SilentDevice>(std::move(soft).value());
    m_tracer = std::make_unique<Tracer>();
    m_recorder = std::make_unique<ThreadRecorder>(*m_tracer, LaneRole::Pipeline, "Pipeline", "thread");
    m_timer = std::make_unique<GpuTimer>(*m_device, *m_tracer);
}

void TestGpuTimer::cleanup()
{
    m_timer.reset();
    m_recorder.reset();
    m_tracer.reset();
    m_device.reset();
}

std::unique_ptr<Stream> TestGpuTimer::newStream()
{
    std::unique_ptr<Stream> stream = m_device->createStream().value();
    m_timer->addStream(*stream, 0);
    return stream;
}

void TestGpuTimer::runFrame(Stream &stream, std::uint32_t frame)
{
    JETSCOPE_VERIFY(m_timer->begin(stream, m_name, frame));
    JETSCOPE_VERIFY(m_timer->end());
    JETSCOPE_VERIFY(m_device->synchronize());
    m_timer->completed(frame, nowNs());
    JETSCOPE_VERIFY(m_timer->collect());
}

void TestGpuTimer::figuresGoOnAfterAFailure_data()
{
    QTest::addColumn<GpuTime>("source");
    QTest::newRow("bounds") << GpuTime::Bounds;
    QTest::newRow("stamped") << GpuTime::Stamped;
    QTest::newRow("events") << GpuTime::Events;
}

/// As a change of the settings after a failure makes new streams.
void TestGpuTimer::figuresGoOnAfterAFailure()
{
    QFETCH(GpuTime, source);
    JETSCOPE_VERIFY(m_timer->use(source));
    {
        const std::unique_ptr<Stream> failed = newStream();
        runFrame(*failed, 0);
        JETSCOPE_VERIFY(m_timer->begin(*failed, m_name, 1)); // Its launch fails, so that it does not end.
        m_timer->removeStream(*failed);
    }
    const std::unique_ptr<Stream> stream = newStream();
    const std::int64_t laterNs = nowNs();
    for (std::uint32_t frame = 2; frame < 10; ++frame)
        runFrame(*stream, frame);
    QVERIFY(m_timer->resolvedNs() >= laterNs);
    m_timer->removeStream(*stream);
}

void TestGpuTimer::anAbandonedPieceIsForgotten()
{
    QFETCH(GpuTime, source);
    JETSCOPE_VERIFY(m_timer->use(source));
    const std::unique_ptr<Stream> stream = newStream();
    const auto abandon = [&] {
        JETSCOPE_VERIFY(m_timer->begin(*stream, m_name, 0));
        QVERIFY(m_timer->kernels());
    };
    abandon();
    JETSCOPE_VERIFY(m_timer->finish());
    QVERIFY(!m_timer->kernels());
    abandon();
    JETSCOPE_VERIFY(m_timer->use(source));
    QVERIFY(!m_timer->kernels());
    abandon();
    m_tracer->setPaused(true);
    JETSCOPE_VERIFY(m_timer->begin(*stream, m_name, 1));
    QVERIFY(!m_timer->kernels());
    m_tracer->setPaused(false);
    abandon();
    runFrame(*stream, 2); // In its course the abandoned piece becomes a span.
    JETSCOPE_VERIFY(m_timer->finish());
    abandon();
    m_timer->removeStream(*stream);
    QVERIFY(!m_timer->kernels());
}

void TestGpuTimer::aLostDeviceEndsAllPieces()
{
    JETSCOPE_VERIFY(m_timer->use(GpuTime::Events));
    const std::unique_ptr<Stream> stream = newStream();
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        JETSCOPE_VERIFY(m_timer->begin(*stream, m_name, frame));
        JETSCOPE_VERIFY(m_timer->end());
    }
    m_device->isLost = true;
    const std::int64_t lostNs = nowNs();
    QVERIFY(!m_timer->finish().ok());
    QVERIFY(m_timer->resolvedNs() >= lostNs);
    m_device->isLost = false;
    runFrame(*stream, 3);
    JETSCOPE_VERIFY(m_timer->use(GpuTime::Bounds));
    m_timer->removeStream(*stream);
}

JETSCOPE_TEST(TestGpuTimer)
#include "tst_gputimer.moc"
