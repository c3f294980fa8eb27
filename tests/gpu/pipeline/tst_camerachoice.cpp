// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Several sources at once, one of which drives the pipeline: all are recorded, and a switch loses no frame of the
// chosen one without saying so.
#include "core/lab/camerasreport.h"
#include "core/trace/framenumbers.h"
#include "gpu/sources/severaladdress.h"
#include "tests/support/pipelinefixture.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <map>
#include <set>

using namespace jetscope;

namespace {

constexpr int kCameraPatienceMs = 120'000;

std::unique_ptr<FrameSource> openCameras(const std::string &address)
{
    Result<std::unique_ptr<FrameSource>> source = openSource(address, Pacing::Real);
    if (!source.ok())
        qFatal("%s", source.error().message().c_str());
    return std::move(source).value();
}

/// Three cameras of different sizes.
std::string threeCameras(int drives)
{
    return "several:" + std::to_string(drives)
        + " of synthetic:?size=64x48&fps=100&format=bgr | synthetic:?size=32x32&fps=80&format=grey | "
          "synthetic:?size=64x48&fps=50";
}

struct ToldCameras {
    std::map<std::uint32_t, std::uint64_t> numbers; ///< The source's, by frame.
    std::vector<LostFrames> lost;
    std::vector<PipelineNotice> switches;
    std::vector<std::string> trouble;
    std::vector<LaneInfo> lanes;

    void take(PipelineUpdate update)
    {
        for (const FrameNumber &number : update.numbers)
            m_numbers.add(number);
        for (const FrameFigures &figures : update.figures)
            numbers[figures.frame] = m_numbers.of(figures.frame);
        lanes.insert(lanes.end(), update.lanes.begin(), update.lanes.end());
        for (const PipelineNotice &notice : update.notices) {
            lost.insert(lost.end(), notice.lost.begin(), notice.lost.end());
            if (notice.kind == PipelineNotice::Kind::Switched)
                switches.push_back(notice);
            if (notice.kind == PipelineNotice::Kind::Refused || notice.kind == PipelineNotice::Kind::Failed)
                trouble.push_back(notice.text);
        }
    }
    bool isTold(std::uint64_t number) const
    {
        return std::any_of(lost.begin(), lost.end(), [number](const LostFrames &each) {
            return number >= each.first && number < each.first + each.count;
        });
    }
    /// The first number between those of [from, until) that neither arrived nor was told as lost.
    std::optional<std::uint64_t> hole(std::uint32_t from, std::uint32_t until) const
    {
        const auto first = numbers.lower_bound(from);
        std::optional<std::uint64_t> before;
        for (auto each = first; each != numbers.end() && each->first < until; ++each) {
            for (std::uint64_t number = before ? *before + 1 : each->second; number < each->second; ++number)
                if (!isTold(number))
                    return number;
            before = each->second;
        }
        return std::nullopt;
    }

private:
    FrameNumbers m_numbers;
};

} // namespace

class TestCameraChoice : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data() { testing::addDeviceRows(testing::representativeDevices()); }
    void init();
    void switchesAreExactAndTheOthersGoOn();
    void anAddressOfOtherSourcesIsOpened();
    void aCameraThatEndsLeavesTheOthers();
    void plantedPhasesAreFound_data();
    void plantedPhasesAreFound();

private:
    PipelineSetup setupFor(const std::string &address, std::uint64_t frames);
    std::string m_device;
};

void TestCameraChoice::init()
{
    QFETCH_GLOBAL(QString, device);
    m_device = device.toStdString();
}

PipelineSetup TestCameraChoice::setupFor(const std::string &address, std::uint64_t frames)
{
    PipelineSetup setup;
    setup.display = testing::displayOf(m_device);
    setup.deviceId = m_device;
    setup.config = nearestLegal(setup.config, testing::factsOf(m_device));
    setup.config.filters = {Filter::Identity};
    setup.source = openCameras(address);
    setup.frameLimit = frames;
    return setup;
}

void TestCameraChoice::switchesAreExactAndTheOthersGoOn()
{
    constexpr std::uint32_t kFrames = 150;
    PipelineSetup setup = setupFor(threeCameras(1), kFrames);
    setup.schedule = {
        {40, setup.config, threeCameras(2)}, {80, setup.config, threeCameras(3)}, {110, setup.config, threeCameras(1)}};
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
    JETSCOPE_VERIFY(pipeline);
    ToldCameras told;
    QVERIFY(QTest::qWaitFor(
        [&] {
            told.take(pipeline.value()->drainUpdates());
            return pipeline.value()->status().state == PipelineState::Ended
                || pipeline.value()->status().state == PipelineState::Failed;
        },
        kCameraPatienceMs));
    told.take(pipeline.value()->drainUpdates());
    QVERIFY2(told.trouble.empty(), told.trouble.empty() ? "" : told.trouble.front().c_str());
    QCOMPARE(told.switches.size(), std::size_t(3));
    const std::uint32_t begins[] = {0, 40, 80, 110, kFrames};
    for (std::size_t i = 0; i + 1 < std::size(begins); ++i) {
        const auto hole = told.hole(begins[i], begins[i + 1]);
        QVERIFY2(!hole, qPrintable(QString("number %1 of stretch %2").arg(hole.value_or(0)).arg(i)));
        if (i > 0) {
            QCOMPARE(told.switches[i - 1].frame, begins[i]);
            // It was read before: no camera is opened or begins anew.
            QVERIFY(told.numbers.at(begins[i]) > 5);
        }
    }
    // All were recorded, all the time: no number is missing, and each has its lane.
    const std::vector<OpenCamera> cameras = pipeline.value()->cameras();
    QCOMPARE(cameras.size(), std::size_t(3));
    QVERIFY(cameras[0].drives && !cameras[1].drives && !cameras[2].drives);
    for (const OpenCamera &camera : cameras) {
        QVERIFY(camera.log->count() > 40);
        QCOMPARE(camera.log->contents().counts.sum(), std::uint64_t(0));
        QCOMPARE(camera.trouble, std::string());
    }
    for (const char *name : {"Camera 1", "Camera 2", "Camera 3", "Capture"})
        QVERIFY2(std::any_of(told.lanes.begin(), told.lanes.end(),
                             [name](const LaneInfo &lane) { return lane.name == name; }),
                 name);
}

void TestCameraChoice::anAddressOfOtherSourcesIsOpened()
{
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupFor(threeCameras(1), 0));
    JETSCOPE_VERIFY(pipeline);
    const auto shows = [&](const std::string &uri) {
        return QTest::qWaitFor([&] { return pipeline.value()->status().source.uri == uri; }, kCameraPatienceMs);
    };
    pipeline.value()->changeSource("synthetic:?size=48x48&fps=30");
    QVERIFY(shows("synthetic:?size=48x48&fps=30"));
    QCOMPARE(pipeline.value()->cameras().size(), std::size_t(1));
    pipeline.value()->changeSource(threeCameras(3));
    QVERIFY(shows(threeCameras(3)));
    QCOMPARE(pipeline.value()->cameras().size(), std::size_t(3));
    pipeline.value()->changeSource(threeCameras(2));
    QVERIFY(shows(threeCameras(2)));
    const std::uint64_t frames = pipeline.value()->status().frames;
    QVERIFY(QTest::qWaitFor([&] { return pipeline.value()->status().frames > frames + 10; }, kCameraPatienceMs));
}

void TestCameraChoice::aCameraThatEndsLeavesTheOthers()
{
    const std::string list = "of synthetic:?size=64x48&fps=100&frames=20 | synthetic:?size=64x48&fps=100";
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupFor("several:1 " + list, 0));
    JETSCOPE_VERIFY(pipeline);
    QVERIFY(
        QTest::qWaitFor([&] { return pipeline.value()->status().state == PipelineState::Ended; }, kCameraPatienceMs));
    QCOMPARE(pipeline.value()->cameras()[0].log->count(), std::uint64_t(20));
    const std::uint64_t frames = pipeline.value()->status().frames;
    pipeline.value()->changeSource("several:2 " + list);
    QVERIFY(QTest::qWaitFor([&] { return pipeline.value()->status().frames > frames + 20; }, kCameraPatienceMs));
    QVERIFY(pipeline.value()->cameras()[1].log->count() > 20);
}

void TestCameraChoice::plantedPhasesAreFound_data()
{
    QTest::addColumn<int>("skew");
    for (const int skew : {3, 8, 16})
        QTest::addRow("%d ms", skew) << skew;
}

void TestCameraChoice::plantedPhasesAreFound()
{
    QFETCH(int, skew);
    // The pipeline runs one of them meanwhile.
    const std::string camera = "pattern:?size=64x36&fps=25&phase=";
    Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupFor(
        "several:" + camera + "0 | " + camera + "0 | " + camera + std::to_string(skew) + " | " + camera + "0", 0));
    JETSCOPE_VERIFY(pipeline);
    const auto cameras = pipeline.value()->cameras();
    QVERIFY(QTest::qWaitFor([&] { return cameras[2].log->count() > 60; }, kCameraPatienceMs));
    std::vector<std::shared_ptr<const CameraLog>> logs;
    for (const OpenCamera &each : cameras)
        logs.push_back(each.log);
    const CamerasReport report = camerasReportOf(logs);
    // They date their frames themselves, when these come.
    QVERIFY2(report.skew.cause == SkewCause::Arrival, report.skew.verdict.c_str());
    QCOMPARE(*report.skew.culprit, std::size_t(2));
    QVERIFY2(std::abs(report.skew.cameras[2].skewMs - skew) < 1, report.skew.verdict.c_str());
    QVERIFY2(std::abs(report.skew.skewMs - skew) < 1, report.skew.verdict.c_str());
}

JETSCOPE_TEST(TestCameraChoice)
#include "tst_camerachoice.moc"
