// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/attach/hardwarereport.h"
#include "attachedprogram.h"
#include "core/exchange/opentrace.h"
#include "gpu/cupti/trialcache.h"
#include "tests/app/jsonlines.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <cmath>
#include <map>

using namespace jetscope;

/// Hardware times by CUPTI inside of the program, on a libcuda and a libcupti without a GPU.
class AttachTimesTest : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void recordsTimes_data();
    void recordsTimes();
    void workOfGlLeavesBounds();
    void linksKernelsWithTheirFrames();
    void followsThePathOverTheGpu();
    void allWorkOfACaptureIsRead();
    void pricesTheDefaultStream();
    void countsWhatIsMissing_data();
    void countsWhatIsMissing();
    void saysWhyThereAreNoTimes_data();
    void saysWhyThereAreNoTimes();
    void saysWhatIsNotRecorded();
    void leavesAnotherProfilerAlone();
    void leavesNothingToChildren();
    void stopsWithTheRecording();
    void seesTheStaticRuntime();
    void keepsTheTrial();
    void forgetsOldRefusals();
    void givesClearedBuffersAgain();
    void flushesBeforeExits_data();
    void flushesBeforeExits();
    void endsWhereCuptiHangs();

private:
    std::map<QByteArray, QByteArray> m_before;
    std::unique_ptr<QTemporaryDir> m_cache; ///< Results of trials.
    void set(const char *name, const QByteArray &value);
};

namespace {

const QString kLibcuda = MOCK_TOOLKIT "/lib64/libcuda.so.1";
const char *const kFake = "JETSCOPE_FAKE_CUPTI";
const char *const kFakeInProgram = "JETSCOPE_FAKE_CUPTI_PROGRAM";

std::uint64_t gpu(const Attached &run, const char *kind, const char *what = "counted")
{
    return static_cast<std::uint64_t>(run.json["gpu"][kind][what].toInteger());
}

QString refusal(const Attached &run)
{
    QStringList reasons;
    for (const QJsonValue row : run.json["refused"].toArray())
        if (row["tier"] == "A")
            reasons += row["reason"].toString();
    return reasons.join("; ");
}

} // namespace

void AttachTimesTest::set(const char *name, const QByteArray &value)
{
    m_before.try_emplace(name, qgetenv(name));
    qputenv(name, value);
}

void AttachTimesTest::init()
{
    set("CUDA_HOME", MOCK_TOOLKIT);
    set("LD_LIBRARY_PATH", MOCK_TOOLKIT "/lib64");
    m_cache = std::make_unique<QTemporaryDir>();
    set("XDG_CACHE_HOME", m_cache->path().toUtf8());
}

void AttachTimesTest::cleanup()
{
    for (const auto &[name, value] : m_before)
        value.isNull() ? qunsetenv(name) : qputenv(name, value);
    m_before.clear();
}

void AttachTimesTest::recordsTimes_data()
{
    QTest::addColumn<QByteArray>("settings");
    QTest::newRow("CUDA 12.2") << QByteArray("layout=12");
    QTest::newRow("CUDA 12.9") << QByteArray("layout=12,version=28");
    QTest::newRow("CUDA 13") << QByteArray("layout=13");
    QTest::newRow("no callbacks") << QByteArray("subscriber=other");
    QTest::newRow("no callbacks, CUDA 12.2") << QByteArray("layout=12,subscriber=other");
    QTest::newRow("one callback") << QByteArray("subscriber=half");
    QTest::newRow("no callbacks, calls of the runtime") << QByteArray("subscriber=other,api=runtime");
    QTest::newRow("starts out of order") << QByteArray("times=unordered");
}

void AttachTimesTest::recordsTimes()
{
    QFETCH(QByteArray, settings);
    set(kFakeInProgram, settings);
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "good", "500"});
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.under.err, run.plain.err);
    QCOMPARE(run.json["tiers"].toArray(), (QJsonArray{"A", "B"}));
    QCOMPARE(refusal(run), QString());
    QCOMPARE(run.calls("cuLaunchKernel"), 500u);
    for (const char *what : {"counted", "recorded"}) {
        QCOMPARE(gpu(run, "kernels", what), 500u);
        QCOMPARE(gpu(run, "copies", what), 500u);
    }
    // By callbacks, and by records where CUPTI can choose, only calls that submit work are recorded.
    if (settings == "layout=12,subscriber=other")
        QVERIFY2(gpu(run, "submissions") > 1000u, run.describe());
    else
        for (const char *what : {"counted", "recorded"})
            QCOMPARE(gpu(run, "submissions", what), 1000u);
    QCOMPARE(run.json["gpu"]["times"].toString(), "cupti");
    QCOMPARE(run.json["gpu"]["linked"].toInteger(), 1000);
    QCOMPARE(run.json["gpu"]["not_linked"].toInteger(), 0);
    const QJsonValue busy = run.json["gpu"]["busy_ms_per_frame"];
    QVERIFY2(busy["at_least"].toDouble() > 0, run.describe());
    QCOMPARE(busy["at_least"].toDouble(), busy["at_most"].toDouble());
    for (const char *key : {"overlap", "headroom"})
        QVERIFY2(!run.json[key].isNull() || !run.json[QString(key) + "_reason"].toString().isEmpty(), run.describe());
    QVERIFY2(!run.json["headroom"].isNull(), run.describe());
}

/// Of 10 ms the CPU works 6 and CUDA 4, 3 of them beside the CPU. GL may have worked at any time.
void AttachTimesTest::workOfGlLeavesBounds()
{
    HardwareReport report;
    report.hasBounds = true; // There are times.
    RunFigures figures;
    figures.pooled.periodNs = 10'000'000;
    figures.pooled.cpuNs = 6'000'000;
    figures.pooled.gpuNs = 4'000'000;
    figures.pooled.bothNs = 3'000'000;
    figures.pooled.idleNs = 3'000'000;
    JsonObject cuda;
    addHardwareFigures(cuda, report, figures, false);
    const QJsonObject alone = printed(cuda);
    QCOMPARE(alone["overlap"].toDouble(), 0.75);
    QCOMPARE(alone["overlap_at_least"].toDouble(), 0.75);
    JsonObject cudaAndGl;
    addHardwareFigures(cudaAndGl, report, figures, true);
    const QJsonObject besideGl = printed(cudaAndGl);
    QVERIFY(besideGl["overlap"].isNull() && besideGl["headroom"].isNull());
    QCOMPARE(besideGl["overlap_at_least"].toDouble(), 0.5);
    QCOMPARE(besideGl["overlap_at_most"].toDouble(), 1.0);
    QCOMPARE(besideGl["overlap_reason"].toString(),
             QString("between 50 and 100 %: the times of the GPU's work for GL are not seen"));
}

void AttachTimesTest::linksKernelsWithTheirFrames()
{
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "good", "500"});
    const QString kernel = "WHERE name = 'a_kernel_with_a_rather_long_name_that_needs_two_records'";
    QCOMPARE(rowsOf(run.capture, "SELECT count(*), category FROM spans " + kernel), QStringList{"500\tkernel"});
    QCOMPARE(rowsOf(run.capture, "SELECT DISTINCT count(*) FROM spans " + kernel + " GROUP BY frame"),
             QStringList{"1"});
    QCOMPARE(rowsOf(run.capture, "SELECT DISTINCT frame BETWEEN 0 AND 499 FROM spans " + kernel), QStringList{"1"});
    QCOMPARE(rowsOf(run.capture, "SELECT count(*) FROM spans WHERE name = 'copy to device'"), QStringList{"500"});
    QCOMPARE(rowsOf(run.capture, "SELECT value FROM device WHERE name = 'gpu_time'"), QStringList{"cupti"});
    QCOMPARE(rowsOf(run.capture, "SELECT DISTINCT gpu FROM lanes WHERE role = 'device-stream'"), QStringList{"0"});
}

/// From a wait over the kernel to the call that launched it, as in the capture.
void AttachTimesTest::followsThePathOverTheGpu()
{
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "good", "500"});
    double shares = 0;
    std::map<QString, double> path;
    for (const QJsonValue part : run.json["path"].toArray()) {
        shares += part["share"].toDouble();
        path[part["what"].toString() + " in " + part["lane"].toString()] = part["share"].toDouble();
    }
    QVERIFY2(std::abs(shares - 1) < 1e-3, run.describe());
    const QString kernel = "a_kernel_with_a_rather_long_name_that_needs_two_records";
    const auto onGpu = std::find_if(path.begin(), path.end(), [&](const auto &part) {
        return part.first.startsWith("kernel " + kernel + " in CUDA stream ");
    });
    QVERIFY2(onGpu != path.end(), run.describe());
    const QStringList kept = rowsOf(run.capture,
                                    "SELECT sum(duration_ns) * 1.0 / (SELECT sum(duration_ns) FROM frame_path WHERE "
                                    "frame >= 10) FROM frame_path WHERE frame >= 10 AND name = '"
                                        + kernel + "'");
    QVERIFY2(kept.size() == 1 && std::abs(kept[0].toDouble() - onGpu->second) < 1e-3, run.describe());
    QVERIFY2(std::any_of(path.begin(), path.end(), [](const auto &part) { return part.first.startsWith("cu"); }),
             run.describe());
}

/// Also what overlaps in one stream.
void AttachTimesTest::allWorkOfACaptureIsRead()
{
    const Attached run = attachOnly({PROGRAM_CUDA, kLibcuda, "rate", "1000"});
    QVERIFY2(run.under.code == 0, run.describe());
    const QStringList rows =
        rowsOf(run.capture, "SELECT count(*), sum(depth > 0) FROM spans WHERE category = 'kernel'");
    QCOMPARE(rows.size(), 1);
    const QStringList counts = rows[0].split('\t');
    QVERIFY2(counts[0].toInt() >= 1000 && counts[1].toInt() > 0, qPrintable(rows[0]));
    NoOpenProgress quiet;
    const Result<OpenedTrace> opened = openTrace(run.capture.toStdString(), quiet);
    QVERIFY2(opened.ok(), qPrintable(run.capture));
    const Trace &trace = opened.value().trace;
    QCOMPARE(trace.lateSpans(), std::uint64_t{0});
    std::uint64_t kernels = 0;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t at = track.firstIndex(); at < track.endIndex(); ++at)
            kernels += trace.names().at(track.at(at).name).category == Category::Kernel ? 1 : 0;
    QCOMPARE(kernels, counts[0].toULongLong());
}

void AttachTimesTest::pricesTheDefaultStream()
{
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "wasteful", "500"});
    QVERIFY2(run.findings().contains("default-stream"), run.describe());
    for (const QJsonValue finding : run.json["findings"].toArray())
        if (finding["what"] == "default-stream") {
            QVERIFY2(finding["ms_per_frame"].isDouble() && finding["most_share"].isDouble(), run.describe());
            QVERIFY2(finding["text"].toString().contains("waited for the other"), run.describe());
        }
}

void AttachTimesTest::countsWhatIsMissing_data()
{
    QTest::addColumn<QByteArray>("settings");
    QTest::addColumn<QString>("member");
    QTest::newRow("some without times") << QByteArray("times=some") << "no_times";
    QTest::newRow("none with times") << QByteArray("times=zero") << "no_times";
    QTest::newRow("ends before starts") << QByteArray("times=reversed") << "end_before_start";
    QTest::newRow("another clock") << QByteArray("times=realtime") << "other_clock";
    QTest::newRow("buffers were missing") << QByteArray("drop=7") << "no_buffer";
    QTest::newRow("no next record") << QByteArray("walk=stuck") << "damaged_buffers";
    QTest::newRow("record outside") << QByteArray("walk=outside") << "damaged_buffers";
    QTest::newRow("record cut") << QByteArray("walk=cut") << "damaged_buffers";
}

void AttachTimesTest::countsWhatIsMissing()
{
    QFETCH(QByteArray, settings);
    QFETCH(QString, member);
    set(kFakeInProgram, settings);
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "good", "200"});
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.under.code, 0);
    QCOMPARE(run.calls("cuLaunchKernel"), 200u);
    QVERIFY2(run.json["gpu"]["missing"][member].toInteger() > 0, run.describe());
    if (member != "damaged_buffers")
        QCOMPARE(gpu(run, "kernels"), 200u);
    // No sum of an unknown part is shown as the whole.
    QVERIFY2(run.json["gpu"]["busy_ms_per_frame"]["at_most"].isNull(), run.describe());
    QVERIFY2(run.json["overlap_reason"].toString().startsWith("GPU times are missing"), run.describe());
    if (member == "no_buffer")
        QCOMPARE(run.json["gpu"]["missing"][member].toInteger(), 7);
    if (member == "no_times" || member == "end_before_start")
        QVERIFY(gpu(run, "kernels", "recorded") < 200u);
}

void AttachTimesTest::saysWhyThereAreNoTimes_data()
{
    QTest::addColumn<QByteArray>("trial");
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QString>("word");
    QTest::newRow("crash in the trial") << QByteArray("crash=enable") << QByteArray() << "crashed";
    QTest::newRow("crash at loading") << QByteArray("crash=load") << QByteArray() << "crashed";
    QTest::newRow("no permission") << QByteArray("refuse=all,code=35") << QByteArray() << "not permitted";
    QTest::newRow("another profiler") << QByteArray() << QByteArray("refuse=10,code=39") << "another profiler";
    QTest::newRow("clock") << QByteArray() << QByteArray("refuse=clock,code=999") << "clock";
    QTest::newRow("buffers") << QByteArray() << QByteArray("refuse=callbacks,code=999") << "buffers";
    QTest::newRow("old version") << QByteArray("version=18") << QByteArray() << "12.2";
    QTest::newRow("another version in the program") << QByteArray() << QByteArray("version=18") << "version 18";
}

void AttachTimesTest::saysWhyThereAreNoTimes()
{
    QFETCH(QByteArray, trial);
    QFETCH(QByteArray, program);
    QFETCH(QString, word);
    // The program must not meet what the trial met; it would crash as well without Jetscope's decision.
    if (!trial.isEmpty())
        set(kFake, trial);
    set(kFakeInProgram, program.isEmpty() ? QByteArray("version=130000") : program);
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "good", "200"});
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.under.code, 0);
    QCOMPARE(run.json["tiers"].toArray(), QJsonArray{"B"});
    QVERIFY2(refusal(run).startsWith("unavailable: ") && refusal(run).contains(word), run.describe());
    QCOMPARE(run.json["gpu"]["times"].toString(), "bounds");
    QCOMPARE(gpu(run, "kernels"), 0u);
}

void AttachTimesTest::saysWhatIsNotRecorded()
{
    set(kFakeInProgram, "refuse=1,code=27");
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "good", "200"});
    QCOMPARE(run.json["tiers"].toArray(), (QJsonArray{"A", "B"}));
    QVERIFY2(refusal(run).startsWith("copies are not recorded: "), run.describe());
    QCOMPARE(gpu(run, "kernels"), 200u);
    QCOMPARE(gpu(run, "copies"), 0u);
}

void AttachTimesTest::leavesAnotherProfilerAlone()
{
    set("CUDA_INJECTION64_PATH", "/nowhere/libprofiler.so");
    const Attached run =
        attach({"/bin/sh", "-c", QString("echo $CUDA_INJECTION64_PATH; %1 %2 good 20").arg(PROGRAM_CUDA, kLibcuda)});
    QVERIFY2(run.under.out.startsWith("/nowhere/libprofiler.so\n"), run.describe());
    QVERIFY2(refusal(run).contains("another profiler"), run.describe());
}

void AttachTimesTest::leavesNothingToChildren()
{
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "child", "20"}, {"--only-program"});
    QCOMPARE(run.under.out, run.plain.out);
    QVERIFY2(run.under.out.contains("variables 0\n"), run.describe());
    QCOMPARE(gpu(run, "kernels"), 20u);
}

void AttachTimesTest::stopsWithTheRecording()
{
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "rate", "1000"}, {"--frames", "20"});
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.under.code, 0);
    QVERIFY2(gpu(run, "kernels") < 100'000, run.describe());
}

void AttachTimesTest::keepsTheTrial()
{
    set(kFakeInProgram, "layout=13");
    const QStringList command{PROGRAM_CUDA, kLibcuda, "good", "20"};
    const Attached first = attach(command);
    QCOMPARE(first.json["tiers"].toArray(), (QJsonArray{"A", "B"}));
    QVERIFY2(first.json["cost"]["trial_ms"].toDouble() > 0, first.describe());
    set(kFake, "crash=enable"); // A trial would fail now.
    const Attached second = attach(command);
    QCOMPARE(second.json["tiers"].toArray(), (QJsonArray{"A", "B"}));
    QVERIFY2(second.json["cost"]["trial_ms"].isNull(), second.describe());
    // Asked, it tries anew, and that result is kept, too.
    const Outcome probe = runProgram({"attach", "--probe"}, QProcessEnvironment::systemEnvironment());
    QVERIFY2(probe.out.contains("GPU times (tier A): no"), probe.describe());
    QCOMPARE(attach(command).json["tiers"].toArray(), QJsonArray{"B"});
    // Another search path may lead to another CUPTI.
    set(kFake, "layout=13");
    set("LD_LIBRARY_PATH", MOCK_TOOLKIT "/lib64:/nowhere");
    QCOMPARE(attach(command).json["tiers"].toArray(), (QJsonArray{"A", "B"}));
}

void AttachTimesTest::forgetsOldRefusals()
{
    const QStringList command{PROGRAM_CUDA, kLibcuda, "good", "20"};
    set(kFake, "refuse=all,code=35");
    set(kFakeInProgram, "layout=13");
    QCOMPARE(attach(command).json["tiers"].toArray(), QJsonArray{"B"});
    set(kFake, "layout=13");
    const auto refusedSince = [&](qint64 seconds) {
        TrialCache cache(0);
        CuptiOutcome outcome;
        outcome.usable = Capability::no("a refusal");
        cache.store(outcome, QDateTime::currentSecsSinceEpoch() - seconds);
        return !cache.find();
    };
    QVERIFY(!refusedSince(60));
    QVERIFY(refusedSince(25 * 60 * 60));
    QVERIFY(refusedSince(-60 * 60)); // The clock was set back.
}

/// The mock complains on standard error about a buffer that holds something.
void AttachTimesTest::givesClearedBuffersAgain()
{
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "rate", "300"});
    QCOMPARE(run.under.err, run.plain.err);
    QCOMPARE(gpu(run, "kernels", "recorded"), 30'000u);
}

void AttachTimesTest::flushesBeforeExits_data()
{
    QTest::addColumn<QString>("way");
    for (const char *way : {"_exit", "_Exit", "quick_exit", "_exit in a signal handler"})
        QTest::newRow(way) << way;
}

/// These ends run no handlers of exit; the newest times are still in a buffer of CUPTI.
void AttachTimesTest::flushesBeforeExits()
{
    QFETCH(QString, way);
    set(kFakeInProgram, "hold=yes"); // Gives buffers back at forced flushes only.
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, way, "200"});
    QCOMPARE(run.plain.code, 3);
    QCOMPARE(run.under.code, 3);
    QCOMPARE(gpu(run, "kernels", "recorded"), 200u);
}

void AttachTimesTest::endsWhereCuptiHangs()
{
    set(kFakeInProgram, "hang=flush");
    const Attached run = attach({PROGRAM_CUDA, kLibcuda, "_exit", "200"});
    QCOMPARE(run.under.code, 3);
    QCOMPARE(run.calls("cuLaunchKernel"), 200u);
}

/// It finds the driver by dlsym and everything else by cuGetProcAddress, without a symbol that could be preloaded.
void AttachTimesTest::seesTheStaticRuntime()
{
    if (QString(PROGRAM_RUNTIME).isEmpty())
        QSKIP("the static runtime of CUDA is not installed");
    const Attached run = attach({PROGRAM_RUNTIME});
    QCOMPARE(run.under.out, run.plain.out);
    QVERIFY2(run.calls("cuInit") > 0, run.describe());
}

JETSCOPE_TEST(AttachTimesTest)
#include "tst_attachtimes.moc"
