// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// GPU times by CUPTI, with a fake libcupti that records its calls and misbehaves on demand.
#include "core/time/clock.h"
#include "gpu/cupti/activitycollector.h"
#include "gpu/cupti/cuptisession.h"
#include "tests/support/fakecupti.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <cstring>

using namespace jetscope;
using jetscope::testing::FakeCupti;
using jetscope::testing::FakeCuptiUse;
using jetscope::testing::FakeRecord;
using Kind = GpuActivity::Kind;

namespace {

constexpr std::chrono::milliseconds kNever{3'600'000};

FakeRecord kernelAt(std::int64_t startNs, std::uint32_t stream = 7, const char *name = "_ZN8jetscope5marchEv")
{
    FakeRecord record;
    record.kind = cupti::kConcurrentKernel;
    record.start = static_cast<std::uint64_t>(startNs);
    record.end = record.start + 10'000;
    record.stream = stream;
    record.name = name;
    return record;
}

std::vector<GpuActivity> taken(CuptiSession &session)
{
    std::vector<GpuActivity> activities;
    session.take(activities);
    return activities;
}

std::vector<std::int64_t> startsOf(const std::vector<GpuActivity> &activities)
{
    std::vector<std::int64_t> starts;
    for (const GpuActivity &activity : activities)
        starts.push_back(activity.startNs);
    return starts;
}

bool isOneSentence(const std::string &text)
{
    return !text.empty() && text.find('\n') == std::string::npos && text.size() < 400;
}

} // namespace

class TestCuptiSession : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void recordsOfBothGenerations_data();
    void recordsOfBothGenerations();
    void namesOutliveTheirModule();
    void theClockComesFirstAndAllIsGivenBack();
    void oneKindRefused_data();
    void oneKindRefused();
    void everythingRefused_data();
    void everythingRefused();
    void impossibleTimesAreCounted();
    void recordsOfOneTakeAreSorted();
    void lateRecordsAreCounted();
    void droppedRecordsAreCounted();
    void buffersAreBounded();
    void damagedBuffers_data();
    void damagedBuffers();
    void whatNobodyTakesIsBounded();
    void recordsComeByThemselves();
    void manyThreadsAtOnce();
    void oneSessionAtATime();
    void callbacksAfterTheEnd();
    void recordingCanPause();
    void streamNumbers();
    void nothingLostIsNoTrouble();

private:
    std::unique_ptr<CuptiSession> open(std::chrono::milliseconds flushEvery = kNever) const;

    std::optional<CuptiLibrary> m_library;
    std::optional<FakeCupti> m_fake;
};

void TestCuptiSession::initTestCase()
{
    const Result<CuptiLibrary> library = CuptiLibrary::load(JETSCOPE_FAKE_CUPTI);
    QVERIFY2(library.ok(), library.ok() ? "" : library.error().message().c_str());
    m_library.emplace(library.value());
    m_fake.emplace(JETSCOPE_FAKE_CUPTI);
    QVERIFY(m_fake->isLoaded());
}

void TestCuptiSession::init()
{
    m_fake->reset();
}

std::unique_ptr<CuptiSession> TestCuptiSession::open(std::chrono::milliseconds flushEvery) const
{
    Result<std::unique_ptr<CuptiSession>> session = CuptiSession::open(*m_library, flushEvery);
    return session.ok() ? std::move(session).value() : nullptr;
}

void TestCuptiSession::recordsOfBothGenerations_data()
{
    QTest::addColumn<QString>("settings");
    QTest::newRow("CUDA 12.2") << "layout=12";
    QTest::newRow("CUDA 13.0") << "layout=13";
}

void TestCuptiSession::recordsOfBothGenerations()
{
    QFETCH(QString, settings);
    m_fake->reset(settings.toUtf8());
    const auto session = open();
    QVERIFY(session);
    const std::int64_t now = nowNs();
    FakeRecord kernel = kernelAt(now + 1, 9);
    kernel.device = 2;
    kernel.context = 3;
    kernel.correlation = 41;
    FakeRecord copy;
    copy.kind = cupti::kMemcpy;
    copy.start = static_cast<std::uint64_t>(now + 2);
    copy.end = copy.start;
    copy.device = 2;
    copy.context = 3;
    copy.stream = 9;
    copy.correlation = 42;
    copy.bytes = 3'110'400;
    copy.copyKind = 3;
    FakeRecord fill = copy;
    fill.kind = cupti::kMemset;
    fill.start += 1;
    fill.end += 5;
    fill.correlation = 43;
    fill.bytes = 64;
    FakeRecord other;
    other.kind = 17;
    for (const FakeRecord &record :
         {other, kernel, other, other, copy, other, fill, kernelAt(now + 9, 9, "_Z5theirsv")})
        m_fake->add(record);
    QVERIFY(session->flush().ok());
    const std::vector<GpuActivity> all = taken(*session);
    QCOMPARE(all.size(), std::size_t(4));
    const GpuActivity &theirs = all[0]; // Of device 0.
    const GpuActivity &first = all[1];
    QCOMPARE(first.kind, Kind::Kernel);
    QCOMPARE(first.startNs, now + 1);
    QCOMPARE(first.endNs, now + 10'001);
    QCOMPARE(first.deviceId, 2u);
    QCOMPARE(first.contextId, 3u);
    QCOMPARE(first.streamId, 9u);
    QCOMPARE(first.correlationId, 41u);
    QVERIFY(first.name == "_ZN8jetscope5marchEv");
    QVERIFY(first.ours);
    QCOMPARE(all[2].kind, Kind::Memcpy);
    QCOMPARE(all[2].copy, GpuCopy::HostToArray);
    QCOMPARE(all[2].bytes, std::uint64_t(3'110'400));
    QCOMPARE(all[2].startNs, all[2].endNs);
    QCOMPARE(all[2].correlationId, 42u);
    QCOMPARE(all[3].kind, Kind::Memset);
    QCOMPARE(all[3].bytes, std::uint64_t(64));
    QCOMPARE(all[3].endNs - all[3].startNs, 4);
    QVERIFY(theirs.name == "_Z5theirsv");
    QVERIFY(!theirs.ours);
    QCOMPARE(session->counters().records, std::uint64_t(4));
    QCOMPARE(session->counters().unknown, std::uint64_t(4));
    QCOMPARE(session->counters().trouble(), std::string());
}

void TestCuptiSession::namesOutliveTheirModule()
{
    std::vector<GpuActivity> all;
    {
        const auto session = open();
        QVERIFY(session);
        char name[] = "_ZN8jetscope3oneEv";
        m_fake->add(kernelAt(nowNs(), 7, name));
        QVERIFY(session->flush().ok());
        std::strcpy(name, "_Z5otherv"); // Another module's name at the same address.
        m_fake->add(kernelAt(nowNs(), 7, name));
        m_fake->add(kernelAt(nowNs(), 7, nullptr));
        QVERIFY(session->flush().ok());
        std::memset(name, 'x', sizeof name - 1);
        session->take(all);
    }
    QCOMPARE(all.size(), std::size_t(3));
    QVERIFY(all[0].name == "_ZN8jetscope3oneEv" && all[0].ours);
    QVERIFY(all[1].name == "_Z5otherv" && !all[1].ours);
    QVERIFY(all[2].name.empty() && !all[2].ours);
}

void TestCuptiSession::theClockComesFirstAndAllIsGivenBack()
{
    constexpr std::uint32_t kThree = 1u << cupti::kConcurrentKernel | 1u << cupti::kMemcpy | 1u << cupti::kMemset;
    {
        const auto session = open();
        QVERIFY(session);
        QCOMPARE(m_fake->use().enabledKinds, kThree);
        for (const Kind kind : {Kind::Kernel, Kind::Memcpy, Kind::Memset})
            QVERIFY(session->refusal(kind).empty());
        for (int i = 0; i < 1'000; ++i)
            m_fake->add(kernelAt(nowNs()));
        QVERIFY(m_fake->use().heldBuffers > 0);
    }
    const FakeCuptiUse use = m_fake->use();
    QVERIFY(use.clockCameFirst);
    QVERIFY(use.buffersFit);
    QCOMPARE(use.everEnabled, kThree); // KERNEL would serialise kernels.
    QCOMPARE(use.enabledKinds, 0u);
    QCOMPARE(use.heldBuffers, std::size_t(0));
}

void TestCuptiSession::oneKindRefused_data()
{
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("kind");
    QTest::newRow("kernels") << 10 << int(Kind::Kernel);
    QTest::newRow("copies") << 1 << int(Kind::Memcpy);
    QTest::newRow("memsets") << 2 << int(Kind::Memset);
}

void TestCuptiSession::oneKindRefused()
{
    QFETCH(int, number);
    QFETCH(int, kind);
    m_fake->reset(qPrintable(QString("refuse=%1,code=14").arg(number)));
    const auto session = open();
    QVERIFY(session);
    for (const Kind each : {Kind::Kernel, Kind::Memcpy, Kind::Memset})
        QCOMPARE(session->refusal(each).empty(), int(each) != kind);
    QVERIFY(isOneSentence(std::string(session->refusal(Kind(kind)))));
    QVERIFY(session->refusal(Kind(kind)).find("does not fit the driver") != std::string_view::npos);
    QVERIFY(session->setRecording(false).ok() && session->setRecording(true).ok());
    QCOMPARE(m_fake->use().everEnabled & 1u << number, 0u);
}

void TestCuptiSession::everythingRefused_data()
{
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char *name, const char *settings, const char *mentions) {
        QTest::newRow(name) << QString(settings) << QString(mentions);
    };
    row("permission", "refuse=all,code=35", "not permitted for this user");
    row("another profiler", "refuse=all,code=39", "another profiler");
    row("does not fit", "refuse=all,code=14", "does not fit the driver");
    row("not initialised", "refuse=all,code=15", "newer than the driver");
    row("not supported", "refuse=all,code=27", "does not support");
    row("virtual GPU", "refuse=all,code=40", "virtual GPU");
    row("confidential computing", "refuse=all,code=41", "confidential");
    row("MIG", "refuse=all,code=43", "MIG");
    row("unknown", "refuse=all,code=999", "CUPTI_ERROR_UNKNOWN");
    row("a code that CUPTI does not name", "refuse=all,code=4711", "does not name");
    row("the clock", "refuse=clock,code=8", "memory");
    row("the buffers", "refuse=callbacks,code=999", "CUPTI_ERROR_UNKNOWN");
}

void TestCuptiSession::everythingRefused()
{
    QFETCH(QString, settings);
    QFETCH(QString, mentions);
    m_fake->reset(settings.toUtf8());
    const Result<std::unique_ptr<CuptiSession>> refused = CuptiSession::open(*m_library);
    QVERIFY(!refused.ok());
    QVERIFY2(isOneSentence(refused.error().message()), refused.error().message().c_str());
    QVERIFY2(QString::fromStdString(refused.error().text).contains(mentions), refused.error().text.c_str());
    QVERIFY(refused.error().code != 0);
    QCOMPARE(m_fake->use().enabledKinds, 0u);
    // A later session may succeed.
    m_fake->reset();
    QVERIFY(open());
}

void TestCuptiSession::impossibleTimesAreCounted()
{
    const auto session = open();
    QVERIFY(session);
    const std::int64_t now = nowNs();
    FakeRecord none = kernelAt(now);
    none.start = none.end = 0;
    FakeRecord endless = kernelAt(now);
    endless.end = 0;
    FakeRecord reversed = kernelAt(now);
    reversed.end = reversed.start - 1;
    FakeRecord old = kernelAt(1);
    FakeRecord realtime = kernelAt(now + wallClockOffsetNs());
    FakeRecord largest = kernelAt(now);
    largest.end = ~std::uint64_t{0};
    for (const FakeRecord &record : {none, endless, reversed, old, realtime, largest, kernelAt(now)})
        m_fake->add(record);
    QVERIFY(session->flush().ok());
    QCOMPARE(startsOf(taken(*session)), std::vector<std::int64_t>{now});
    const CuptiCounters counters = session->counters();
    QCOMPARE(counters.untimed, std::uint64_t(2));
    QCOMPARE(counters.negative, std::uint64_t(1));
    QCOMPARE(counters.stray, std::uint64_t(3));
    QCOMPARE(counters.records, std::uint64_t(1));
    QCOMPARE(counters.lost(), std::uint64_t(6));
    QVERIFY2(isOneSentence(counters.trouble()), counters.trouble().c_str());
    QVERIFY(counters.trouble().find("of 7: 2 without times") != std::string::npos);
}

void TestCuptiSession::recordsOfOneTakeAreSorted()
{
    const auto session = open();
    QVERIFY(session);
    const std::int64_t now = nowNs();
    for (const auto &[after, stream] :
         {std::pair{30, 2u}, std::pair{10, 1u}, std::pair{20, 2u}, std::pair{5, 1u}, std::pair{25, 1u}})
        m_fake->add(kernelAt(now + after, stream));
    QVERIFY(session->flush().ok());
    QCOMPARE(startsOf(taken(*session)), (std::vector<std::int64_t>{now + 5, now + 10, now + 25, now + 20, now + 30}));
    QCOMPARE(session->counters().late, std::uint64_t(0));
}

void TestCuptiSession::lateRecordsAreCounted()
{
    const auto session = open();
    QVERIFY(session);
    const std::int64_t now = nowNs();
    m_fake->add(kernelAt(now + 50, 1));
    QVERIFY(session->flush().ok());
    QCOMPARE(taken(*session).size(), std::size_t(1));
    m_fake->add(kernelAt(now + 10, 2)); // Another stream has its own order.
    m_fake->add(kernelAt(now + 60, 1));
    m_fake->add(kernelAt(now + 40, 1));
    QVERIFY(session->flush().ok());
    QCOMPARE(startsOf(taken(*session)), (std::vector<std::int64_t>{now + 40, now + 60, now + 10}));
    QCOMPARE(session->counters().late, std::uint64_t(1));
    QVERIFY(isOneSentence(session->counters().trouble()));
}

void TestCuptiSession::droppedRecordsAreCounted()
{
    m_fake->reset("drop=12");
    const auto session = open();
    QVERIFY(session);
    m_fake->add(kernelAt(nowNs()));
    QVERIFY(session->flush().ok());
    m_fake->add(kernelAt(nowNs()));
    QVERIFY(session->flush().ok());
    QCOMPARE(session->counters().dropped, std::uint64_t(12));
    QVERIFY(session->counters().trouble().find("of 14: 12 dropped by CUPTI") != std::string::npos);
    QCOMPARE(taken(*session).size(), std::size_t(2));
}

void TestCuptiSession::buffersAreBounded()
{
    // CUPTI keeps all buffers, as if a kernel never ended.
    m_fake->reset("hold=1");
    const auto session = open();
    QVERIFY(session);
    constexpr std::size_t kTooMany = BufferPool::kMaxBuffers * (BufferPool::kBufferBytes / 216) + 100;
    const std::int64_t now = nowNs();
    for (std::size_t i = 0; i < kTooMany; ++i)
        m_fake->add(kernelAt(now));
    QCOMPARE(m_fake->use().heldBuffers, BufferPool::kMaxBuffers);
    m_fake->deliver();
    const CuptiCounters counters = session->counters();
    QCOMPARE(counters.dropped, std::uint64_t(100));
    QCOMPARE(counters.records + counters.dropped, std::uint64_t(kTooMany));
    QCOMPARE(taken(*session).size(), kTooMany - 100);
    // The session continues.
    m_fake->add(kernelAt(nowNs()));
    m_fake->deliver();
    QCOMPARE(taken(*session).size(), std::size_t(1));
}

void TestCuptiSession::damagedBuffers_data()
{
    QTest::addColumn<QString>("settings");
    QTest::newRow("never moves on") << "walk=stuck";
    QTest::newRow("leads out of the buffer") << "walk=outside";
    QTest::newRow("cut off") << "walk=cut";
}

void TestCuptiSession::damagedBuffers()
{
    QFETCH(QString, settings);
    m_fake->reset(settings.toUtf8());
    const auto session = open();
    QVERIFY(session);
    const std::int64_t now = nowNs();
    for (int i = 0; i < 3; ++i)
        m_fake->add(kernelAt(now + i));
    QVERIFY(session->flush().ok());
    QCOMPARE(startsOf(taken(*session)), std::vector<std::int64_t>{now});
    QCOMPARE(session->counters().damaged, std::uint64_t(1));
    QVERIFY2(isOneSentence(session->counters().trouble()), session->counters().trouble().c_str());
}

void TestCuptiSession::whatNobodyTakesIsBounded()
{
    const auto session = open();
    QVERIFY(session);
    const std::int64_t now = nowNs();
    constexpr std::size_t kTooMany = ActivityCollector::kMaxPending + 500;
    for (std::size_t i = 0; i < kTooMany; ++i)
        m_fake->add(kernelAt(now + static_cast<std::int64_t>(i)));
    QVERIFY(session->flush().ok());
    QCOMPARE(session->counters().untaken, std::uint64_t(500));
    const std::vector<GpuActivity> all = taken(*session);
    QCOMPARE(all.size(), ActivityCollector::kMaxPending);
    QCOMPARE(all.front().startNs, now); // The oldest ones are kept.
    m_fake->add(kernelAt(nowNs()));
    QVERIFY(session->flush().ok());
    QCOMPARE(taken(*session).size(), std::size_t(1));
}

void TestCuptiSession::recordsComeByThemselves()
{
    const auto session = open(std::chrono::milliseconds(1));
    QVERIFY(session);
    const std::int64_t now = nowNs();
    m_fake->add(kernelAt(now));
    QTRY_COMPARE(session->counters().records, std::uint64_t(1));
    QCOMPARE(startsOf(taken(*session)), std::vector<std::int64_t>{now});
    QTRY_VERIFY(session->counters().flushes > 0);
    QVERIFY(session->counters().flushNs > 0);
}

void TestCuptiSession::manyThreadsAtOnce()
{
    constexpr std::uint32_t kThreads = 3;
    constexpr std::uint32_t kEach = 20'000;
    const auto session = open(std::chrono::milliseconds(1));
    QVERIFY(session);
    const std::int64_t now = nowNs();
    std::atomic<std::uint32_t> running{kThreads};
    std::vector<std::thread> launching;
    for (std::uint32_t stream = 0; stream < kThreads; ++stream)
        launching.emplace_back([&, stream] {
            for (std::uint32_t i = 0; i < kEach; ++i)
                m_fake->add(kernelAt(now + i, stream));
            --running;
        });
    std::map<std::uint32_t, std::vector<std::int64_t>> starts;
    std::vector<GpuActivity> part;
    const auto collect = [&] {
        session->take(part);
        for (const GpuActivity &activity : part)
            starts[activity.streamId].push_back(activity.startNs);
    };
    while (running > 0)
        collect();
    for (std::thread &thread : launching)
        thread.join();
    QVERIFY(session->flush().ok());
    collect();
    QCOMPARE(starts.size(), std::size_t(kThreads));
    for (const auto &[stream, of] : starts) {
        QCOMPARE(of.size(), std::size_t(kEach));
        for (std::uint32_t i = 0; i < kEach; ++i)
            QCOMPARE(of[i], now + i);
    }
    QCOMPARE(session->counters().trouble(), std::string());
}

void TestCuptiSession::oneSessionAtATime()
{
    auto session = open();
    QVERIFY(session);
    const Result<std::unique_ptr<CuptiSession>> second = CuptiSession::open(*m_library);
    QVERIFY(!second.ok());
    QVERIFY(isOneSentence(second.error().message()));
    // The first session is not affected.
    m_fake->add(kernelAt(nowNs()));
    QVERIFY(session->flush().ok());
    QCOMPARE(taken(*session).size(), std::size_t(1));
    session.reset();
    session = open();
    QVERIFY(session);
    QCOMPARE(session->counters().records, std::uint64_t(0));
    QVERIFY(taken(*session).empty());
}

void TestCuptiSession::callbacksAfterTheEnd()
{
    auto session = open();
    QVERIFY(session);
    session.reset();
    QVERIFY(!m_fake->request());
    // A buffer that CUPTI held longer than the session existed.
    session = open();
    QVERIFY(session && m_fake->request());
    std::uint8_t *const buffer = BufferPool().acquire(); // The pool is already destroyed.
    session.reset();
    ActivityCollector::bufferCompleted(nullptr, 0, buffer, BufferPool::kBufferBytes, BufferPool::kBufferBytes);
    ActivityCollector::bufferCompleted(nullptr, 0, nullptr, 0, 0);
    session = open();
    QVERIFY(session);
    QVERIFY(taken(*session).empty());
    QCOMPARE(session->counters().damaged, std::uint64_t(0));
}

void TestCuptiSession::recordingCanPause()
{
    const auto session = open();
    QVERIFY(session);
    const std::uint32_t all = m_fake->use().enabledKinds;
    QVERIFY(session->setRecording(false).ok());
    QCOMPARE(m_fake->use().enabledKinds, 0u);
    QVERIFY(session->setRecording(true).ok());
    QCOMPARE(m_fake->use().enabledKinds, all);
    m_fake->reset("refuse=all,code=39");
    const Status refused = session->setRecording(true);
    QVERIFY(!refused.ok() && isOneSentence(refused.error().message()));
}

void TestCuptiSession::streamNumbers()
{
    const auto session = open();
    QVERIFY(session);
    int context = 0;
    const Result<std::uint32_t> number = cuptiStreamId(*m_library, &context, reinterpret_cast<void *>(0x1230));
    QVERIFY(number.ok());
    QCOMPARE(number.value(), 0x30u);
    const Result<std::uint32_t> standard = cuptiStreamId(*m_library, &context, nullptr);
    QVERIFY(standard.ok());
    QCOMPARE(standard.value(), 7u);
    // This process has no current context.
    const Result<std::uint32_t> nowhere = cuptiStreamId(*m_library, nullptr, nullptr);
    QVERIFY(!nowhere.ok());
    QVERIFY(isOneSentence(nowhere.error().message()));
}

void TestCuptiSession::nothingLostIsNoTrouble()
{
    CuptiCounters counters;
    counters.records = 100;
    counters.unknown = 3;
    counters.flushes = 7;
    QCOMPARE(counters.trouble(), std::string());
    counters.damaged = 2;
    QVERIFY(counters.trouble().find("2 damaged buffers") != std::string::npos);
}

JETSCOPE_TEST(TestCuptiSession)
#include "tst_cuptisession.moc"
