// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Four cameras of a real driver at once, and what is planted in one of them. Runs where they are loaded:
// tests/support/v4l2-guest -n 4.
#include "gpu/sources/cameras.h"
#include "tests/app/program.h"

#include <QJsonArray>
#include <algorithm>
#include <cmath>

using namespace jetscope;

namespace {

constexpr int kVividCameras = 4;
constexpr int kVividFrames = 150;

std::vector<CameraInfo> vividCameras()
{
    std::vector<CameraInfo> cameras = listCameras();
    std::erase_if(cameras, [](const CameraInfo &camera) { return camera.driver != "vivid"; });
    return cameras;
}

void setIn(int camera, const std::string &name, std::int64_t value)
{
    const std::string path = vividCameras()[static_cast<std::size_t>(camera)].path;
    const Result<std::vector<CameraControl>> controls = readCameraControls(path);
    QVERIFY(controls.ok());
    const auto control = std::find_if(controls.value().begin(), controls.value().end(),
                                      [&](const CameraControl &each) { return each.name == name; });
    QVERIFY(control != controls.value().end());
    QVERIFY(setCameraControl(path, control->id, value).ok());
}

QJsonArray readTogether()
{
    QStringList words{"lab", "cameras"};
    for (const CameraInfo &camera : vividCameras())
        words << QStringLiteral("v4l2:%1?size=320x180&fps=15").arg(QString::fromStdString(camera.path));
    const Outcome run = runProgram(words + QStringList{"--frames", QString::number(kVividFrames), "--json"});
    if (run.code != 0)
        qWarning().noquote() << run.describe();
    return run.json()["cameras"].toArray();
}

} // namespace

class TestVividCameras : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void stampsOfAnotherMomentAreSeen();
    void lostFramesAreThoseOfTheirCamera();
};

void TestVividCameras::initTestCase()
{
    if (vividCameras().size() < kVividCameras)
        QSKIP("there are no four vivid cameras: run this by tests/support/v4l2-guest -n 4");
    for (int camera = 0; camera < kVividCameras; ++camera)
        setIn(camera, "Timestamp Source", 1); // Start of the exposure; their default is a moment yet to come.
}

/// A frame of vivid is complete nine tenths of a period after its exposure began; one camera stamps that.
void TestVividCameras::stampsOfAnotherMomentAreSeen()
{
    setIn(2, "Timestamp Source", 0);
    const QJsonArray cameras = readTogether();
    setIn(2, "Timestamp Source", 1);
    QCOMPARE(cameras.size(), kVividCameras);
    for (int i = 0; i < kVividCameras; ++i) {
        const QJsonObject camera = cameras[i].toObject();
        QCOMPARE(camera["frames"].toInt(), kVividFrames);
        QCOMPARE(camera["lost_frames"].toObject()["frames"].toInt(), 0);
        QCOMPARE(camera["stamps"].toObject()["clock"].toString(), QString("monotonic"));
        QCOMPARE(camera["stamps"].toObject()["edge"].toString() == "unknown", i == 2);
    }
    const double period = 1000.0 / 15;
    const auto of = [&](int camera, const char *name) {
        return cameras[camera].toObject()[QLatin1String(name)].toDouble();
    };
    QVERIFY2(std::abs(of(0, "age_ms") - of(2, "age_ms") - 0.9 * period) < 1,
             qPrintable(QString::number(of(2, "age_ms"))));
    // Of which moment its frames are is known up to a period.
    const double planted = of(2, "skew_ms") - of(2, "arrival_skew_ms") - 0.9 * period;
    QVERIFY2(std::abs(std::remainder(planted, of(2, "period_ms"))) < 1, qPrintable(QString::number(planted)));
}

void TestVividCameras::lostFramesAreThoseOfTheirCamera()
{
    setIn(1, "Percentage of Dropped Buffers", 20);
    const QJsonArray cameras = readTogether();
    setIn(1, "Percentage of Dropped Buffers", 0);
    QCOMPARE(cameras.size(), kVividCameras);
    for (int i = 0; i < kVividCameras; ++i) {
        const QJsonObject lost = cameras[i].toObject()["lost_frames"].toObject();
        const int frames = lost["frames"].toInt();
        QVERIFY2(i == 1 ? frames > kVividFrames / 10 : frames == 0, qPrintable(QString::number(frames)));
        // Stamps and arrivals tell the same.
        const double skew = cameras[i].toObject()["skew_ms"].toDouble();
        const double arrivalSkew = cameras[i].toObject()["arrival_skew_ms"].toDouble();
        QVERIFY2(std::abs(skew - arrivalSkew) < 1, qPrintable(QStringLiteral("%1 %2").arg(skew).arg(arrivalSkew)));
        int byCause = 0;
        for (const QJsonValue &cause : lost["causes"].toObject())
            byCause += cause.toInt();
        QCOMPARE(byCause, frames);
    }
}

QTEST_GUILESS_MAIN(TestVividCameras)
#include "tst_vividcameras.moc"
