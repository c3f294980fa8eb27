// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// `jetscope run` with a real driver: a camera that is unplugged and reconnected ten times during a recording, and the
// driver's own buffers passed to GL. Requires the virtual camera driver (vivid): tests/support/v4l2-guest boots a
// machine with it.
#include "gpu/sources/cameras.h"
#include "tests/app/program.h"
#include "tests/app/recordedgaps.h"

#include <QFile>
#include <QTemporaryDir>

#include <csignal>

using namespace jetscope;
using testing::numberOf;

namespace {

constexpr int kGaps = 10;

bool isThere()
{
    for (const CameraInfo &camera : listCameras())
        if (camera.driver == "vivid")
            return true;
    return false;
}

/// "bind" or "unbind", like plugging and unplugging a cable.
void tellDriver(const char *what)
{
    QFile file(QStringLiteral("/sys/bus/platform/drivers/vivid/%1").arg(QLatin1String(what)));
    QVERIFY2(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered), what);
    QCOMPARE(file.write("vivid.0"), qint64{7});
}

void setControl(const std::string &name, std::int64_t value)
{
    const std::string path = listCameras().front().path;
    const Result<std::vector<CameraControl>> controls = readCameraControls(path);
    QVERIFY(controls.ok());
    for (const CameraControl &control : controls.value())
        if (control.name == name)
            QVERIFY(setCameraControl(path, control.id, value).ok());
}

} // namespace

class TestVividRun : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void framesAreFilteredWithinAPeriod();
    void pulledOutTenTimes();
    void ownBuffersAreShown_data();
    void ownBuffersAreShown();
};

void TestVividRun::initTestCase()
{
    if (!isThere())
        QSKIP("there is no vivid camera: run this by tests/support/v4l2-guest");
}

void TestVividRun::framesAreFilteredWithinAPeriod()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("latency.jscope").toStdString();
    setControl("Timestamp Source", 1); // Start of exposure: the default, its end, is in the future.
    const Outcome outcome = runProgram({"run", "--source", "v4l2:?size=320x180&fps=15", "--frames", "60", "--record",
                                        QString::fromStdString(path), "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QCOMPARE(outcome.json()["source_faults"].toObject()["odd_timestamps"].toInt(-1), 0);
    const QByteArray seen = outcome.describe() + "\nto the pipeline, us: "
        + QByteArray::number(qlonglong(
            numberOf(path, "SELECT avg(latency_ns - frame_ns) / 1000 FROM frames WHERE latency_ns > 0")));
    // From the kernel's timestamp until the pipeline takes a frame and finishes its last filter: less than a period. An
    // additional frame in between would delay all frames; in an emulated machine many are late because of other load.
    const std::int64_t frames = numberOf(path, "SELECT count(*) FROM frames WHERE latency_ns > 0");
    QVERIFY2(frames > 40, seen);
    QVERIFY2(numberOf(path, "SELECT count(*) FROM frames WHERE latency_ns > 0 AND latency_ns <= period_ns")
                 > frames / 10,
             seen);
}

void TestVividRun::pulledOutTenTimes()
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("vivid.jscope").toStdString();
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"run", "--source", "v4l2:?size=320x180&fps=15", "--frames", "1000000", "--record",
                   QString::fromStdString(path), "--json"});
    QVERIFY(process.waitForStarted());
    const auto frames = [&] { return numberOf(path, "SELECT count(*) FROM frames"); };
    for (int gap = 0; gap < kGaps; ++gap) {
        // Frames since the last reconnection, with that reconnection marked.
        const std::int64_t before = std::max<std::int64_t>(frames(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(frames() > before + 2 || process.state() != QProcess::Running, 60'000);
        QTRY_COMPARE_WITH_TIMEOUT(numberOf(path, "SELECT count(*) FROM marks WHERE kind = 'gap'"), gap, 60'000);
        QVERIFY2(process.state() == QProcess::Running, process.readAllStandardError().constData());
        tellDriver("unbind");
        QVERIFY(!isThere());
        tellDriver("bind");
        QVERIFY(isThere());
    }
    QTRY_COMPARE_WITH_TIMEOUT(numberOf(path, "SELECT count(*) FROM marks WHERE kind = 'gap'"), kGaps, 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["source_faults"].toObject()["gaps"].toInt(), kGaps);
    testing::verifyRecordedGaps(path, kGaps);
}

void TestVividRun::ownBuffersAreShown_data()
{
    QTest::addColumn<QString>("format");
    for (const char *format : {"YUYV", "NV12"})
        QTest::newRow(format) << QString(format);
}

void TestVividRun::ownBuffersAreShown()
{
    QFETCH(QString, format);
    setControl("OSD Text Mode", 2); // With this setting every frame shows the same colour bars.
    const QString uri = "v4l2:?size=320x180&fps=15&io=dmabuf&format=" + format;
    const auto run = [&](const char *memory) {
        return runProgram({"run", "--source", uri, "--device", "soft:orin", "--memory", memory, "--frames", "6",
                           "--checksum", "--json"});
    };
    const Outcome copied = run("pinned");
    QVERIFY2(copied.finished && copied.code == 0, copied.describe());
    QCOMPARE(copied.json()["copies_to_gpu"].toInt(), 2);
    const Outcome own = run("nvbuf");
    QVERIFY2(own.finished && own.oneSentence() == (own.code != 0), own.describe());
    if (own.code != 0)
        QSKIP(qPrintable(own.err.trimmed())); // The driver's own error message.
    QCOMPARE(own.json()["copies_to_gpu"].toInt(-1), 0);
    QCOMPARE(own.json()["memory"].toString(), QString("nvbuf"));
    QCOMPARE(own.json()["checksum"].toString(), copied.json()["checksum"].toString());
}

QTEST_GUILESS_MAIN(TestVividRun)
#include "tst_vividrun.moc"
