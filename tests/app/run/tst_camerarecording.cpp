// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The result of `run --record` with a camera that is unplugged and reconnected repeatedly. tst_vividrun does the same
// with a real driver.
#include "app/commandline/interrupt.h"
#include "app/commandline/jsonvalues.h"
#include "app/run/runner.h"
#include "app/run/runreport.h"
#include "app/run/runtracefile.h"
#include "gpu/device/backends.h"
#include "gpu/sources/v4l2/camerasource.h"
#include "tests/app/jsonlines.h"
#include "tests/app/recordedgaps.h"
#include "tests/support/fakecamera.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTemporaryDir>

using namespace jetscope;
using testing::FakeCamera;

namespace {

constexpr int kGaps = 10;
constexpr std::uint64_t kFrames = 400; ///< More than the camera delivers before it was disconnected for the last time.

} // namespace

class TestCameraRecording : public QObject {
    Q_OBJECT

private slots:
    void aCameraGoneTenTimesLeavesOneCleanCapture_data();
    void aCameraGoneTenTimesLeavesOneCleanCapture();
    void theSettingsThatRunStateWhatWasCounted();

private:
    static RunResult run(FakeCamera &camera, const std::string &uri, Options &options, RunPlan &plan);
};

/// Like command_run.
RunResult TestCameraRecording::run(FakeCamera &camera, const std::string &uri, Options &options, RunPlan &plan)
{
    PipelineSetup setup;
    setup.deviceId = "soft:orin";
    setup.display = openHeadlessDisplay(setup.deviceId).value();
    setup.source = openCamera(camera, parseSourceUri(uri).value()).value();
    setup.frameLimit = *options.frames;
    const DeviceFacts facts = openDevice(setup.deviceId, setup.display).value()->facts();
    plan = planRun(options, facts, Capability::no("not part of this test")).value();
    setup.config = plan.segments.front().config;
    for (const Segment &segment : plan.segments)
        if (segment.firstFrame > 0)
            setup.schedule.push_back({segment.firstFrame, segment.config});

    RunTraceFile recording;
    if (const Status started = recording.start(options, uri, facts, setup.config); !started.ok())
        qFatal("%s", started.error().message().c_str());
    const Interrupt interrupt;
    RunResult record;
    {
        Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(std::move(setup));
        if (!pipeline.ok())
            qFatal("%s", pipeline.error().message().c_str());
        record = watchRun(*pipeline.value(), interrupt, *options.frames, &recording);
    }
    recording.finish();
    if (!recording.problem().empty())
        qFatal("%s", recording.problem().c_str());
    return record;
}

void TestCameraRecording::aCameraGoneTenTimesLeavesOneCleanCapture_data()
{
    QTest::addColumn<QString>("uri");
    QTest::newRow("mmap") << "v4l2:?io=mmap";
    QTest::newRow("userptr") << "v4l2:?io=userptr";
}

void TestCameraRecording::aCameraGoneTenTimesLeavesOneCleanCapture()
{
    QFETCH(QString, uri);
    const QTemporaryDir folder;
    const std::string path = folder.filePath("camera.jscope").toStdString();
    FakeCamera camera;
    camera.period = 1;
    int gone = 0;
    int looks = 0;
    camera.fill = [&](std::byte *, std::size_t size) {
        if (camera.delivered % 20 == 19 && gone < kGaps) {
            ++gone;
            camera.present = false; // After this frame.
        }
        return size;
    };
    camera.paused = [&] { camera.present = ++looks % 2 == 0; };
    Options options;
    options.command = Command::Run;
    options.frames = kFrames;
    options.recordPath = path;
    RunPlan plan;
    const RunResult record = run(camera, uri.toStdString(), options, plan);
    QVERIFY2(record.failure.empty(), record.failure.c_str());
    QCOMPARE(record.status.frames, kFrames);
    QCOMPARE(gone, kGaps);
    QVERIFY2(camera.broken.empty(), camera.broken.c_str());
    testing::verifyRecordedGaps(path, kGaps);

    const QJsonObject json = printed(runJson(makeReport(options, plan, record), options));
    QCOMPARE(json["source_faults"].toObject(),
             (QJsonObject{
                 {"missed", 0}, {"damaged", 0}, {"torn", 0}, {"repeated", 0}, {"odd_timestamps", 0}, {"gaps", kGaps}}));
    QVERIFY(json["source_trouble"].isNull());
    QCOMPARE(json["copies_to_gpu"].toInt(), uri.endsWith("mmap") ? 2 : 1); // The input memory is pinned.
}

void TestCameraRecording::theSettingsThatRunStateWhatWasCounted()
{
    FakeCamera camera;
    camera.period = 1;
    camera.tamper = [&](v4l2_buffer &buffer) {
        if (camera.delivered % 50 == 10)
            buffer.flags |= V4L2_BUF_FLAG_ERROR;
        if (camera.delivered % 50 == 20)
            buffer.timestamp = {};
        if (camera.delivered % 50 == 30)
            camera.sequence += 2;
        if (camera.delivered % 50 == 40)
            buffer.bytesused /= 2;
    };
    Options options;
    options.command = Command::Run;
    options.frames = 200;
    options.at = {{100, GivenSettings::parse("memory=zero-copy").value()}};
    const QTemporaryDir folder;
    options.recordPath = folder.filePath("camera.jscope").toStdString();
    RunPlan plan;
    const RunResult record = run(camera, "v4l2:?io=mmap", options, plan);
    QVERIFY2(record.failure.empty(), record.failure.c_str());
    const QJsonObject json = printed(runJson(makeReport(options, plan, record), options));
    QJsonObject sum{{"missed", 0}, {"damaged", 0}, {"torn", 0}, {"repeated", 0}, {"odd_timestamps", 0}, {"gaps", 0}};
    int dropped = 0;
    for (const auto &segment : json["segments"].toArray()) {
        const QJsonObject faults = segment.toObject()["source_faults"].toObject();
        for (const char *key : {"missed", "damaged", "torn", "odd_timestamps"}) {
            QVERIFY2(faults[key].toInt() > 0, key);
            sum[key] = sum[key].toInt() + faults[key].toInt();
        }
        dropped += segment.toObject()["dropped"].toInt(-1000);
    }
    QCOMPARE(sum, json["source_faults"].toObject());
    QCOMPARE(dropped, json["dropped"].toInt());
    // The source may have seen one fault more, of each kind, behind the last frame: that lost no frame of the run.
    constexpr int kBehindTheEnd = 4;
    const int faults = sum["missed"].toInt() + sum["damaged"].toInt() + sum["torn"].toInt();
    QVERIFY2(dropped >= faults - kBehindTheEnd, qPrintable(QStringLiteral("%1 of %2").arg(dropped).arg(faults)));
    QCOMPARE(json["segments"].toArray()[1].toObject()["copies_to_gpu"].toInt(), 1);
    // Each of them has one cause: in JSON, in the capture, and in their sums.
    int told = 0;
    int damaged = 0;
    for (const auto &lost : json["lost"].toArray()) {
        told += lost.toObject()["frames"].toInt();
        damaged += lost.toObject()["cause"].toString() == "damaged" ? lost.toObject()["frames"].toInt() : 0;
    }
    QCOMPARE(told, dropped);
    QCOMPARE(json["lost_frames"].toObject()["frames"].toInt(), dropped);
    QCOMPARE(testing::numberOf(*options.recordPath, "SELECT sum(frames) FROM lost_frames"), std::int64_t{dropped});
    QVERIFY(2 * damaged > sum["damaged"].toInt() + sum["torn"].toInt());
}

JETSCOPE_TEST(TestCameraRecording)
#include "tst_camerarecording.moc"
