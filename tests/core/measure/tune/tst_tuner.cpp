// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/tune/tuner.h"
#include "tests/core/landscapes.h"
#include "tests/core/profiles.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace jetscope;
using test::Landscape;
using test::SyntheticDevice;

namespace {

std::vector<SweepCell> cellsOf(bool waits, const DeviceFacts &facts)
{
    SweepChoices choices;
    for (const char *key : {"memory", "output", "sync"})
        choices.lists[key].all = true;
    choices.lists["wait"].all = waits;
    return planSweep(choices, facts).value().cells;
}

std::vector<SweepCell> softCells(bool waits = false)
{
    return cellsOf(waits, test::softwareFacts("soft:orin", 8, 7));
}

/// Runs a search; each stretch takes a second and the machine slows down by 0.1 % each.
void search(Tuner &tuner, const std::vector<double> &times, SyntheticDevice &device)
{
    double drift = 1;
    for (int stretch = 0; tuner.wanted() && stretch < 100'000; ++stretch) {
        drift += 0.001;
        tuner.add(device.batches(times[*tuner.wanted()] * drift, 5), 1);
    }
}

/// Three cells that are close to each other, of which the worst is the start; the others are three times slower.
struct CloseCells {
    explicit CloseCells(std::vector<SweepCell> all) : cells(std::move(all)), times(cells.size(), 3)
    {
        constexpr std::pair<SyncMode, double> kClose[] = {
            {SyncMode::Stream, 1}, {SyncMode::Finish, 1.002}, {SyncMode::Poll, 1.06}};
        for (std::size_t i = 0; i < cells.size(); ++i)
            for (const auto &[sync, close] : kClose)
                if (cells[i].config.memory == MemoryKind::Pinned && cells[i].config.output == OutputKind::EglImage
                    && cells[i].config.sync == sync) {
                    times[i] = close;
                    start = close == 1.06 ? i : start;
                }
    }
    void measure(Tuner &tuner, SyntheticDevice &device, double noise = 0.1) const
    {
        tuner.add(device.batches(times[*tuner.wanted()] * std::exp(noise * device.normal()), 5), 0.12);
    }

    std::vector<SweepCell> cells;
    std::vector<double> times;
    std::size_t start = 0;
};

struct Outcome {
    double within3 = 0;
    double regret = 0;
    double cells = 0;
    double worse = 0; ///< Share of the searches that end with a worse cell than the start.
};

using TimeOf = double (Landscape::*)(const PipelineConfig &);

Outcome searchMany(const std::vector<SweepCell> &cells, TimeOf timeOf, double main, double pair, int landscapes)
{
    Outcome outcome;
    const double each = 1.0 / landscapes;
    for (int i = 0; i < landscapes; ++i) {
        SyntheticDevice device(static_cast<std::uint32_t>(i) + 1);
        Landscape landscape(device, main, pair);
        std::vector<double> times;
        for (const SweepCell &cell : cells)
            times.push_back((landscape.*timeOf)(cell.config));
        const std::size_t start = device.random() % cells.size();
        TunerLimits limits;
        limits.seconds = 10'000;
        Tuner tuner(cells, start, limits);
        search(tuner, times, device);
        const double regret = times[tuner.best()] / *std::min_element(times.begin(), times.end()) - 1;
        outcome.within3 += regret <= 0.03 ? each : 0;
        outcome.regret += regret * each;
        outcome.cells = std::max(outcome.cells, static_cast<double>(tuner.measuredCells()));
        outcome.worse += times[tuner.best()] > times[start] * 1.001 ? each : 0;
    }
    return outcome;
}

} // namespace

Q_DECLARE_METATYPE(TimeOf)

class TestTuner : public QObject {
    Q_OBJECT

private slots:
    void itEndsNearTheBestCell_data()
    {
        QTest::addColumn<bool>("waits");
        QTest::addColumn<TimeOf>("timeOf");
        QTest::addColumn<double>("pair");
        QTest::addColumn<double>("least");
        // Effects of choices: 20 %. `least` is below the share within 3 % of the best of all cells that was measured
        // with 1,000 landscapes: 99.4, 99.6, 98.5, 91.5, 96.0 % of 142 cells; 99.4, 98.1, 96.1 % of 568. Where each
        // choice has an effect of 10 % and each pair one of 10 %, too, it was 66 % and 76 % of 84 and 336 cells: a
        // fifth of the cells does not show it.
        QTest::newRow("142 cells, no interaction") << false << &Landscape::additive << 0.0 << 0.96;
        QTest::newRow("142 cells, interactions of 3 %") << false << &Landscape::additive << 0.03 << 0.96;
        QTest::newRow("142 cells, interactions of 6 %") << false << &Landscape::additive << 0.06 << 0.94;
        QTest::newRow("142 cells, interactions of 10 %") << false << &Landscape::additive << 0.1 << 0.82;
        QTest::newRow("142 cells, CPU beside GPU") << false << &Landscape::concurrent << 0.03 << 0.89;
        QTest::newRow("568 cells, interactions of 3 %") << true << &Landscape::additive << 0.03 << 0.96;
        QTest::newRow("568 cells, interactions of 6 %") << true << &Landscape::additive << 0.06 << 0.93;
        QTest::newRow("568 cells, CPU beside GPU") << true << &Landscape::concurrent << 0.03 << 0.89;
    }
    void itEndsNearTheBestCell()
    {
        QFETCH(bool, waits);
        QFETCH(TimeOf, timeOf);
        QFETCH(double, pair);
        QFETCH(double, least);
        const std::vector<SweepCell> cells = softCells(waits);
        QCOMPARE(cells.size(), std::size_t{waits ? 568u : 142u});
        const Outcome outcome = searchMany(cells, timeOf, 0.2, pair, 100);
        qInfo("within 3 %%: %.3f, regret %.4f, most cells %.0f, worse than the start %.3f", outcome.within3,
              outcome.regret, outcome.cells, outcome.worse);
        QVERIFY2(outcome.within3 >= least, qPrintable(QString::number(outcome.within3)));
        QVERIFY(outcome.regret < 0.05);
        QVERIFY(outcome.cells <= static_cast<double>(cells.size()) / 5);
        QVERIFY(outcome.worse <= 0.02);
    }

    /// As it was measured on a GPU: single stretches vary by 10 %, and the four best cells differ by 2.5 to 20 %.
    void closeCellsAreToldApartInTheTimeThatIsLeft()
    {
        const std::vector<SweepCell> cells = softCells();
        constexpr std::pair<SyncMode, double> kClose[] = {
            {SyncMode::Stream, 1}, {SyncMode::Finish, 1.025}, {SyncMode::Poll, 1.13}, {SyncMode::Event, 1.21}};
        int near = 0;
        int untold = 0;
        for (std::uint32_t seed = 0; seed < 100; ++seed) {
            SyntheticDevice device(seed);
            std::vector<double> times;
            std::size_t start = 0;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const PipelineConfig &config = cells[i].config;
                double time = 1.4 + 1.6 * device.uniform();
                for (const auto &[sync, close] : kClose)
                    if (config.memory == MemoryKind::Pinned && config.output == OutputKind::EglImage
                        && config.sync == sync)
                        time = close;
                start = time == 1.21 ? i : start;
                times.push_back(time);
            }
            Tuner tuner(cells, start);
            while (tuner.wanted())
                tuner.add(device.batches(times[*tuner.wanted()] * std::exp(0.1 * device.normal()), 5), 0.12);
            QVERIFY(tuner.elapsedSeconds() <= 61);
            QVERIFY(tuner.improvement().has_value() == (tuner.best() != tuner.start())); // The check was made.
            near += times[tuner.best()] <= 1.03 ? 1 : 0;
            untold += tuner.reason().find("were told apart") != std::string::npos ? 1 : 0;
        }
        QVERIFY2(near >= 90, qPrintable(QString::number(near)));
        QVERIFY(untold > 0); // The time does not always suffice for 2.5 %, and the reason says so.
    }

    /// Few stretches of a final, whose leader is lucky, do not take back what the races before showed.
    void aStoppedFinalKeepsTheBest()
    {
        int stopped = 0;
        for (std::uint32_t seed = 0; seed < 40; ++seed) {
            const CloseCells close(softCells());
            const auto run = [&](const std::function<bool(const Tuner &)> &goesOn) {
                Tuner tuner(close.cells, close.start);
                SyntheticDevice device(seed);
                while (tuner.wanted() && goesOn(tuner))
                    close.measure(tuner, device);
                tuner.stop("it was cancelled");
                return tuner;
            };
            const Tuner whole = run([](const Tuner &) { return true; });
            const auto final = std::find_if(whole.steps().begin(), whole.steps().end(),
                                            [](const TunerStep &step) { return step.what == "final"; });
            if (final == whole.steps().end())
                continue;
            const auto before = static_cast<std::size_t>(final - whole.steps().begin());
            std::size_t more = final->tries.size() + 2; // A round and one stretch.
            const Tuner cut = run([&](const Tuner &tuner) { return tuner.steps().size() < before || more-- > 0; });
            if (cut.steps().size() != before + 1)
                continue; // The final was over by then.
            ++stopped;
            QCOMPARE(cut.reason(), std::string("it was cancelled"));
            QCOMPARE(cut.best(), cut.steps()[before - 1].winner);
        }
        QVERIFY2(stopped >= 10, qPrintable(QString::number(stopped)));
    }

    void aFinalSaysThatItsRoundsAreUsed()
    {
        int rounds = 0;
        for (std::uint32_t seed = 0; seed < 10; ++seed) {
            const CloseCells close(softCells());
            SyntheticDevice device(seed);
            TunerLimits limits;
            limits.seconds = 100'000;
            Tuner tuner(close.cells, close.start, limits);
            while (tuner.wanted())
                close.measure(tuner, device, 0.15);
            QVERIFY2(tuner.reason().find("time") == std::string::npos, tuner.reason().c_str());
            rounds += tuner.reason().find("not told apart by 200 rounds") != std::string::npos ? 1 : 0;
        }
        QVERIFY(rounds > 0);
    }

    /// A final that drops the present choices, and then cannot tell two others apart, leaves time for the check.
    void aFinalLeavesTimeForTheCheck()
    {
        const CloseCells close(softCells());
        int left = 0;
        for (std::uint32_t seed = 0; seed < 40; ++seed) {
            SyntheticDevice device(seed);
            Tuner tuner(close.cells, close.start);
            while (tuner.wanted())
                close.measure(tuner, device);
            QVERIFY(tuner.improvement().has_value() == (tuner.best() != tuner.start()));
            left += tuner.best() != tuner.start() ? 1 : 0;
        }
        QVERIFY2(left >= 10, qPrintable(QString::number(left))); // Of 40, with noise of 10 %; measured: 16.
    }

    /// If all cells are equal, the present choices stay.
    void nothingIsRecommendedWhereNothingHelps()
    {
        const std::vector<SweepCell> cells = softCells();
        int moved = 0;
        for (std::uint32_t seed = 0; seed < 100; ++seed) {
            SyntheticDevice device(seed);
            TunerLimits limits;
            limits.seconds = 10'000;
            Tuner tuner(cells, seed % cells.size(), limits);
            search(tuner, std::vector<double>(cells.size(), 5.0), device);
            moved += tuner.best() != tuner.start() ? 1 : 0;
            QVERIFY(tuner.improvement().has_value() == (tuner.best() != tuner.start()));
        }
        QVERIFY2(moved <= 5, qPrintable(QString::number(moved))); // Measured: 0 of 1,000.
    }

    void itSaysWhatItTried()
    {
        const std::vector<SweepCell> cells = softCells();
        SyntheticDevice device(1);
        Landscape landscape(device, 0.2, 0.03);
        std::vector<double> times;
        for (const SweepCell &cell : cells)
            times.push_back(landscape.additive(cell.config));
        const std::size_t start =
            static_cast<std::size_t>(std::max_element(times.begin(), times.end()) - times.begin());
        TunerLimits limits;
        limits.seconds = 1000;
        Tuner tuner(cells, start, limits);
        search(tuner, times, device);
        QVERIFY(tuner.isOver() && !tuner.reason().empty());
        QCOMPARE(tuner.progress(), 1.0);
        QVERIFY(tuner.best() != start);
        QCOMPARE(tuner.improvement().value().verdict, Comparison::Better);
        QVERIFY(std::abs(tuner.improvement()->ratio.value - times[tuner.best()] / times[start]) < 0.03);
        std::set<std::size_t> tried{start};
        QCOMPARE(tuner.steps().front().what, std::string("memory"));
        QCOMPARE(tuner.steps().back().what, std::string("check"));
        for (const TunerStep &step : tuner.steps())
            for (const TunerTry &one : step.tries) {
                tried.insert(one.cell);
                QVERIFY(one.stretches > 0 && one.failure.empty());
                // The first races change one choice only.
                const std::string change = describeChange(cells[step.champion].config, cells[one.cell].config);
                if (step.what == "memory" || step.what == "sync" || step.what == "output")
                    QVERIFY2(change.starts_with(step.what) && change.find(',') == std::string::npos, change.c_str());
            }
        QCOMPARE(tried.size(), tuner.measuredCells());
    }

    /// Cells that are clearly worse cost one or two stretches.
    void hopelessCellsAreDroppedEarly()
    {
        const std::vector<SweepCell> cells = softCells();
        std::vector<double> times(cells.size(), 10.0);
        times[5] = 5;
        SyntheticDevice device(2);
        Tuner tuner(cells, 5);
        search(tuner, times, device);
        QCOMPARE(tuner.best(), std::size_t{5});
        for (const TunerStep &step : tuner.steps())
            for (const TunerTry &one : step.tries)
                QVERIFY(one.dropped && one.stretches <= 2);
    }

    /// "implicit" can only be taken together with gl-interop: both change in one step.
    void valuesThatBelongTogetherAreTriedTogether()
    {
        const std::vector<SweepCell> cells = cellsOf(false, test::discreteFacts());
        std::vector<double> times;
        std::size_t start = cells.size();
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const PipelineConfig &config = cells[i].config;
            times.push_back(config.sync == SyncMode::Implicit ? 4 : config.output == OutputKind::GlInterop ? 7 : 5);
            if (config == PipelineConfig{.sync = SyncMode::Event})
                start = i;
        }
        SyntheticDevice device(3);
        TunerLimits limits;
        limits.seconds = 10'000;
        Tuner tuner(cells, start, limits);
        search(tuner, times, device);
        QCOMPARE(cells[tuner.best()].config.sync, SyncMode::Implicit);
    }

    void theTimeIsKept()
    {
        const std::vector<SweepCell> cells = softCells();
        for (const double seconds : {0.5, 5.0, 20.0, 60.0}) {
            SyntheticDevice device(4);
            Landscape landscape(device, 0.2, 0.06);
            std::vector<double> times;
            for (const SweepCell &cell : cells)
                times.push_back(landscape.additive(cell.config));
            TunerLimits limits;
            limits.seconds = seconds;
            Tuner tuner(cells, 0, limits);
            search(tuner, times, device);
            QVERIFY(tuner.isOver());
            QVERIFY2(tuner.elapsedSeconds() <= seconds + 2, qPrintable(QString::number(tuner.elapsedSeconds())));
            QVERIFY(times[tuner.best()] <= times[0] * 1.01);
        }
    }

    void cellsThatFailAreLeftOut()
    {
        const std::vector<SweepCell> cells = softCells();
        std::vector<double> times(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            times[i] = cells[i].config.memory == MemoryKind::Unified ? 4 : 5;
        SyntheticDevice device(6);
        TunerLimits limits;
        limits.seconds = 10'000;
        Tuner tuner(cells, 0, limits);
        while (const auto cell = tuner.wanted()) {
            if (cells[*cell].config.memory == MemoryKind::ZeroCopy)
                tuner.failed("no memory left", 1);
            else
                tuner.add(device.batches(times[*cell], 5), 1);
        }
        QCOMPARE(cells[tuner.best()].config.memory, MemoryKind::Unified);
        const auto &tries = tuner.steps().front().tries;
        QVERIFY(std::any_of(tries.begin(), tries.end(),
                            [](const TunerTry &one) { return one.failure == "no memory left" && one.stretches == 0; }));
        Tuner broken(cells, 0);
        broken.failed("the device was lost");
        QVERIFY(broken.isOver() && broken.reason().find("the device was lost") != std::string::npos);
        QCOMPARE(broken.best(), std::size_t{0});
    }

    /// Any order of reports: the search ends and only asks for cells that exist.
    void hostileReportsEndIt()
    {
        const std::vector<SweepCell> cells = softCells();
        for (std::uint32_t seed = 0; seed < 200; ++seed) {
            SyntheticDevice device(seed);
            Tuner tuner(cells, device.random() % cells.size());
            int stretches = 0;
            for (; tuner.wanted() && stretches < 10'000; ++stretches) {
                QVERIFY(*tuner.wanted() < cells.size());
                QVERIFY(tuner.progress() >= 0 && tuner.progress() <= 1);
                const double values[] = {0, -1, 1e300, 1e-300, 5, std::nan(""), 7};
                const std::vector<double> batches(device.random() % 4, values[device.random() % 7]);
                if (device.random() % 10 == 0)
                    tuner.failed("no");
                else
                    tuner.add(batches, device.random() % 3 ? 0.2 : -1);
                if (device.random() % 500 == 0)
                    tuner.stop("it was cancelled");
            }
            QVERIFY(tuner.isOver() && tuner.best() < cells.size());
        }
        Tuner none({}, 0);
        QVERIFY(none.isOver() && !none.wanted());
        none.add(std::vector<double>{5.0}, 1);
        Tuner single({cells[0]}, 0);
        QVERIFY(single.isOver() && single.best() == 0);
    }

    /// The star stands on what is shown to be the best of its race, or on nothing.
    void winnersOfTooFewTurnsAreNotShown()
    {
        int shown = 0;
        int others = 0;
        for (std::uint32_t seed = 0; seed < 20; ++seed) {
            const std::vector<SweepCell> cells = softCells(true);
            SyntheticDevice device(seed);
            Landscape landscape(device, 0.1, 0.03);
            std::vector<double> times;
            for (const SweepCell &cell : cells)
                times.push_back(landscape.additive(cell.config));
            TunerLimits limits;
            limits.seconds = 400;
            Tuner tuner(cells, seed % cells.size(), limits);
            search(tuner, times, device);
            for (const TunerStep &step : tuner.steps()) {
                ++(step.isShown ? shown : others);
                if (!step.isShown)
                    continue;
                QVERIFY(step.winner != step.champion);
                for (const TunerTry &one : step.tries) {
                    if (one.cell == step.winner)
                        QVERIFY(one.difference.enough && one.difference.verdict == Comparison::Better);
                    else
                        QVERIFY(one.dropped || !one.failure.empty());
                }
            }
        }
        QVERIFY2(shown > 20 && others > 20, qPrintable(QString("%1 %2").arg(shown).arg(others)));
    }

    void itCanBeStopped()
    {
        const std::vector<SweepCell> cells = softCells();
        Tuner tuner(cells, 0);
        tuner.add(std::vector<double>{5.0}, 1);
        tuner.stop("it was cancelled");
        QVERIFY(tuner.isOver());
        QCOMPARE(tuner.reason(), std::string("it was cancelled"));
        QCOMPARE(tuner.best(), std::size_t{0});
    }
};

JETSCOPE_TEST(TestTuner)
#include "tst_tuner.moc"
