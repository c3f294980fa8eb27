// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The real CUPTI on cuda:0, if both are present and permitted; otherwise skipped with the reason.
#include "tests/support/gpufixture.h"

#include "core/time/clock.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cupti/cuptisession.h"
#include "gpu/cupti/cuptitrial.h"
#include "gpu/device/device.h"

#include <algorithm>
#include <set>

using namespace jetscope;
using Kind = GpuActivity::Kind;

namespace {

constexpr int kWidth = 1920;
constexpr int kHeight = 1080;
constexpr std::size_t kOutputPitch = kWidth * 4;
/// CUPTI converts the GPU's clock to the host's.
constexpr std::int64_t kClockSlackNs = 2'000'000;

/// A stream and the resources of one frame: the frame is copied in, filtered, and a part of the picture is copied out.
struct Lane {
    std::unique_ptr<Stream> stream;
    std::unique_ptr<Buffer> frame;
    std::unique_ptr<Buffer> input;
    std::unique_ptr<Buffer> output;
    std::unique_ptr<Buffer> piece;

    void *native() const { return static_cast<CudaStream &>(*stream).native(); }
};

std::size_t countOf(const std::vector<GpuActivity> &activities, Kind kind)
{
    return static_cast<std::size_t>(std::count_if(activities.begin(), activities.end(),
                                                  [&](const GpuActivity &activity) { return activity.kind == kind; }));
}

} // namespace

class TestCuptiDevice : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void aFrameIsRecorded();
    void aDeviceThatIsNeverIdle();
    void pausedMeansUnrecorded();
    void sessionsOneAfterTheOther();

private:
    bool makeLane(Lane &lane);
    bool runFrame(Lane &lane);
    std::unique_ptr<CuptiSession> open();
    /// The activities of a frame that runs alone on the device.
    std::vector<GpuActivity> recordFrame(CuptiSession &session);

    std::unique_ptr<Device> m_device;
    std::optional<CuptiLibrary> m_library;
    std::vector<Lane> m_lanes;
    ImageLayout m_layout = makeImageLayout(PixelFormat::Nv12, kWidth, kHeight);
};

void TestCuptiDevice::initTestCase()
{
    for (const DeviceCandidate &candidate : listDevices())
        if (candidate.id == "cuda:0" && !candidate.usable.available)
            QSKIP(candidate.usable.reason.c_str());
    const std::int64_t beganNs = nowNs();
    const CuptiOutcome outcome = awaitCuptiOutcome(0);
    qInfo("the trial took %.0f ms: %s %s", static_cast<double>(nowNs() - beganNs) / 1e6, outcome.version.c_str(),
          outcome.library.c_str());
    if (!outcome.usable.available)
        QSKIP(outcome.usable.reason.c_str());
    const Result<CuptiLibrary> library = CuptiLibrary::load(outcome.library);
    JETSCOPE_VERIFY(library);
    m_library.emplace(library.value());
    Result<std::unique_ptr<Device>> device = openDevice("cuda:0", nullptr);
    JETSCOPE_VERIFY(device);
    m_device = std::move(device).value();
    m_lanes.resize(4);
    for (Lane &lane : m_lanes)
        QVERIFY(makeLane(lane) && runFrame(lane)); // Creates everything that is created at the first use.
    QVERIFY(m_device->synchronize().ok());
}

bool TestCuptiDevice::makeLane(Lane &lane)
{
    const auto make = [&](std::unique_ptr<Buffer> &buffer, Allocation kind, std::size_t bytes) {
        Result<std::unique_ptr<Buffer>> made = m_device->allocate(kind, bytes);
        if (made.ok())
            buffer = std::move(made).value();
        return made.ok();
    };
    Result<std::unique_ptr<Stream>> stream = m_device->createStream();
    if (!stream.ok())
        return false;
    lane.stream = std::move(stream).value();
    return make(lane.frame, Allocation::Pinned, pictureBytes(m_layout))
        && make(lane.input, Allocation::Device, pictureBytes(m_layout))
        && make(lane.output, Allocation::Device, kOutputPitch * kHeight)
        && make(lane.piece, Allocation::Pinned, kOutputPitch);
}

bool TestCuptiDevice::runFrame(Lane &lane)
{
    ChainLaunch launch;
    launch.inputLayout = m_layout;
    launch.input = wholeOf(*lane.input);
    launch.filters = {Filter::Gaussian5, Filter::Sobel};
    launch.output = wholeOf(*lane.output);
    launch.outputPitch = kOutputPitch;
    return m_device
               ->copyAsync({lane.input.get(), 0, lane.frame->bytes()}, wholeOf(*lane.frame), CopyKind::HostToDevice,
                           *lane.stream)
               .ok()
        && m_device->launch(launch, *lane.stream).ok()
        && m_device
               ->copyAsync(wholeOf(*lane.piece), {lane.output.get(), 0, lane.piece->bytes()}, CopyKind::DeviceToHost,
                           *lane.stream)
               .ok();
}

std::unique_ptr<CuptiSession> TestCuptiDevice::open()
{
    Result<std::unique_ptr<CuptiSession>> session = CuptiSession::open(*m_library);
    if (!session.ok())
        qWarning("%s", session.error().message().c_str());
    return session.ok() ? std::move(session).value() : nullptr;
}

std::vector<GpuActivity> TestCuptiDevice::recordFrame(CuptiSession &session)
{
    std::vector<GpuActivity> activities;
    if (runFrame(m_lanes[0]) && m_device->synchronize().ok() && session.flush().ok())
        session.take(activities);
    return activities;
}

void TestCuptiDevice::aFrameIsRecorded()
{
    const auto session = open();
    QVERIFY(session);
    const std::int64_t beganNs = nowNs() - kClockSlackNs;
    const std::vector<GpuActivity> activities = recordFrame(*session);
    const std::int64_t endedNs = nowNs() + kClockSlackNs;
    const Result<std::uint32_t> stream = cuptiStreamId(*m_library, nullptr, m_lanes[0].native());
    JETSCOPE_VERIFY(stream);
    QVERIFY(countOf(activities, Kind::Kernel) > 0);
    QCOMPARE(countOf(activities, Kind::Memcpy), std::size_t(2));
    std::int64_t before = 0;
    for (const GpuActivity &activity : activities) {
        qInfo("%d %lld ns, %lld after, %s", static_cast<int>(activity.kind),
              static_cast<long long>(activity.endNs - activity.startNs),
              static_cast<long long>(activity.startNs - before), std::string(activity.name).c_str());
        QVERIFY(activity.startNs >= beganNs && activity.endNs <= endedNs);
        QVERIFY(activity.startNs >= before); // In stream order, without overlap.
        before = activity.endNs;
        QCOMPARE(activity.streamId, stream.value());
        QVERIFY(activity.ours || activity.kind != Kind::Kernel);
    }
    QCOMPARE(activities.front().copy, GpuCopy::HostToDevice);
    QCOMPARE(activities.front().bytes, std::uint64_t(m_lanes[0].frame->bytes()));
    QCOMPARE(activities.back().copy, GpuCopy::DeviceToHost);
    QVERIFY2(session->counters().trouble().empty(), session->counters().trouble().c_str());
}

void TestCuptiDevice::aDeviceThatIsNeverIdle()
{
    constexpr int kFrames = 8'000;
    const auto session = open();
    QVERIFY(session);
    const std::size_t each = recordFrame(*session).size();
    QVERIFY(each >= 3);
    std::size_t seen = 0;
    std::vector<std::int64_t> ages;
    std::vector<GpuActivity> activities;
    const auto collect = [&] {
        session->take(activities);
        seen += activities.size();
        for (const GpuActivity &activity : activities)
            ages.push_back(nowNs() - activity.endNs);
    };
    const std::int64_t beganNs = nowNs();
    for (int frame = 0; frame < kFrames; ++frame) {
        Lane &lane = m_lanes[static_cast<std::size_t>(frame) % m_lanes.size()];
        // The other three have work at the same time.
        QVERIFY(m_device->synchronize(*lane.stream).ok());
        QVERIFY(runFrame(lane));
        collect();
    }
    const double seconds = static_cast<double>(nowNs() - beganNs) / 1e9;
    QVERIFY(m_device->synchronize().ok());
    const std::size_t seenWhileBusy = seen;
    QVERIFY(session->flush().ok());
    collect();
    std::sort(ages.begin(), ages.end());
    const auto age = [&](std::size_t percent) { return static_cast<double>(ages[ages.size() * percent / 100]) / 1e6; };
    const CuptiCounters counters = session->counters();
    qInfo("%.0f frames/s; %.1f %% of the records came while the device was busy; age p50 %.1f ms, p99 %.1f ms; %llu "
          "late; %llu flushes "
          "of %.0f us",
          kFrames / seconds, 100.0 * static_cast<double>(seenWhileBusy) / static_cast<double>(seen), age(50), age(99),
          static_cast<unsigned long long>(counters.late), static_cast<unsigned long long>(counters.flushes),
          static_cast<double>(counters.flushNs) / 1e3
              / static_cast<double>(std::max<std::uint64_t>(counters.flushes, 1)));
    QCOMPARE(seen, each * kFrames);
    QCOMPARE(counters.lost(), std::uint64_t(0));
    QVERIFY(seenWhileBusy * 2 > seen);
}

void TestCuptiDevice::pausedMeansUnrecorded()
{
    const auto session = open();
    QVERIFY(session);
    const std::size_t each = recordFrame(*session).size();
    QVERIFY(session->setRecording(false).ok());
    QCOMPARE(recordFrame(*session).size(), std::size_t(0));
    QVERIFY(session->setRecording(true).ok());
    QCOMPARE(recordFrame(*session).size(), each);
    QVERIFY2(session->counters().trouble().empty(), session->counters().trouble().c_str());
}

void TestCuptiDevice::sessionsOneAfterTheOther()
{
    std::set<std::size_t> counts;
    for (int i = 0; i < 5; ++i) {
        const auto session = open();
        QVERIFY(session);
        counts.insert(recordFrame(*session).size());
    }
    QCOMPARE(counts.size(), std::size_t(1));
    QVERIFY(*counts.begin() >= 3);
    // The device continues to work without a session.
    QVERIFY(runFrame(m_lanes[0]) && m_device->synchronize().ok());
}

int main(int argc, char **argv)
{
    if (const std::optional<int> trial = cuptiTrialIfAsked(argc, argv))
        return *trial;
    TestCuptiDevice test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_cuptidevice.moc"
