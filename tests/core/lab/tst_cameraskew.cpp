// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which of several cameras is off, and where: cameras that are played here, with a skew that is planted.
#include "core/lab/cameraskew.h"
#include "tests/support/testprogram.h"

#include <cmath>
#include <random>

using namespace jetscope;

namespace {

constexpr double kCameraMsNs = 1e6;

struct PlayedCamera {
    double laterMs = 0;  ///< Its exposure.
    double ageMs = 10;   ///< From the stamp to the program.
    double driftPpm = 0; ///< Of its period: it runs slow if positive.
    double lateMs = 0;   ///< Of one frame in twenty: that much longer in a queue.
    double periodMs = 33.333;
    double pauseMs = 0; ///< In its middle.
    std::size_t missingEvery = 0;
};

std::vector<CameraFrame> playCamera(const PlayedCamera &camera, unsigned seed, std::size_t count = 300)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(0, 0.4);
    std::vector<CameraFrame> frames;
    for (std::size_t i = 0; i < count; ++i) {
        if (camera.missingEvery > 0 && i % camera.missingEvery == camera.missingEvery - 1)
            continue;
        const double stampMs = 1000 + camera.laterMs
            + static_cast<double>(i) * camera.periodMs * (1 + camera.driftPpm / 1e6)
            + (i >= count / 2 ? camera.pauseMs : 0);
        const double ageMs = camera.ageMs + jitter(random) + (i % 20 == 7 ? camera.lateMs : 0);
        frames.push_back({i, std::llround((stampMs + jitter(random) / 4) * kCameraMsNs),
                          std::llround((stampMs + ageMs) * kCameraMsNs)});
    }
    return frames;
}

SkewFinding comparePlayed(const std::vector<PlayedCamera> &cameras)
{
    std::vector<std::vector<CameraFrame>> frames;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < cameras.size(); ++i) {
        frames.push_back(playCamera(cameras[i], static_cast<unsigned>(i + 1)));
        names.push_back("camera " + std::to_string(i + 1));
    }
    return compareCameras(frames, names);
}

} // namespace

class TestCameraSkew : public QObject {
    Q_OBJECT

private slots:
    void camerasInStep();
    void aPlantedSkewIsRead_data();
    void aPlantedSkewIsRead();
    void aSlowDriverIsNoLateExposure();
    void aQueueDelaysSomeFrames();
    void aCameraOfItsOwnClockDrifts();
    void missingFramesDoNotPairWithOthers();
    void camerasHalfAPeriodApartPair();
    void camerasOfOtherRates();
    void aThousandthIsMoreThanClocksDiffer();
    void aPauseIsNoOtherRate();
    void tooFewFramesOrCameras();
};

void TestCameraSkew::camerasInStep()
{
    const SkewFinding finding = comparePlayed({{}, {}, {}, {}});
    QVERIFY(finding.cause == SkewCause::None);
    QVERIFY(!finding.culprit);
    QCOMPARE(finding.groups, std::size_t(300));
    QVERIFY(finding.skewMs < 0.3);
}

void TestCameraSkew::aPlantedSkewIsRead_data()
{
    QTest::addColumn<double>("skewMs");
    QTest::addColumn<int>("cameras");
    QTest::addColumn<int>("culprit");
    for (const double skew : {3.0, 8.0, 16.0, -3.0, -8.0})
        for (const int cameras : {2, 4, 8})
            QTest::addRow("%.0f ms, %d cameras", skew, cameras) << skew << cameras << 1;
}

void TestCameraSkew::aPlantedSkewIsRead()
{
    QFETCH(double, skewMs);
    QFETCH(int, cameras);
    QFETCH(int, culprit);
    std::vector<PlayedCamera> played(static_cast<std::size_t>(cameras));
    played[static_cast<std::size_t>(culprit)].laterMs = skewMs;
    const SkewFinding finding = comparePlayed(played);
    QVERIFY(finding.cause == SkewCause::Trigger);
    QVERIFY(std::abs(finding.skewMs - std::abs(skewMs)) < 1);
    QVERIFY(finding.culprit);
    if (cameras > 2)
        QCOMPARE(static_cast<int>(*finding.culprit), culprit);
    else // Of two, the later one.
        QCOMPARE(static_cast<int>(*finding.culprit), skewMs > 0 ? culprit : 1 - culprit);
    QVERIFY(std::abs(finding.cameras[static_cast<std::size_t>(culprit)].skewMs - skewMs) < 1);
}

void TestCameraSkew::aSlowDriverIsNoLateExposure()
{
    std::vector<PlayedCamera> cameras(4);
    cameras[2].ageMs = 18;
    const SkewFinding finding = comparePlayed(cameras);
    QVERIFY(finding.cause == SkewCause::Driver);
    QCOMPARE(*finding.culprit, std::size_t(2));
    QVERIFY(finding.skewMs < 0.3);
    QVERIFY(std::abs(finding.cameras[2].arrivalSkewMs - 8) < 1);
}

void TestCameraSkew::aQueueDelaysSomeFrames()
{
    std::vector<PlayedCamera> cameras(3);
    cameras[0].lateMs = 25;
    const SkewFinding finding = comparePlayed(cameras);
    QVERIFY(finding.cause == SkewCause::Queue);
    QCOMPARE(*finding.culprit, std::size_t(0));
}

void TestCameraSkew::aCameraOfItsOwnClockDrifts()
{
    std::vector<PlayedCamera> cameras(4);
    cameras[3].driftPpm = 400;
    const SkewFinding finding = comparePlayed(cameras);
    QVERIFY(finding.cause == SkewCause::Drift);
    QCOMPARE(*finding.culprit, std::size_t(3));
    QVERIFY(std::abs(finding.cameras[3].driftPpm.value() - 400) < 400 * 0.2);
}

void TestCameraSkew::missingFramesDoNotPairWithOthers()
{
    std::vector<PlayedCamera> cameras(3);
    cameras[1].missingEvery = 5;
    const SkewFinding finding = comparePlayed(cameras);
    QCOMPARE(finding.groups, std::size_t(240));
    QVERIFY(finding.skewP99Ms < 1);
    QVERIFY(finding.cause == SkewCause::None);
}

/// As far apart as two cameras can be: each frame still has one of the other.
void TestCameraSkew::camerasHalfAPeriodApartPair()
{
    std::vector<PlayedCamera> cameras(2);
    cameras[1].laterMs = cameras[0].periodMs / 2 + 0.05;
    const SkewFinding finding = comparePlayed(cameras);
    QVERIFY2(finding.groups >= 290, qPrintable(QString::number(finding.groups)));
    QVERIFY(std::abs(finding.skewMs - cameras[0].periodMs / 2) < 1);
}

void TestCameraSkew::camerasOfOtherRates()
{
    std::vector<PlayedCamera> cameras(2);
    cameras[1].periodMs = cameras[0].periodMs / 2;
    const SkewFinding finding = comparePlayed(cameras);
    // 300 frames of the faster one last half as long.
    QVERIFY(finding.groups >= 148 && finding.groups <= 151);
    QVERIFY(finding.skewP99Ms < 1);
    // That is no drift of a clock, and no trigger would mend it.
    QVERIFY2(finding.cause == SkewCause::Rate, finding.verdict.c_str());
    QVERIFY(!finding.cameras[0].driftPpm && !finding.cameras[1].driftPpm);
    QVERIFY2(finding.verdict.find("camera 1 has a frame every 33.3 ms and the other every 16.7 ms")
                 != std::string::npos,
             finding.verdict.c_str());
}

/// As NTSC's rates do.
void TestCameraSkew::aThousandthIsMoreThanClocksDiffer()
{
    std::vector<PlayedCamera> cameras(2);
    cameras[1].driftPpm = 1001;
    const SkewFinding finding = comparePlayed(cameras);
    QVERIFY(finding.cause == SkewCause::Drift);
    QVERIFY2(finding.verdict.find("one frame rate (29.97 is not 30)") != std::string::npos, finding.verdict.c_str());
    cameras[1].driftPpm = 100;
    QVERIFY(comparePlayed(cameras).verdict.find("frame rate") == std::string::npos);
}

/// All its later frames come later, but it has the rate of the others.
void TestCameraSkew::aPauseIsNoOtherRate()
{
    std::vector<PlayedCamera> cameras(2);
    cameras[1].pauseMs = 400;
    const SkewFinding finding = comparePlayed(cameras);
    QVERIFY2(finding.cause != SkewCause::Rate, finding.verdict.c_str());
}

void TestCameraSkew::tooFewFramesOrCameras()
{
    const std::vector<CameraFrame> all = playCamera({}, 1);
    const std::vector<CameraFrame> few(all.begin(), all.begin() + 3);
    const std::vector<std::string> names{"a", "b"};
    for (const std::vector<std::vector<CameraFrame>> &cameras :
         {std::vector<std::vector<CameraFrame>>{all, few}, {all, {}}, {all}, {}}) {
        const SkewFinding finding = compareCameras(cameras, names);
        QCOMPARE(finding.groups, std::size_t(0));
        QVERIFY(!finding.culprit);
        QVERIFY(!finding.verdict.empty());
    }
    // Moments that do not overlap.
    std::vector<CameraFrame> later = all;
    for (CameraFrame &frame : later)
        frame.stampNs += 60'000'000'000;
    const std::vector<std::vector<CameraFrame>> apart{all, later};
    QCOMPARE(compareCameras(apart, names).groups, std::size_t(0));
}

JETSCOPE_TEST(TestCameraSkew)
#include "tst_cameraskew.moc"
