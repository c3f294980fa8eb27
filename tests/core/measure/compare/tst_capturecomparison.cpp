// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/compare/sweepcomparison.h"
#include "tests/core/comparetraces.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

CaptureComparison compareOne(const CaptureFigures &a, const CaptureFigures &b)
{
    return compareCaptures(std::span(&a, 1), std::span(&b, 1));
}

bool isDifferent(const ComparedFigure &figure)
{
    return figure.verdict == RowVerdict::Better || figure.verdict == RowVerdict::Worse;
}

/// Rows with a verdict other than "unchanged".
int differences(const CaptureComparison &comparison)
{
    int count = 0;
    for (const ComparedMetric &metric : comparison.metrics)
        count += isDifferent(metric.figure);
    for (const ComparedPiece &piece : comparison.path)
        count += isDifferent(piece.ms);
    for (const ComparedSpans &row : comparison.spans)
        count += isDifferent(row.totalMs) || isDifferent(row.medianMs);
    return count;
}

const ComparedSpans *spansNamed(const CaptureComparison &comparison, const std::string &name)
{
    for (const ComparedSpans &row : comparison.spans)
        if (row.kind.name == name)
            return &row;
    return nullptr;
}

std::vector<CaptureFigures> sideOfRuns(std::uint32_t seed, int runs, const RunOfFrames &run)
{
    std::vector<CaptureFigures> side;
    for (int i = 0; i < runs; ++i)
        side.push_back(captureOf(seed * 100 + static_cast<std::uint32_t>(i), run));
    return side;
}

StoredSweep sweepOf(std::uint32_t seed, double periodMs, std::size_t rounds, bool withExtraCell = false)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    StoredSweep sweep;
    sweep.conditions = {"soft:orin", "a device", "synthetic:", false, 1, "Jetscope 0.1.0"};
    for (const SyncMode sync : {SyncMode::Finish, SyncMode::Stream, SyncMode::Event}) {
        if (sync == SyncMode::Event && !withExtraCell)
            continue;
        SweepCell cell;
        cell.config.sync = sync;
        sweep.plan.cells.push_back(cell);
    }
    sweep.result = SweepResult(sweep.plan.cells.size());
    sweep.failures.resize(sweep.plan.cells.size());
    for (std::size_t cell = 0; cell < sweep.plan.cells.size(); ++cell)
        for (std::size_t round = 0; round < rounds; ++round) {
            StretchFigures figures;
            const double slower = sweep.plan.cells[cell].config.sync == SyncMode::Stream ? periodMs : 5;
            figures.batches[static_cast<std::size_t>(Figure::Period)] = {slower * (1 + 0.005 * normal(random))};
            sweep.result.add(cell, round, figures);
            sweep.stretches.push_back({{cell, round}, {}, {}, 0, 0, 0});
        }
    return sweep;
}

} // namespace

class TestCaptureComparison : public QObject {
    Q_OBJECT

private slots:
    void equalRunsAreUnchanged_data();
    void equalRunsAreUnchanged();
    void equalSidesOfRunsAreUnchanged();
    void aSlowerKernelIsFoundAndNamed_data() { equalRunsAreUnchanged_data(); }
    void aSlowerKernelIsFoundAndNamed();
    void aSlowerSpanIsFoundByName();
    void severalRunsKnowTheNoiseBetweenThem();
    void rowsAreSortedByTheirChange();
    void tracesWithoutFramesCompareBySpans();
    void numberedNamesAreOneKind();
    void energyIsComparedWherePowerIsKnown();
    void shortCapturesHaveNoVerdict();
    void fewRunsHaveNoVerdict();
    void refuses_data();
    void refuses();
    void overlapAloneMakesNoSideBetter();
    void aRunningPipelineIsComparedInItsWords();
    void anotherPlaceOfTheCpuStageIsAChoice();
    void boundsThatOverlapAreNoDifference();
    void sweepsCompareCellByCell();
    void sweepsRefuse();
};

void TestCaptureComparison::equalRunsAreUnchanged_data()
{
    QTest::addColumn<double>("correlation");
    QTest::newRow("independent frames") << 0.0;
    QTest::newRow("correlated frames") << 0.8;
}

void TestCaptureComparison::equalRunsAreUnchanged()
{
    QFETCH(double, correlation);
    RunOfFrames run;
    run.correlation = correlation;
    int unchanged = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed)
        unchanged += differences(compareOne(captureOf(2 * seed, run), captureOf(2 * seed + 1, run))) == 0;
    qInfo("equal runs unchanged in every row: %d of 100", unchanged);
    QVERIFY(unchanged >= 95);
}

void TestCaptureComparison::equalSidesOfRunsAreUnchanged()
{
    RunOfFrames run;
    run.frames = 120;
    run.runNoise = 0.01;
    int unchanged = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        const auto a = sideOfRuns(2 * seed, 3, run);
        const auto b = sideOfRuns(2 * seed + 1, 3, run);
        unchanged += differences(compareCaptures(a, b)) == 0;
    }
    qInfo("equal sides of 3 runs unchanged in every row: %d of 100", unchanged);
    QVERIFY(unchanged >= 95);
}

void TestCaptureComparison::aSlowerKernelIsFoundAndNamed()
{
    QFETCH(double, correlation);
    RunOfFrames run;
    run.correlation = correlation;
    RunOfFrames slower = run;
    slower.kernelMs *= 1.05;
    int found = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        const CaptureComparison comparison = compareOne(captureOf(2 * seed, run), captureOf(2 * seed + 1, slower));
        const std::string words = comparisonWords(comparison);
        const bool named = words.starts_with("B is worse than A: Period +")
            && words.find("largest change of the critical path: kernel sobel (+") != std::string::npos;
        found += named && comparison.of(Figure::Period).verdict == RowVerdict::Worse
            && comparison.path.front().kind.what == "kernel sobel";
    }
    qInfo("5 %% slower kernel found and named: %d of 100", found);
    QVERIFY(found >= 95);
}

void TestCaptureComparison::aSlowerSpanIsFoundByName()
{
    RunOfFrames slower;
    slower.submitMs *= 1.1; // 0.04 ms of a period of 5.5 ms.
    int found = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        const CaptureComparison comparison = compareOne(captureOf(2 * seed), captureOf(2 * seed + 1, slower));
        const ComparedSpans *row = spansNamed(comparison, "submit kernels");
        QVERIFY(row);
        QCOMPARE(row->kind.category, Category::Submit);
        QCOMPARE(row->kind.role, LaneRole::Pipeline);
        found += row->totalMs.verdict == RowVerdict::Worse && row->medianMs.verdict == RowVerdict::Worse;
    }
    qInfo("10 %% slower span of 0.4 ms found by name: %d of 100", found);
    QVERIFY(found >= 95);
}

void TestCaptureComparison::severalRunsKnowTheNoiseBetweenThem()
{
    RunOfFrames run;
    run.frames = 120;
    run.runNoise = 0.03;
    int alone = 0;
    int together = 0;
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
        const auto a = sideOfRuns(2 * seed, 4, run);
        const auto b = sideOfRuns(2 * seed + 1, 4, run);
        const CaptureComparison one = compareOne(a[0], b[0]);
        const CaptureComparison all = compareCaptures(a, b);
        QVERIFY(!one.betweenRuns && all.betweenRuns);
        alone += isDifferent(one.of(Figure::Period));
        together += isDifferent(all.of(Figure::Period));
    }
    // A single capture a side takes the difference of two runs for one of the choices, as the text says.
    QVERIFY(alone >= 10);
    QVERIFY(together <= 2);
}

void TestCaptureComparison::rowsAreSortedByTheirChange()
{
    RunOfFrames slower;
    slower.kernelMs *= 1.2;
    const CaptureComparison comparison = compareOne(captureOf(1), captureOf(2, slower));
    for (std::size_t i = 1; i < comparison.spans.size(); ++i)
        QVERIFY(std::abs(comparison.spans[i - 1].totalMs.change()) >= std::abs(comparison.spans[i].totalMs.change()));
    for (std::size_t i = 1; i < comparison.path.size(); ++i)
        QVERIFY(std::abs(comparison.path[i - 1].ms.change()) >= std::abs(comparison.path[i].ms.change()));
    const ComparedFigure &total = spansNamed(comparison, "sobel")->totalMs;
    QVERIFY(qAbs(*total.a - 5) < 0.2 && qAbs(*total.b - 6) < 0.2);
    QVERIFY(qAbs(*worseBy(comparison.of(Figure::GpuBusy), Figure::GpuBusy) - 0.2) < 0.03);
    QCOMPARE(comparison.of(Figure::BytesCopied).verdict, RowVerdict::Unchanged);
}

void TestCaptureComparison::tracesWithoutFramesCompareBySpans()
{
    RunOfFrames plain;
    plain.withFrames = false;
    RunOfFrames slower = plain;
    slower.submitMs *= 2;
    const CaptureComparison comparison = compareOne(captureOf(1, plain), captureOf(2, slower));
    QVERIFY(!comparison.perFrame && comparison.path.empty());
    QCOMPARE(comparison.of(Figure::Period).verdict, RowVerdict::Unknown);
    QCOMPARE(spansNamed(comparison, "submit kernels")->medianMs.verdict, RowVerdict::Worse);
    QCOMPARE(spansNamed(comparison, "sobel")->medianMs.verdict, RowVerdict::Unchanged);
    QVERIFY(comparisonWords(comparison).find("submit kernels") != std::string::npos);
}

void TestCaptureComparison::numberedNamesAreOneKind()
{
    Trace trace;
    trace.setLanes(pathLanes());
    for (int i = 0; i < 3000; ++i) {
        const auto number = std::to_string(i);
        const std::int64_t at = 1000 + 100'000 * i;
        trace.add(kPipeline, 0, {at, 90'000, 0, kNoFrame, trace.names().intern("step " + number, Category::CpuStage)});
        const std::string pass = "pass " + std::to_string(i % 2); // Two names that repeat remain two kinds.
        trace.add(kPipeline, 1, {at, 10'000, 0, kNoFrame, trace.names().intern(pass, Category::CpuStage)});
    }
    const CaptureFigures figures = captureOf(trace);
    QCOMPARE(figures.spans.size(), std::size_t{3});
    const auto step = figures.spans.find({"step", Category::CpuStage, LaneRole::Pipeline});
    QVERIFY(step != figures.spans.end() && step->second.spans > 2800);
    QVERIFY(qAbs(step->second.medianOfAllMs - 0.09) < 1e-6);
    QVERIFY(figures.spans.contains({"pass 0", Category::CpuStage, LaneRole::Pipeline}));
}

void TestCaptureComparison::shortCapturesHaveNoVerdict()
{
    for (const int frames : {1, 2, 9, 11, 25}) {
        RunOfFrames run;
        run.frames = frames;
        const CaptureComparison comparison = compareOne(captureOf(1, run), captureOf(2, run));
        QCOMPARE(differences(comparison), 0);
        QCOMPARE(comparison.of(Figure::Period).verdict, RowVerdict::TooFewFrames);
        QVERIFY(comparison.of(Figure::Period).a.has_value());
        QVERIFY(comparisonWords(comparison).find("too short") != std::string::npos);
    }
    const CaptureFigures nothing = captureOf(Trace());
    QCOMPARE(differences(compareOne(nothing, nothing)), 0);
}

void TestCaptureComparison::energyIsComparedWherePowerIsKnown()
{
    RunOfFrames run;
    run.frames = 600;
    const auto withPower = [&](std::uint32_t seed, double watts) {
        Trace trace = runTrace(seed, run);
        trace.setCounters({{9, "power VDD_IN", "W", {}}});
        std::vector<CounterSample> samples;
        int reading = 0;
        for (std::int64_t ns = trace.oldestNs() - 100'000'000; ns <= trace.newestNs() + 100'000'000; ns += 100'000'000)
            samples.push_back({ns, watts * (++reading % 2 == 0 ? 0.99 : 1.01), 9});
        trace.add(samples);
        return captureOf(trace);
    };
    const CaptureFigures a = withPower(1, 5);
    const CaptureFigures b = withPower(2, 6);
    QVERIFY2(a.energyReason.empty(), a.energyReason.c_str());
    const auto &periods = a.values[static_cast<std::size_t>(Figure::Period)];
    const auto &energies = a.values[static_cast<std::size_t>(Figure::Energy)];
    QVERIFY(periods && energies);
    QVERIFY2(std::abs(*energies / (5 * *periods) - 1) < 0.05, qPrintable(QString::number(*energies))); // W times ms.
    QCOMPARE(compareOne(a, b).of(Figure::Energy).verdict, RowVerdict::Worse);
    const CaptureFigures without = captureOf(3, run);
    QCOMPARE(without.energyReason, std::string("no power of this machine can be read without root"));
    QCOMPARE(compareOne(a, without).of(Figure::Energy).verdict, RowVerdict::Unknown);
}

void TestCaptureComparison::refuses_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("mention");
    const char *mentions[] = {"the device differs (a device in ",
                              "the source differs (",
                              "the frame size differs (",
                              "the filters differ (",
                              "the CPU stage differs (",
                              "the version differs (",
                              "the settings changed while ",
                              "captures of one side have",
                              "GPU clock moved by",
                              "temperature soc moved by",
                              "the power mode changed between the captures",
                              "the clocks were limited by turns (throttling)",
                              "other programs took unlike shares of the processors (5 % in "};
    for (int i = 0; i < int(std::size(mentions)); ++i)
        QTest::newRow(mentions[i]) << i << mentions[i];
}

/// Of two runs a side even a difference of ten times would be within the noise.
void TestCaptureComparison::fewRunsHaveNoVerdict()
{
    RunOfFrames slower;
    slower.kernelMs *= 10;
    for (const auto &[runsA, runsB] : {std::pair(1, 2), {2, 1}, {2, 2}, {3, 1}}) {
        const CaptureComparison few = compareCaptures(sideOfRuns(1, runsA, {}), sideOfRuns(50, runsB, slower));
        QVERIFY2(few.noVerdict.find("record at least 3 a side") != std::string::npos, few.noVerdict.c_str());
    }
    for (const auto &[runsA, runsB] : {std::pair(1, 1), {3, 3}, {1, 4}}) {
        const CaptureComparison enough = compareCaptures(sideOfRuns(1, runsA, {}), sideOfRuns(50, runsB, slower));
        QVERIFY2(enough.noVerdict.empty(), enough.noVerdict.c_str());
        QCOMPARE(enough.of(Figure::Period).verdict, RowVerdict::Worse);
        const Estimate &interval = enough.of(Figure::Period).difference.difference;
        const double shown = *enough.of(Figure::Period).b - *enough.of(Figure::Period).a;
        QVERIFY(interval.atLeast <= shown && shown <= interval.atMost);
        for (const ComparedMetric &metric : enough.metrics)
            if (const Estimate &share = metric.figure.difference.difference;
                rowOf(metric.metric).unit == FigureUnit::Share && std::isfinite(share.halfWidth()))
                QVERIFY(share.atLeast >= -1 && share.atMost <= 1);
    }
}

void TestCaptureComparison::refuses()
{
    QFETCH(int, which);
    QFETCH(QString, mention);
    RunOfFrames slower;
    slower.kernelMs *= 2;
    std::vector<CaptureFigures> a{captureOf(1), captureOf(2), captureOf(5)};
    std::vector<CaptureFigures> b{captureOf(3, slower), captureOf(4, slower), captureOf(6, slower)};
    for (auto *side : {&a, &b})
        for (CaptureFigures &capture : *side) {
            capture.frameSize = "640x480";
            capture.machine = {{"GPU clock", "Hz", 1e9}, {"GPU load", "%", 10}, {"temperature soc", "°C", 50},
                               {"power mode", "", 1},    {"throttling", "", 0}, {"CPU load outside Jetscope", "%", 5}};
        }
    a[1].machine[5].mean = 20; // As a desktop may take.
    QVERIFY(compareCaptures(a, b).noVerdict.empty());
    b[1].machine[1].mean = 90; // Load follows the work and does not count.
    QVERIFY(compareCaptures(a, b).noVerdict.empty());
    std::vector<CaptureFigures> inspected = b; // An inspected program has no settings, and is outside itself.
    inspected[1].machine[5].mean = 90;
    for (CaptureFigures &capture : inspected)
        capture.origin.config.reset();
    QVERIFY(compareCaptures(inspected, inspected).noVerdict.empty());
    CaptureFigures &odd = b[1];
    switch (which) {
    case 0:
        odd.origin.device = "another";
        break;
    case 1:
        odd.origin.source = "another";
        break;
    case 2:
        odd.frameSize = "320x240";
        break;
    case 3:
        odd.origin.config->filters = {Filter::Invert};
        break;
    case 4:
        odd.origin.config->cpuStage = CpuStagePlacement::Serial;
        break;
    case 5:
        odd.origin.program = "Jetscope 0.0.9";
        break;
    case 6:
        odd.change = "sync: finish → event";
        break;
    case 7:
        odd.origin.config->sync = SyncMode::Finish;
        break;
    case 8:
        odd.machine[0].mean = 0.9e9;
        break;
    case 9:
        odd.machine[2].mean = 70;
        break;
    case 10:
        odd.machine[3].mean = 2;
        break;
    case 11:
        odd.machine[4].mean = 0.4;
        break;
    default:
        odd.machine[5].mean = 60;
        break;
    }
    const CaptureComparison comparison = compareCaptures(a, b);
    const QString words = QString::fromStdString(comparisonWords(comparison));
    QVERIFY2(words.startsWith("No verdict, because ") && words.contains(mention) && words.contains(": ")
                 && words.endsWith('.') && !words.contains('\n'),
             qPrintable(words));
    QCOMPARE(differences(comparison), 0);
    QCOMPARE(comparison.of(Figure::Period).verdict, RowVerdict::NotComparable);
    QVERIFY(*comparison.of(Figure::Period).b > *comparison.of(Figure::Period).a); // Still shown.
}

/// More overlap without less time is no gain.
void TestCaptureComparison::overlapAloneMakesNoSideBetter()
{
    const auto withOverlap = [](double overlap) {
        CaptureFigures capture = captureOf(1);
        const auto i = static_cast<std::size_t>(Figure::Overlap);
        capture.metrics[i].clear();
        for (int piece = 0; piece < 24; ++piece)
            capture.metrics[i].push_back(overlap + 0.001 * (piece % 5));
        capture.values[i] = overlap;
        return capture;
    };
    const CaptureComparison comparison = compareOne(withOverlap(0.2), withOverlap(0.6));
    QVERIFY(comparison.of(Figure::Overlap).verdict == RowVerdict::Better);
    const std::string words = comparisonWords(comparison);
    QVERIFY2(words.starts_with("No time of the frames is shown to differ: the period is ")
                 && words.find(" Besides: Overlap +40.0 points") != std::string::npos,
             words.c_str());
    // Nor does it lead where something else differs.
    RunOfFrames slower;
    slower.kernelMs *= 1.2;
    CaptureFigures other = withOverlap(0.6);
    const CaptureFigures slow = captureOf(2, slower);
    for (const Figure figure : captureFigures())
        if (rowOf(figure).sum != FigureSum::Pooled) {
            other.metrics[static_cast<std::size_t>(figure)] = slow.metrics[static_cast<std::size_t>(figure)];
            other.values[static_cast<std::size_t>(figure)] = slow.values[static_cast<std::size_t>(figure)];
        }
    const std::string mixed = comparisonWords(compareOne(withOverlap(0.2), other));
    QVERIFY2(mixed.starts_with("B is worse than A: Period +") && mixed.find(" But ") == std::string::npos
                 && mixed.find(" Besides: Overlap +40.0 points") != std::string::npos,
             mixed.c_str());
}

void TestCaptureComparison::aRunningPipelineIsComparedInItsWords()
{
    RunOfFrames slower;
    slower.kernelMs *= 1.05;
    const auto words = [](const CaptureFigures &a, const CaptureFigures &b) {
        return comparisonWords(compareCaptures(std::span(&a, 1), std::span(&b, 1), ComparedSides::Running));
    };
    QVERIFY(words(captureOf(1), captureOf(2, slower)).starts_with("The present is worse than A: Period +"));
    QVERIFY(words(captureOf(2, slower), captureOf(1)).starts_with("The present is better than A: Period -"));
    RunOfFrames brief;
    brief.frames = 20;
    QCOMPARE(words(captureOf(1), captureOf(2, brief)),
             std::string("Not enough frames yet: A has 300, the present choices 20."));
    CaptureFigures other = captureOf(2);
    other.origin.device = "another";
    QVERIFY(words(captureOf(1), other)
                .starts_with("No verdict, because the device differs (a device in A, another now): go back to"));
    // The first side may have another name; what is named A otherwise keeps it.
    const CaptureFigures a = captureOf(1);
    other.origin.device = "board A";
    QCOMPARE(comparisonWords(compareCaptures(std::span(&a, 1), std::span(&other, 1), ComparedSides::Running, "B")),
             std::string("No verdict, because the device differs (a device in B, board A now): go back to that of B, "
                         "or pin B anew."));
}

void TestCaptureComparison::anotherPlaceOfTheCpuStageIsAChoice()
{
    CaptureFigures a = captureOf(1);
    CaptureFigures b = captureOf(2);
    a.origin.config->cpuStage = CpuStagePlacement::Serial;
    b.origin.config->cpuStage = CpuStagePlacement::Pipelined;
    QVERIFY(compareOne(a, b).noVerdict.empty());
    b.origin.config->cpuWork = CpuWork::Histogram;
    QVERIFY(compareOne(a, b).noVerdict.starts_with("the CPU stage differs"));
}

/// Copies may have run anywhere within their bounds.
void TestCaptureComparison::boundsThatOverlapAreNoDifference()
{
    RunOfFrames slower;
    slower.kernelMs *= 1.1;
    const CaptureFigures a = captureOf(1);
    CaptureFigures b = captureOf(2, slower);
    QCOMPARE(compareOne(a, b).of(Figure::GpuBusy).verdict, RowVerdict::Worse);
    b.leasts[static_cast<std::size_t>(Figure::GpuBusy)] = 5.2;
    QCOMPARE(compareOne(a, b).of(Figure::GpuBusy).verdict, RowVerdict::Worse);
    b.leasts[static_cast<std::size_t>(Figure::GpuBusy)] = 4;
    QCOMPARE(compareOne(a, b).of(Figure::GpuBusy).verdict, RowVerdict::Unchanged);
    QCOMPARE(compareOne(b, a).of(Figure::GpuBusy).aAtLeast, std::optional(4.0));
    QCOMPARE(compareOne(a, b).of(Figure::Period).verdict, RowVerdict::Worse);
}

void TestCaptureComparison::sweepsCompareCellByCell()
{
    const SweepComparison worse = compareSweeps(sweepOf(1, 5, 6), sweepOf(2, 5.5, 6, true));
    QVERIFY2(worse.noVerdict.empty(), worse.noVerdict.c_str());
    QCOMPARE(worse.cells.size(), std::size_t{2});
    QCOMPARE(worse.cells[0].words, std::string("stream"));
    QCOMPARE(worse.cells[0].figure.verdict, RowVerdict::Worse);
    QCOMPARE(worse.cells[1].figure.verdict, RowVerdict::Unchanged);
    QCOMPARE(worse.onlyB, std::vector<std::string>{"event"});
    QVERIFY(worse.onlyA.empty());
    QVERIFY(comparisonWords(worse).find("0 better in B, 1 worse, 1 unchanged") != std::string::npos);
    const SweepComparison brief = compareSweeps(sweepOf(1, 5, 3), sweepOf(2, 5.5, 3));
    QCOMPARE(brief.cells[0].figure.verdict, RowVerdict::TooFewFrames);
    int unchanged = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        const SweepComparison equal = compareSweeps(sweepOf(2 * seed, 5, 6), sweepOf(2 * seed + 1, 5, 6));
        unchanged += equal.cells[0].figure.verdict == RowVerdict::Unchanged
            && equal.cells[1].figure.verdict == RowVerdict::Unchanged;
    }
    qInfo("equal sweeps unchanged in every cell: %d of 100", unchanged);
    QVERIFY(unchanged >= 95);
}

void TestCaptureComparison::sweepsRefuse()
{
    const StoredSweep a = sweepOf(1, 5, 6);
    const auto refusal = [&](auto change) {
        StoredSweep b = sweepOf(2, 6, 6);
        change(b);
        const SweepComparison comparison = compareSweeps(a, b);
        return comparison.cells[0].figure.verdict == RowVerdict::NotComparable ? comparison.noVerdict : std::string();
    };
    QVERIFY(refusal([](StoredSweep &b) { b.conditions.deviceName = "x"; }).starts_with("the device differs"));
    QVERIFY(refusal([](StoredSweep &b) { b.conditions.source = "x"; }).starts_with("the source differs"));
    QVERIFY(refusal([](StoredSweep &b) { b.conditions.paced = true; }).find("--paced") != std::string::npos);
    QVERIFY(refusal([](StoredSweep &b) { b.conditions.madeBy = "x"; }).starts_with("the version differs"));
    StoredSweep moved = sweepOf(2, 6, 6);
    for (KeptStretch &kept : moved.stretches)
        kept.counters = {{"temperature soc", "°C", kept.stretch.round < 3 ? 40.0 : 60.0}};
    QVERIFY(compareSweeps(a, moved).noVerdict.find("temperature soc moved by 20") != std::string::npos);
}

JETSCOPE_TEST(TestCaptureComparison)
#include "tst_capturecomparison.moc"
