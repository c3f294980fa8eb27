// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

/// A program that reaches CUDA as the static runtime does, on a libcuda without a GPU. GPU times are bounds.
class AttachCudaTest : public QObject {
    Q_OBJECT

private slots:
    void countsCalls_data();
    void countsCalls();
    void seesDefaultStreamsOfThreads_data();
    void seesDefaultStreamsOfThreads();
    void seesEachVersionOfAFunction();
    void leavesLaterVersionsAlone();
    void passesStructuresOn();
    void losesNothingAt100000RecordsPerSecond();
    void findsWaste();
    void findsNothingInARepairedProgram();
    void saysWhatWasNotChecked();
};

namespace {

Attached attachCuda(const QStringList &command)
{
    return attach(command, {"--no-gpu-times"});
}

} // namespace

void AttachCudaTest::countsCalls_data()
{
    QTest::addColumn<QString>("way");
    QTest::newRow("good") << "good";
    QTest::newRow("wasteful") << "wasteful";
}

void AttachCudaTest::countsCalls()
{
    QFETCH(QString, way);
    const Attached run = attachCuda({PROGRAM_CUDA, MOCK_CUDA, way, "500"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    for (const char *function : {"cuLaunchKernel", "cuMemcpyHtoDAsync_v2", "cuGraphicsEGLRegisterImage"})
        QVERIFY2(run.calls(function) == run.counted(function), function + run.describe());
    QCOMPARE(run.calls("cuModuleGetFunction"), 2u);
    QCOMPARE(run.json["tiers"].toArray(), QJsonArray{"B"});
    QCOMPARE(run.json["frames"].toInt(), 500);
    QVERIFY(run.json["overlap"].isNull() && !run.json["overlap_reason"].toString().isEmpty());
    // The GPU may have worked in all of the time from the submission to the wait, or hardly at all.
    QCOMPARE(run.json["gpu"]["times"].toString(), "bounds");
    const QJsonValue busy = run.json["gpu"]["busy_ms_per_frame"];
    QCOMPARE(busy["at_least"].toDouble(-1), 0.0);
    QVERIFY2(busy["at_most"].toDouble() > 0, run.describe());
}

void AttachCudaTest::seesDefaultStreamsOfThreads_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<bool>("legacy");
    QTest::newRow("legacy") << "legacy" << true;
    QTest::newRow("linked") << "linked" << false;
    QTest::newRow("dlsym") << "dlsym" << false;
    QTest::newRow("cuGetProcAddress") << "getproc" << false;
}

void AttachCudaTest::seesDefaultStreamsOfThreads()
{
    QFETCH(QString, way);
    QFETCH(bool, legacy);
    const Attached run = attachCuda({PROGRAM_PER_THREAD, way, "200"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    for (const char *function : {"cuLaunchKernel", "cuMemcpyHtoD_v2", "cuStreamSynchronize", "cuEventRecord"})
        QVERIFY2(run.calls(function) == run.counted(function), function + run.describe());
    QCOMPARE(run.calls("cuLaunchKernel"), 400u);
    // Only the legacy default stream waits for others.
    QVERIFY2(run.findings().contains("default-stream") == legacy, run.describe());
}

/// The runtime asks for all of them at its start: none may be left without a hook, or nothing could be told.
void AttachCudaTest::seesEachVersionOfAFunction()
{
    const Attached run = attachCuda({PROGRAM_PER_THREAD, "versions", "200"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    for (const char *function : {"cuMemPrefetchAsync", "cuMemPrefetchAsync_v2"})
        QVERIFY2(run.calls(function) == 400u && run.counted(function) == 400u, function + run.describe());
    QCOMPARE(run.json["lost"]["unhooked"].toInt(), 0);
}

void AttachCudaTest::leavesLaterVersionsAlone()
{
    const Attached run = attachCuda({PROGRAM_PER_THREAD, "future", "200"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.json["lost"]["unhooked"].toInt(), 1);
}

void AttachCudaTest::passesStructuresOn()
{
    const Attached run = attachCuda({PROGRAM_PER_THREAD, "by value", "200"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.calls("cuEGLStreamProducerPresentFrame"), 200u);
}

void AttachCudaTest::losesNothingAt100000RecordsPerSecond()
{
#ifdef __SANITIZE_THREAD__
    QSKIP("the sanitizer makes the collector many times slower");
#endif
    const Attached run = attachCuda({PROGRAM_CUDA, MOCK_CUDA, "rate", "2000"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.calls("cuLaunchKernel"), 200'000u);
    QCOMPARE(run.json["lost"]["calls"].toInt(), 0);
    QCOMPARE(run.json["recorded"].toInteger(), run.json["counted"].toInteger());
    QVERIFY(run.json["cost"]["collector_cores"].toDouble() > 0);
}

void AttachCudaTest::findsWaste()
{
    const Attached run = attachCuda({PROGRAM_CUDA, MOCK_CUDA, "wasteful", "500"});
    QStringList found = run.findings();
    found.sort();
    QCOMPARE(found,
             (QStringList{"allocation-per-frame", "default-stream", "device-sync-per-frame", "pageable-async-copy",
                          "registration-per-frame"}));
    for (const QJsonValue finding : run.json["findings"].toArray()) {
        QCOMPARE(finding["grade"].toString(), "seen");
        QCOMPARE(finding["frames"].toInt(), 490);
        // The price of the default stream is on the GPU.
        QCOMPARE(finding["ms_per_frame"].isNull(), finding["what"].toString() == "default-stream");
    }
}

void AttachCudaTest::findsNothingInARepairedProgram()
{
    const Attached run = attachCuda({PROGRAM_CUDA, MOCK_CUDA, "good", "500"});
    QVERIFY2(run.findings().isEmpty(), run.describe());
    for (const QJsonValue check : run.json["checks"].toArray())
        QVERIFY2(check["checked"].toBool() || check["what"].toString().startsWith("hazard-"), run.describe());
}

void AttachCudaTest::saysWhatWasNotChecked()
{
    const Attached run = attach({PROGRAM_LAZY, "linked", "100"});
    QStringList unchecked;
    for (const QJsonValue check : run.json["checks"].toArray())
        if (!check["checked"].toBool() && !check["what"].toString().startsWith("hazard-"))
            unchecked += check["what"].toString();
    QCOMPARE(unchecked,
             (QStringList{"device-sync-per-frame", "sync-waits-for-more", "default-stream", "pageable-async-copy",
                          "managed-copy", "pool-keeps-nothing", "event-never-awaited"}));
}

JETSCOPE_TEST(AttachCudaTest)
#include "tst_attachcuda.moc"
