// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// EGLSync interop exists only on a Jetson. Here a fake enforces its documented contract, without a GPU.
#include "tests/support/gpufixture.h"

#include "gpu/cuda/probe/probe.h"
#include "gpu/gl/context.h"
#include "gpu/sync/framesync.h"
#include "tests/cuda/contractdevice.h"
#include "tests/cuda/fakeeventapi.h"

using namespace jetscope;
using testing::ContractDevice;
using testing::ContractQueue;
using testing::ContractStream;
using testing::FakeEventApi;

class TestEglSyncContract : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void theProbeKeepsTheContract();
    void theProbeGivesTheApisAnswer();
    void aThousandFramesKeepTheContract();
    void severalFramesInFlightKeepTheContract();
    void aSyncStandsForARecordedEvent();
    void whatComesFromAFenceIsNeitherRecordedNorTimed();
    void aChangedWaitPolicyLeavesNothingBehind();
    void theFakeSeesBrokenRules();

private:
    QString violations() const;
    std::unique_ptr<Event> event(Device::Timing timing = Device::Timing::Off);
    GlFence fence();

    std::shared_ptr<EglDisplay> m_display;
    std::unique_ptr<EglContext> m_context;
    std::unique_ptr<FakeEventApi> m_fake;
    std::unique_ptr<ContractDevice> m_device;
    std::unique_ptr<ContractQueue> m_queue;
};

void TestEglSyncContract::initTestCase()
{
    QString why;
    m_display = testing::headlessDisplay(&why);
    if (!m_display)
        QSKIP(qPrintable(why));
    Result<std::unique_ptr<EglContext>> context = EglContext::create(m_display);
    JETSCOPE_VERIFY(context);
    m_context = std::move(context).value();
    JETSCOPE_VERIFY(m_context->makeCurrent());
}

void TestEglSyncContract::init()
{
    m_fake = std::make_unique<FakeEventApi>();
    m_device = std::make_unique<ContractDevice>(m_fake->table(), m_display);
    m_queue = std::make_unique<ContractQueue>(m_display);
}

void TestEglSyncContract::cleanup()
{
    m_queue.reset();
    m_device.reset();
    m_fake.reset();
}

QString TestEglSyncContract::violations() const
{
    QStringList all;
    for (const std::string &violation : m_fake->violations())
        all << QString::fromStdString(violation);
    all.removeDuplicates();
    return all.join(QStringLiteral("; "));
}

std::unique_ptr<Event> TestEglSyncContract::event(Device::Timing timing)
{
    Result<std::unique_ptr<Event>> made = m_device->createEvent(timing);
    return made.ok() ? std::move(made).value() : nullptr;
}

GlFence TestEglSyncContract::fence()
{
    Result<GlFence> made = GlFence::insert(m_display);
    return made.ok() ? std::move(made).value() : GlFence();
}

void TestEglSyncContract::theProbeKeepsTheContract()
{
    const Capability found = probeEglSync(m_display, m_fake->table(), nullptr);
    QVERIFY2(found.available, found.reason.c_str());
    QCOMPARE(violations(), QString());
}

void TestEglSyncContract::theProbeGivesTheApisAnswer()
{
    m_fake->refuseEventsFromSyncs(cudaErrorNotSupported);
    const Capability oneWay = probeEglSync(m_display, m_fake->table(), nullptr);
    QVERIFY(!oneWay.available);
    QVERIFY2(oneWay.reason.find("cudaEventCreateFromEGLSync") != std::string::npos, oneWay.reason.c_str());
    QVERIFY2(oneWay.reason.find("801") != std::string::npos, oneWay.reason.c_str());
    m_fake->refuseEventsFromSyncs(cudaSuccess);
    m_fake->refuseSyncsFromEvents();
    const Capability otherWay = probeEglSync(m_display, m_fake->table(), nullptr);
    QVERIFY(!otherWay.available);
    QVERIFY2(otherWay.reason.find("EGL_SYNC_CUDA_EVENT_NV") != std::string::npos, otherWay.reason.c_str());
    QCOMPARE(violations(), QString());
}

void TestEglSyncContract::aThousandFramesKeepTheContract()
{
    const auto sync = createFrameSync(SyncMode::EglSync, {*m_device, *m_queue, [] {}});
    ContractStream stream;
    auto done = event();
    for (std::uint32_t frame = 0; frame < 1000; ++frame) {
        JETSCOPE_VERIFY(sync->glToDevice(fence(), stream, frame));
        JETSCOPE_VERIFY(m_device->record(*done, stream));
        FrameWork work;
        work.frame = frame;
        work.stream = &stream;
        work.done = done.get();
        JETSCOPE_VERIFY(sync->submitted(work));
        JETSCOPE_VERIFY(sync->deviceToGl(work));
        JETSCOPE_VERIFY(sync->deviceToCpu(work));
    }
    QVERIFY(!m_queue->takeError());
    done.reset();
    QCOMPARE(violations(), QString());
    const auto waits = std::count(m_fake->calls().begin(), m_fake->calls().end(), "eglWaitSync");
    QCOMPARE(waits, std::ptrdiff_t(1000));
}

void TestEglSyncContract::severalFramesInFlightKeepTheContract()
{
    const auto sync = createFrameSync(SyncMode::EglSync, {*m_device, *m_queue, [] {}});
    ContractStream streams[3];
    std::vector<std::unique_ptr<Event>> done;
    for (int i = 0; i < 3; ++i)
        done.push_back(event());
    for (std::uint32_t frame = 0; frame < 90; ++frame) {
        const std::size_t slot = frame % 3;
        JETSCOPE_VERIFY(sync->glToDevice(fence(), streams[slot], frame));
        JETSCOPE_VERIFY(m_device->record(*done[slot], streams[slot]));
        FrameWork work;
        work.frame = frame;
        work.stream = &streams[slot];
        work.done = done[slot].get();
        JETSCOPE_VERIFY(sync->deviceToGl(work));
        JETSCOPE_VERIFY(m_device->query(*done[(slot + 1) % 3]));
    }
    done.clear();
    QCOMPARE(violations(), QString());
}

void TestEglSyncContract::aSyncStandsForARecordedEvent()
{
    auto never = event();
    const Result<std::unique_ptr<GlWait>> wait = m_device->glWaitFor(*never);
    QVERIFY(!wait.ok());
    QVERIFY2(wait.error().text.find("D2") != std::string::npos, wait.error().text.c_str());
    never.reset();
    QCOMPARE(violations(), QString());
}

void TestEglSyncContract::whatComesFromAFenceIsNeitherRecordedNorTimed()
{
    ContractStream stream;
    const GlFence glUse = fence();
    {
        Result<std::unique_ptr<Event>> made = m_device->eventFromFence(glUse);
        JETSCOPE_VERIFY(made);
        const auto timed = event(Device::Timing::On);
        JETSCOPE_VERIFY(m_device->record(*timed, stream));
        QVERIFY(!m_device->record(*made.value(), stream).ok());
        QVERIFY(!m_device->elapsedNs(*timed, *made.value()).ok());
        QVERIFY(!m_device->elapsedNs(*made.value(), *timed).ok());
        JETSCOPE_VERIFY(m_device->wait(stream, *made.value()));
    }
    QCOMPARE(violations(), QString());
}

void TestEglSyncContract::aChangedWaitPolicyLeavesNothingBehind()
{
    Result<std::unique_ptr<CudaEvent>> made = CudaEvent::create(m_fake->table(), Device::Timing::Off, false);
    JETSCOPE_VERIFY(made);
    std::unique_ptr<CudaEvent> changing = std::move(made).value();
    for (const bool blocking : {false, true, true, false}) {
        JETSCOPE_VERIFY(changing->record(nullptr, blocking));
        const Result<std::unique_ptr<CudaGlWait>> wait = changing->glWait(m_display);
        JETSCOPE_VERIFY(wait);
        JETSCOPE_VERIFY(wait.value()->serverWait());
    }
    changing.reset();
    QCOMPARE(violations(), QString());
    QCOMPARE(std::count(m_fake->calls().begin(), m_fake->calls().end(), "cudaEventCreate"), std::ptrdiff_t(3));
}

/// Proves that the fake detects violations.
void TestEglSyncContract::theFakeSeesBrokenRules()
{
    const EventApi &api = m_fake->table();
    const auto broken = [&](const char *rule) {
        const std::vector<std::string> found = m_fake->violations();
        return std::find(found.begin(), found.end(), rule) != found.end();
    };
    cudaEvent_t event = nullptr;
    api.create(&event, cudaEventDisableTiming);
    const EGLAttrib attributes[] = {0x323B, reinterpret_cast<EGLAttrib>(event), EGL_NONE};
    EGLSync early = api.createSync(nullptr, 0x323C, attributes);
    QVERIFY(broken("an event is recorded before a sync is made of it"));
    api.record(event, nullptr);
    api.query(event);
    EGLSync late = api.createSync(nullptr, 0x323C, attributes);
    QVERIFY(broken("nothing comes between recording an event and making its sync"));
    api.destroySync(nullptr, early);
    QVERIFY(broken("a sync of an event is waited for before it is destroyed"));
    api.waitSync(nullptr, late, 1);
    QVERIFY(broken("flags of eglWaitSync are 0"));
    QVERIFY(broken("1 syncs still live"));

    EGLSync fence = api.createSync(nullptr, EGL_SYNC_FENCE, nullptr);
    cudaEvent_t ofFence = nullptr;
    api.createFromEglSync(&ofFence, fence, 1);
    QVERIFY(broken("flags of cudaEventCreateFromEGLSync are 0"));
    api.record(ofFence, nullptr);
    QVERIFY(broken("an event made from an EGLSync is never recorded"));
    float ms = 0;
    api.elapsed(&ms, ofFence, event);
    QVERIFY(broken("only recorded events with timing are timed"));
    api.destroySync(nullptr, fence);
    api.streamWait(nullptr, ofFence, 1);
    QVERIFY(broken("an event is waited for while its EGLSync lives"));
    QVERIFY(broken("flags of cudaStreamWaitEvent are 0"));
    cudaEvent_t unused = nullptr;
    EGLSync second = api.createSync(nullptr, EGL_SYNC_FENCE, nullptr);
    api.createFromEglSync(&unused, second, 0);
    api.destroy(unused);
    QVERIFY(broken("an event made from an EGLSync is waited for before it is destroyed"));
    QVERIFY(broken("2 events still live"));
}

QTEST_GUILESS_MAIN(TestEglSyncContract)
#include "tst_eglsynccontract.moc"
