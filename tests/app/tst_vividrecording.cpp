// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// `jetscope run --record` on a real driver, whose camera is pulled out and put back ten times. Runs where the virtual camera (vivid) is
// loaded: tests/support/v4l2-guest boots a machine that has it.
#include "gpu/cameras.h"
#include "program.h"
#include "recordedgaps.h"

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

/// "bind" or "unbind", as a cable would do it.
void tellDriver(const char *what)
{
    QFile file(QStringLiteral("/sys/bus/platform/drivers/vivid/%1").arg(QLatin1String(what)));
    QVERIFY2(file.open(QIODevice::WriteOnly | QIODevice::Unbuffered), what);
    QCOMPARE(file.write("vivid.0"), qint64{7});
}

} // namespace

class TestVividRecording : public QObject {
    Q_OBJECT

private slots:
    void pulledOutTenTimes();
};

void TestVividRecording::pulledOutTenTimes()
{
    if (!isThere())
        QSKIP("there is no vivid camera: run this by tests/support/v4l2-guest");
    const QTemporaryDir folder;
    const std::string path = folder.filePath("vivid.jscope").toStdString();
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"run", "--source", "v4l2:?size=320x180&fps=15", "--frames", "1000000", "--record", QString::fromStdString(path), "--json"});
    QVERIFY(process.waitForStarted());
    const auto frames = [&] { return numberOf(path, "SELECT count(*) FROM frames"); };
    for (int gap = 0; gap < kGaps; ++gap) {
        // Frames since the last time, and that time marked.
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

QTEST_GUILESS_MAIN(TestVividRecording)
#include "tst_vividrecording.moc"
