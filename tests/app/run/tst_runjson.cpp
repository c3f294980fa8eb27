// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/jsonvalues.h"
#include "app/run/runreport.h"
#include "app/run/runresult.h"
#include "tests/app/jsonlines.h"
#include "tests/app/settingkeys.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTest>

#include <cmath>

using namespace jetscope;

namespace {

constexpr std::int64_t kMs = 1'000'000;

/// Frames of 10 ms with 6 ms CPU and 8 ms GPU, of which 4 ms overlap; `periodMs` extends the idle part.
FrameFigures frameOf(std::uint32_t number, std::int64_t periodMs)
{
    FrameFigures figures;
    figures.frame = number;
    figures.startNs = number * periodMs * kMs;
    figures.overlap = {periodMs * kMs, 6 * kMs, 8 * kMs, 4 * kMs, 0};
    figures.waitSyncNs = 2 * kMs;
    figures.waitMemoryNs = 1 * kMs;
    figures.frameNs = 12 * kMs;
    figures.latencyNs = 15 * kMs;
    figures.bytesCopied = 1000;
    figures.sourcePeriodNs = kNoSourcePeriod;
    return figures;
}

RunResult recordOf(std::uint32_t frames)
{
    RunResult record;
    for (std::uint32_t i = 0; i < frames; ++i)
        record.figures.push_back(frameOf(i, i < frames / 2 ? 10 : 20));
    record.status.state = PipelineState::Ended;
    record.status.frames = frames;
    record.status.facts.name = "software iGPU (test rules) on a CPU";
    record.status.source.uri = "file:K\xc3\xa4se.avi";
    record.status.emulationBytes = 5000;
    return record;
}

RunPlan planOf(const std::vector<std::uint32_t> &starts)
{
    RunPlan plan;
    for (std::uint32_t start : starts) {
        PipelineConfig config;
        config.memory = start == 0 ? MemoryKind::Pinned : MemoryKind::ZeroCopy;
        plan.segments.push_back({start, config});
    }
    return plan;
}

Options optionsOf(std::uint64_t frames)
{
    Options options;
    options.command = Command::Run;
    options.frames = frames;
    return options;
}

const QStringList kKeys = settingColumns()
    + QString("device source frames fps frame_ms period_ms latency_ms overlap headroom parallelism blocked_ms "
              "sync_ms memory_ms slot_ms input_ms cpu_busy_ms gpu_busy_ms gpu_busy_at_least_ms "
              "bytes_copied_per_frame copies_to_gpu copies emulation_bytes dropped source_faults lost_frames "
              "source_trouble path machine energy_mj_per_frame energy_source energy_reason verdict ended "
              "camera")
          .split(QLatin1Char(' '));

/// Only of a whole run; the keys above also exist for segments.
const QStringList kWholeKeys =
    kKeys + QStringList{"advice",          "lost",       "source_remark", "stream", "gpu_time_unseen_ns",
                        "gpu_time_reason", "trace_cost", "cameras"};

QStringList sorted(QStringList list)
{
    list.sort();
    return list;
}

} // namespace

class TestRunJson : public QObject {
    Q_OBJECT

private slots:
    void hasExactlyTheKeys();
    void hasTheRightTypes();
    void givesTheMeasuredFigures();
    void saysWhatTheMachineDid();
    void saysWhereTimesComeFromAndWhatTracingCosts();
    void saysHowManySpansTheFiguresLack();
    void saysWhereThePeriodGoes();
    void saysWhyThereIsNoOverlap();
    void boundedGpuTimesAreTwoFigures();
    void addsWhatIsAskedFor();
    void countsTheFramesOfAnEglStream();
    void cutsSegments();
    void countsBelongToTheirSegments();
    void statesCopiesAndTrouble();
    void saysWhatIsKnownOfTheStream();
    void refusedChangeBeginsNoSegment();
    void segmentNeverReachedIsLeftOut();
    void saysHowItEnded();
    void noFramesAreNull();
    void survivesOddText();
    void countsHazards();
    void textNamesTheDevice();
};

void TestRunJson::hasExactlyTheKeys()
{
    const Options options = optionsOf(40);
    const QJsonObject object = printed(runJson(makeReport(options, planOf({0}), recordOf(40)), options));
    QCOMPARE(object.keys(), sorted(kWholeKeys));
    for (const char *key : {"frame_ms", "period_ms", "latency_ms"})
        QCOMPARE(object[key].toObject().keys(), QStringList({"p50", "p95", "p99"}));
    for (const FigureRow &row : figureTable())
        QVERIFY2(row.key.empty() || object.contains(QLatin1String(row.key.data(), static_cast<int>(row.key.size()))),
                 row.key.data());
}

void TestRunJson::hasTheRightTypes()
{
    const Options options = optionsOf(40);
    const QJsonObject object = printed(runJson(makeReport(options, planOf({0}), recordOf(40)), options));
    for (const char *key : {"device", "source", "memory", "output", "sync", "wait", "cpu_stage", "verdict", "ended"}) {
        QVERIFY2(object[key].isString(), key);
        QVERIFY2(!object[key].toString().isEmpty(), key);
    }
    for (const char *key :
         {"frames", "fps", "overlap", "parallelism", "blocked_ms", "slot_ms", "input_ms", "cpu_busy_ms", "gpu_busy_ms",
          "bytes_copied_per_frame", "copies_to_gpu", "emulation_bytes", "dropped"})
        QVERIFY2(object[key].isDouble(), key);
}

void TestRunJson::givesTheMeasuredFigures()
{
    const Options options = optionsOf(40);
    RunResult record = recordOf(0);
    for (std::uint32_t i = 0; i < 40; ++i)
        record.figures.push_back(frameOf(i, 10));
    record.status.frames = 40;
    record.status.droppedBySource = 3;
    const QJsonObject object = printed(runJson(makeReport(options, planOf({0}), record), options));
    QCOMPARE(object["memory"].toString(), QString("pinned"));
    QCOMPARE(object["frames"].toInt(), 40);
    QCOMPARE(object["fps"].toDouble(), 100.0);
    QCOMPARE(object["frame_ms"].toObject()["p50"].toDouble(), 12.0);
    QCOMPARE(object["period_ms"].toObject()["p99"].toDouble(), 10.0);
    QCOMPARE(object["latency_ms"].toObject()["p95"].toDouble(), 15.0);
    QVERIFY(std::abs(object["overlap"].toDouble() - 4.0 / 6.0) < 1e-6);
    QVERIFY(std::abs(object["headroom"].toDouble() - 0.2) < 1e-6);
    QCOMPARE(object["gpu_busy_at_least_ms"].toDouble(), 8.0);
    QCOMPARE(object["parallelism"].toDouble(), 1.4);
    QCOMPARE(object["blocked_ms"].toDouble(), 3.0);
    QCOMPARE(object["cpu_busy_ms"].toDouble(), 6.0);
    QCOMPARE(object["gpu_busy_ms"].toDouble(), 8.0);
    QCOMPARE(object["bytes_copied_per_frame"].toDouble(), 1000.0);
    QCOMPARE(object["emulation_bytes"].toDouble(), 5000.0);
    QCOMPARE(object["dropped"].toInt(), 3);
    QCOMPARE(object["ended"].toString(), QString("frame limit"));
}

void TestRunJson::saysWhereTimesComeFromAndWhatTracingCosts()
{
    const Options options = optionsOf(40);
    RunResult record = recordOf(40);
    record.status.gpuTime = GpuTime::Stamped;
    record.status.gpuTimeUnseenNs = 1920;
    record.status.gpuTimeReason = "cupti: another profiler has it";
    QJsonObject object = printed(runJson(makeReport(options, planOf({0}), record), options));
    QCOMPARE(object["gpu_time"].toString(), QString("stamped"));
    QCOMPARE(object["gpu_time_reason"].toString(), QString("cupti: another profiler has it"));
    QCOMPARE(object["gpu_time_unseen_ns"].toInt(), 1920);
    QVERIFY(object["trace_cost"].isNull());
    record.status.traceCost = TraceCost{1.25, 0.5, 7};
    object = printed(runJson(makeReport(options, planOf({0}), record), options));
    QCOMPARE(object["trace_cost"].toObject(), QJsonObject({{"frame_ratio", 1.25}, {"noise", 0.5}, {"turns", 7}}));
}

/// A board whose clock falls in the middle, at 2 W and then 4 W.
void TestRunJson::saysWhatTheMachineDid()
{
    RunResult record = recordOf(100); // 50 frames of 10 ms; from 1 s on 50 frames of 20 ms.
    record.status.powerMode = "15W (1)";
    const std::vector<CounterInfo> infos = {{1, "GPU clock", "Hz", {}},
                                            {2, "power VDD_IN", "W", {}},
                                            {3, "throttling", "", {}},
                                            {4, "clocks locked", "", {}}};
    std::vector<CounterSample> samples = {
        {0, 600e6, 1}, {0, 0, 3}, {0, 0, 4}, {1500 * kMs, 300e6, 1}, {1500 * kMs, 1, 3}};
    for (std::int64_t at = 0; at <= 2000; at += 100)
        samples.push_back({at * kMs, 2, 2});
    record.machine.add(infos, samples);
    const RunReport report = makeReport(optionsOf(100), planOf({0}), record);
    const QJsonObject json = printed(runJson(report, optionsOf(100)));
    // 2 W over 2 s are 4 J, for 100 frames.
    QVERIFY2(std::abs(json["energy_mj_per_frame"].toDouble() - 40) < 1e-6, QJsonDocument(json).toJson());
    QCOMPARE(json["energy_source"].toString(), QString("power VDD_IN"));
    QVERIFY(!json.contains("energy_reason"));
    const QJsonObject machine = json["machine"].toObject();
    QCOMPARE(machine["power_mode"].toString(), QString("15W (1)"));
    QCOMPARE(machine["clocks_hz"]["GPU clock"]["begin"].toDouble(), 600e6);
    QCOMPARE(machine["clocks_hz"]["GPU clock"]["end"].toDouble(), 300e6);
    QCOMPARE(machine["clocks_locked"], QJsonValue(false));
    QCOMPARE(machine["throttled"], QJsonValue(true));
    QCOMPARE(machine["throttled_by"].toString(), QString("throttling"));
    QVERIFY(machine["change"].toString().startsWith("GPU clock moved between 300 MHz and 600 MHz"));
    const QString text = QString::fromStdString(runText(report, optionsOf(100)));
    QVERIFY2(text.contains("40.00 mJ a frame (power VDD_IN)") && text.contains("15W (1); clocks not locked"),
             qPrintable(text));
}

void TestRunJson::saysHowManySpansTheFiguresLack()
{
    const Options options = optionsOf(40);
    RunResult record = recordOf(40);
    const auto text = [&] {
        return QString::fromStdString(runText(makeReport(options, planOf({0}), record), options)).simplified();
    };
    QVERIFY(!text().contains("Missed")); // hasExactlyTheKeys says the same of JSON.
    record.missedSpans = 17;
    QCOMPARE(printed(runJson(makeReport(options, planOf({0}), record), options))["missed_spans"].toInt(), 17);
    QVERIFY2(text().contains("Missed busy times and waits lack 17 spans that came after the figures"),
             qPrintable(text()));
}

void TestRunJson::saysWhereThePeriodGoes()
{
    const Options options = optionsOf(40);
    RunResult record = recordOf(40);
    record.paths = RunPaths(planOf({0, 20}).segments);
    PipelineUpdate update;
    update.lanes = {{0, LaneRole::DeviceStream, "CUDA stream 0", "GPU"}};
    const std::uint32_t kernel = internName("gaussian15", Category::Kernel);
    appendNewNames(update.names);
    for (std::uint32_t frame = 0; frame < 40; ++frame) {
        // The first frames of each segment are warm-up; including them would change the figures.
        const std::int64_t at = frame * 10 * kMs;
        const std::int64_t unknown = frame % 20 < 10 ? 9 * kMs : frame < 20 ? 2 * kMs : 4 * kMs;
        update.path.push_back({at, at + unknown, frame, frame});
        update.path.push_back({at + unknown, at + 10 * kMs, frame, frame, kernel, 0, PathCause::Kernel});
    }
    record.paths.add(update);
    const auto partsOf = [](const QJsonValue &path) {
        QStringList parts;
        for (const QJsonValue part : path.toArray())
            parts.append(QString("%1 %2 %3 %4")
                             .arg(part["what"].toString(), part["lane"].toString("nowhere"))
                             .arg(part["ms"].toDouble())
                             .arg(part["share"].toDouble()));
        return parts;
    };
    const RunReport report = makeReport(options, planOf({0}), record);
    const QJsonObject object = printed(runJson(report, options));
    QCOMPARE(partsOf(object["path"]), QStringList({"kernel gaussian15 CUDA stream 0 7 0.7", "unknown nowhere 3 0.3"}));
    QVERIFY(object["verdict"].toString().endsWith(
        "kernel gaussian15 takes 70 % of the period (7.0 ms a frame); nothing explains 30 %."));
    const QString text = QString::fromStdString(runText(report, options)).simplified();
    QVERIFY2(text.contains("Path kernel gaussian15 [CUDA stream 0] 70 % (7.00 ms); nothing explains 30 %"),
             qPrintable(text));

    Options cut = options;
    cut.at = {{20, {}}};
    const QJsonArray segments = printed(runJson(makeReport(cut, planOf({0, 20}), record), cut))["segments"].toArray();
    QCOMPARE(segments.size(), 2);
    QCOMPARE(partsOf(segments[0].toObject()["path"])[0], QString("kernel gaussian15 CUDA stream 0 8 0.8"));
    QCOMPARE(partsOf(segments[1].toObject()["path"])[0], QString("kernel gaussian15 CUDA stream 0 6 0.6"));
}

void TestRunJson::saysWhyThereIsNoOverlap()
{
    RunResult record = recordOf(40);
    for (FrameFigures &figures : record.figures) {
        figures.overlap = {10 * kMs, 10'000, 8 * kMs, 10'000, 2 * kMs};
        figures.sourcePeriodNs = kSourcePeriodUnknown;
    }
    const RunReport report = makeReport(optionsOf(40), planOf({0}), record);
    const QJsonObject object = printed(runJson(report, optionsOf(40)));
    QCOMPARE(object.keys(), sorted(kWholeKeys + QStringList{"overlap_reason", "headroom_reason"}));
    QVERIFY(object["overlap"].isNull() && object["headroom"].isNull());
    const QString reason = "the CPU was busy 0.1 % of the time: there is nothing to overlap";
    QCOMPARE(object["overlap_reason"].toString(), reason);
    QCOMPARE(object["headroom_reason"].toString(), QString("the source's own period is not known"));
    const QString text = QString::fromStdString(runText(report, optionsOf(40))).simplified();
    QVERIFY2(text.contains("none: " + reason), qPrintable(text));
    QVERIFY2(text.contains("not known: the source's own period"), qPrintable(text));
}

void TestRunJson::boundedGpuTimesAreTwoFigures()
{
    RunResult record = recordOf(0);
    for (std::uint32_t i = 0; i < 40; ++i) {
        record.figures.push_back(frameOf(i, 10));
        record.figures.back().overlap.gpuBoundedNs = 3 * kMs;
        record.figures.back().overlap.bothBoundedNs = 2 * kMs;
    }
    record.status.frames = 40;
    const RunReport report = makeReport(optionsOf(40), planOf({0}), record);
    const QJsonObject object = printed(runJson(report, optionsOf(40)));
    QVERIFY(object["overlap"].isNull());
    QVERIFY2(object["overlap_reason"].toString().startsWith("between 33 and 67 %: "),
             qPrintable(object["overlap_reason"].toString()));
    QVERIFY(std::abs(object["overlap_at_least"].toDouble() - 2.0 / 6) < 1e-6);
    QVERIFY(std::abs(object["overlap_at_most"].toDouble() - 4.0 / 6) < 1e-6);
    QCOMPARE(object["gpu_busy_ms"].toDouble(), 8.0);
    QCOMPARE(object["gpu_busy_at_least_ms"].toDouble(), 5.0);
    const QString text = QString::fromStdString(runText(report, optionsOf(40))).simplified();
    QVERIFY2(text.contains("GPU busy 5.000 to 8.000 ms a frame"), qPrintable(text));
}

void TestRunJson::addsWhatIsAskedFor()
{
    Options options = optionsOf(40);
    options.checksum = true;
    options.hazards = true;
    RunResult record = recordOf(40);
    addHazard(record.hazards,
              {PipelineNotice::Kind::Violation, 7, 0, "The CPU read while a kernel ran", "A1", "Wait first"});
    RunReport report = makeReport(options, planOf({0}), record);
    report.checksum = "abc";
    const QJsonObject object = printed(runJson(report, options));
    QCOMPARE(object.keys(), sorted(kWholeKeys + QStringList{"checksum", "hazards", "hazard_rules"}));
    QCOMPARE(object["checksum"].toString(), QString("abc"));
    const QJsonObject hazard = object["hazards"].toArray().at(0).toObject();
    QCOMPARE(hazard.keys(),
             sorted({"rule", "level", "first_frame", "last_frame", "count", "buffer", "text", "a", "b", "fix"}));
    QCOMPARE(hazard["rule"].toString(), QString("A1"));
    QCOMPARE(hazard["first_frame"].toInt(), 7);
    QVERIFY(hazard["b"].isNull());
    const QJsonObject coverage = object["hazard_rules"].toObject();
    QCOMPARE(coverage["checked"].toInt() + coverage["cannot_check"].toInt() + coverage["does_not_apply"].toInt(),
             static_cast<int>(rules().size()));
}

void TestRunJson::countsTheFramesOfAnEglStream()
{
    RunResult record = recordOf(40);
    record.status.stream = StreamCounts{35, 2, 1};
    const RunReport report = makeReport(optionsOf(40), planOf({0}), record);
    const QJsonObject object = printed(runJson(report, optionsOf(40)));
    QCOMPARE(object.keys(), sorted(kWholeKeys + QStringList{"eglstream"}));
    QCOMPARE(object["eglstream"].toObject(), (QJsonObject{{"returned", 35}, {"timeouts", 2}, {"repeats", 1}}));
    QVERIFY(
        QString::fromStdString(runText(report, optionsOf(40))).contains("35 frames returned, 2 time-outs, 1 repeats"));

    record.status.inputStream = StreamCounts{40, 3, 7};
    const RunReport both = makeReport(optionsOf(40), planOf({0}), record);
    QCOMPARE(printed(runJson(both, optionsOf(40)))["eglstream_input"].toObject(),
             (QJsonObject{{"returned", 40}, {"timeouts", 3}, {"repeats", 7}}));
    QVERIFY(
        QString::fromStdString(runText(both, optionsOf(40))).contains("40 frames returned, 3 time-outs, 7 repeats"));
}

void TestRunJson::cutsSegments()
{
    Options options = optionsOf(40);
    options.at = {{20, GivenSettings::parse("memory=zero-copy").value()}};
    const QJsonObject object = printed(runJson(makeReport(options, planOf({0, 20}), recordOf(40)), options));
    QCOMPARE(object.keys(), sorted(kWholeKeys + QStringList{"segments"}));
    const QJsonArray segments = object["segments"].toArray();
    QCOMPARE(segments.size(), 2);
    for (const auto &segment : segments)
        QCOMPARE(segment.toObject().keys(), sorted(kKeys));
    QCOMPARE(segments[0].toObject()["memory"].toString(), QString("pinned"));
    QCOMPARE(segments[0].toObject()["frames"].toInt(), 20);
    QCOMPARE(segments[0].toObject()["fps"].toDouble(), 100.0);
    QCOMPARE(segments[0].toObject()["ended"].toString(), QString("switch"));
    QCOMPARE(segments[1].toObject()["memory"].toString(), QString("zero-copy"));
    QCOMPARE(segments[1].toObject()["frames"].toInt(), 20);
    QCOMPARE(segments[1].toObject()["fps"].toDouble(), 50.0);
    QCOMPARE(segments[1].toObject()["ended"].toString(), QString("frame limit"));
    // A counter of the whole run is not reported for a segment: its value at the start of the second one is unknown.
    for (const auto &segment : segments)
        for (const char *key : {"emulation_bytes", "dropped", "source_faults", "lost_frames"})
            QVERIFY2(segment.toObject()[key].isNull(), key);
}

void TestRunJson::countsBelongToTheirSegments()
{
    Options options = optionsOf(40);
    options.at = {{10, GivenSettings::parse("memory=zero-copy").value()},
                  {20, GivenSettings::parse("memory=pinned").value()},
                  {30, GivenSettings::parse("memory=zero-copy").value()}};
    RunResult record = recordOf(40);
    const auto counts = [](std::uint64_t factor) {
        return PipelineCounts{
            factor, 100 * factor, {2 * factor, 3 * factor, 6 * factor, 7 * factor, 4 * factor, 5 * factor}};
    };
    for (const std::uint32_t frame : {10U, 30U}) {
        PipelineNotice notice;
        notice.frame = frame;
        notice.counts = counts(frame);
        record.switches.push_back(notice);
    }
    record.status.droppedBySource = 47;
    record.status.emulationBytes = 5000;
    record.status.sourceState.faults = {84, 126, 252, 294, 168, 210};
    const QJsonArray segments =
        printed(runJson(makeReport(options, planOf({0, 10, 20, 30}), record), options))["segments"].toArray();
    QCOMPARE(segments.size(), 4);
    const auto times = [](int n) {
        return QJsonObject{{"missed", 2 * n},   {"damaged", 3 * n},        {"torn", 6 * n},
                           {"repeated", 7 * n}, {"odd_timestamps", 4 * n}, {"gaps", 5 * n}};
    };
    const auto faults = [&](int i) { return segments[i].toObject()["source_faults"].toObject(); };
    QCOMPARE(segments[0].toObject()["dropped"].toInt(-1), 10);
    QCOMPARE(segments[0].toObject()["emulation_bytes"].toInt(-1), 1000);
    QCOMPARE(faults(0), times(10));
    // The change at 20 had no effect, so the counts before and after it are unknown.
    QVERIFY(segments[1].toObject()["dropped"].isNull());
    QVERIFY(segments[2].toObject()["dropped"].isNull());
    QCOMPARE(segments[3].toObject()["dropped"].toInt(-1), 17);
    QCOMPARE(segments[3].toObject()["emulation_bytes"].toInt(-1), 2000);
    QCOMPARE(faults(3), times(12));
}

void TestRunJson::statesCopiesAndTrouble()
{
    Options options = optionsOf(40);
    RunResult record = recordOf(40);
    record.status.sourceState.copies = {"from the driver's buffer into the input buffer by the CPU"};
    record.status.sourceState.faults = {3, 1, 2, 5, 0, 2};
    record.status.sourceState.trouble = "Webcam was unplugged; waiting for it to return";
    const RunReport report = makeReport(options, planOf({0}), record);
    const QJsonObject object = printed(runJson(report, options));
    QCOMPARE(object["copies_to_gpu"].toInt(), 2);
    QCOMPARE(object["copies"].toArray().size(), 2);
    QCOMPARE(object["copies"].toArray()[0].toString(),
             QString("from the driver's buffer into the input buffer by the CPU"));
    QVERIFY(object["copies"].toArray()[1].toString().contains("Pinned + copy"));
    QCOMPARE(
        object["source_faults"].toObject(),
        (QJsonObject{{"missed", 3}, {"damaged", 1}, {"torn", 2}, {"repeated", 5}, {"odd_timestamps", 0}, {"gaps", 2}}));
    QVERIFY(object["source_trouble"].toString().contains("unplugged"));
    const QString text = QString::fromStdString(runText(report, options)).simplified();
    for (const char *part :
         {"2 copies on the way to the GPU: from the driver's buffer",
          "3 frames missed, 1 frame damaged, 2 frames torn, 5 frames repeated, away 2 times", "Webcam was unplugged"})
        QVERIFY2(text.contains(part), qPrintable(text));
    options.at = {{20, GivenSettings::parse("memory=zero-copy").value()}};
    const QJsonArray segments =
        printed(runJson(makeReport(options, planOf({0, 20}), record), options))["segments"].toArray();
    QCOMPARE(segments[0].toObject()["copies_to_gpu"].toInt(), 2);
    QCOMPARE(segments[1].toObject()["copies_to_gpu"].toInt(), 1);
    QVERIFY(segments[0].toObject()["source_trouble"].isNull());
}

void TestRunJson::saysWhatIsKnownOfTheStream()
{
    const Options options = optionsOf(40);
    RunResult record = recordOf(40);
    QJsonObject stream = printed(runJson(makeReport(options, planOf({0}), record), options))["stream"].toObject();
    QVERIFY(!stream.contains("codec") && stream["measured_fps"].isNull() && stream["width"].isNull());
    StreamFacts &facts = record.status.sourceState.facts;
    facts.container = "Matroska";
    facts.codec = "VP9";
    facts.width = 320;
    facts.height = 240;
    facts.claimedFps = 1000;
    facts.measuredFps = 15;
    facts.color = {"BT.709", "limited", "", false};
    facts.rotation = 90;
    record.status.sourceState.remark = "the header is wrong";
    const RunReport report = makeReport(options, planOf({0}), record);
    stream = printed(runJson(report, options))["stream"].toObject();
    QCOMPARE(stream["codec"].toString(), QString("VP9"));
    QCOMPARE(stream["color"].toString(), QString("BT.709, limited range"));
    QCOMPARE(stream["rotation"].toString(), QString("90° clockwise"));
    QCOMPARE(stream["rate"].toString(), QString("15 fps by its time stamps, 1000 claimed"));
    QCOMPARE(stream["measured_fps"].toDouble(), 15.0);
    QCOMPARE(stream["claimed_fps"].toDouble(), 1000.0);
    QCOMPARE(stream["height"].toInt(), 240);
    QCOMPARE(printed(runJson(report, options))["source_remark"].toString(), QString("the header is wrong"));
    const QString text = QString::fromStdString(runText(report, options)).simplified();
    QVERIFY2(text.contains("Stream container Matroska; codec VP9; coded size 320×240; rate 15 fps by its time stamps"),
             qPrintable(text));
}

void TestRunJson::refusedChangeBeginsNoSegment()
{
    Options options = optionsOf(40);
    options.at = {{20, GivenSettings::parse("memory=zero-copy").value()}};
    RunResult record = recordOf(40);
    record.refused.push_back({PipelineNotice::Kind::Refused, 20, 0, "No memory", {}, {}});
    const RunReport report = makeReport(options, planOf({0, 20}), record);
    QCOMPARE(report.segments.size(), std::size_t{1});
    QCOMPARE(report.segments[0].frames, std::uint64_t{40});
    QCOMPARE(report.segments[0].config.memory, MemoryKind::Pinned);
}

void TestRunJson::segmentNeverReachedIsLeftOut()
{
    Options options = optionsOf(100);
    options.at = {{50, GivenSettings::parse("memory=zero-copy").value()}};
    const RunReport report = makeReport(options, planOf({0, 50}), recordOf(40));
    QCOMPARE(report.segments.size(), std::size_t{1});
    QCOMPARE(report.segments[0].ended, std::string("end of file"));
}

void TestRunJson::saysHowItEnded()
{
    const Options options = optionsOf(100);
    RunResult record = recordOf(40);
    QCOMPARE(makeReport(options, planOf({0}), record).whole.ended, std::string("end of file"));
    record.interrupted = true;
    QCOMPARE(makeReport(options, planOf({0}), record).whole.ended, std::string("interrupted"));
    record.failure = "Frame 40 is damaged.";
    QCOMPARE(makeReport(options, planOf({0}), record).whole.ended, std::string("Frame 40 is damaged."));
}

void TestRunJson::noFramesAreNull()
{
    const Options options = optionsOf(40);
    const QJsonObject object = printed(runJson(makeReport(options, planOf({0}), recordOf(0)), options));
    QCOMPARE(object.keys(), sorted(kWholeKeys + QStringList{"overlap_reason", "headroom_reason"}));
    for (const char *key : {"fps", "frame_ms", "overlap", "parallelism", "blocked_ms"})
        QVERIFY2(object[key].isNull(), key);
    QCOMPARE(object["frames"].toInt(-1), 0);
    QVERIFY(!runText(makeReport(options, planOf({0}), recordOf(0)), options).empty());
}

void TestRunJson::survivesOddText()
{
    const Options options = optionsOf(40);
    RunResult record = recordOf(40);
    record.status.source.uri = "file:\"\\n\xff.avi";
    const std::string line = jsonLine(runJson(makeReport(options, planOf({0}), record), options));
    QCOMPARE(line.find('\n'), line.size() - 1);
    QJsonParseError error{};
    const QJsonDocument document = QJsonDocument::fromJson(QByteArray::fromStdString(line), &error);
    QCOMPARE(error.error, QJsonParseError::NoError);
    QVERIFY(document.object()["source"].toString().startsWith("file:\"\\n"));
}

void TestRunJson::countsHazards()
{
    std::vector<HazardRow> rows;
    QVERIFY(!hasErrors(rows));
    for (std::uint32_t frame : {9U, 4U, 6U})
        addHazard(rows, {PipelineNotice::Kind::Violation, frame, 0, "same", "A1", "fix"});
    addHazard(rows, {PipelineNotice::Kind::Violation, 1, 0, "other", "A1", "fix"});
    QCOMPARE(rows.size(), std::size_t{2});
    QCOMPARE(rows[0].count, std::uint64_t{3});
    QCOMPARE(rows[0].firstFrame, 4U);
    QCOMPARE(rows[0].lastFrame, 9U);
    QVERIFY(hasErrors(rows));
}

void TestRunJson::textNamesTheDevice()
{
    Options options = optionsOf(40);
    const QString text = QString::fromStdString(runText(makeReport(options, planOf({0}), recordOf(40)), options));
    for (const char *part : {"software iGPU (test rules) on a CPU", "Käse.avi", "pinned", "gaussian5,sobel", "frames/s",
                             "p99", "Verdict", "frame limit"})
        QVERIFY2(text.contains(QString::fromUtf8(part)), part);
    options.at = {{20, GivenSettings::parse("memory=zero-copy").value()}};
    const QString cut = QString::fromStdString(runText(makeReport(options, planOf({0, 20}), recordOf(40)), options));
    QVERIFY(cut.contains("From frame 0\n"));
    QVERIFY(cut.contains("From frame 20\n"));
    QVERIFY(cut.contains("zero-copy"));
}

JETSCOPE_TEST(TestRunJson)
#include "tst_runjson.moc"
