// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "gpu/remote/remotehost.h"
#include "gpu/remote/remoteserver.h"
#include "tests/support/longrun.h"
#include "tests/support/scriptedhost.h"
#include "tests/support/socketends.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

using namespace jetscope;
using namespace std::chrono_literals;
using jetscope::testing::ScriptedHost;

namespace {

/// 200 frames a second, which take longer while their news reach a laptop.
class Frames {
public:
    Frames(testing::PipelineScript &script, double factor) : m_thread([this, &script, factor] { work(script, factor); })
    {
    }
    ~Frames()
    {
        m_ends = true;
        m_thread.join();
    }
    std::atomic<std::int64_t> heardNs{0}; ///< When something came to the laptop last.
    std::atomic<std::uint32_t> told{0};

private:
    void work(testing::PipelineScript &script, double factor)
    {
        while (!m_ends) {
            std::this_thread::sleep_for(5ms);
            const bool isWatched = nowNs() - heardNs < 50'000'000;
            script.tell(1);
            const std::lock_guard lock(script.mutex);
            if (script.update.figures.empty())
                continue;
            FrameFigures &figures = script.update.figures.back();
            figures.frameNs = static_cast<std::int64_t>(2e6 * (isWatched ? factor : 1) * (1 + 0.01 * (told % 7)));
            figures.startNs = nowNs() - figures.frameNs;
            told = script.spans;
        }
    }

    std::atomic<bool> m_ends{false};
    std::thread m_thread;
};

} // namespace

/// A server that measures by turns what watching costs.
class TestWatchedTurns : public QObject {
    Q_OBJECT

private slots:
    void aPlantedCostIsToldAndNothingIsLost_data()
    {
        QTest::addColumn<double>("factor");
        if (testing::isLongRun())
            QTest::newRow("none") << 1.0;
        QTest::newRow("a third more") << 1.33;
    }
    void aPlantedCostIsToldAndNothingIsLost()
    {
        QFETCH(double, factor);
        const auto scripted = std::make_shared<ScriptedHost>();
        const QTemporaryDir captures;
        RemoteServer server(scripted, CaptureFolder(captures.path().toStdString()));
        auto host = RemoteHost::connect([&]() -> Result<LinkEnds> {
            JETSCOPE_TRY_ASSIGN(auto ends, testing::socketEnds());
            server.add(std::move(ends.second));
            return std::move(ends.first);
        });
        QVERIFY(host.ok());
        auto control = host.value()->open({"synthetic:", {}, {}, {}});
        QVERIFY(control.ok());
        std::vector<std::uint32_t> seen;
        std::uint32_t told = 0;
        std::int64_t longestNs = 0;
        {
            Frames frames(*scripted->script, factor);
            frames.heardNs = nowNs();
            const auto take = [&] {
                const PipelineUpdate update = control.value()->drainUpdates();
                for (const FrameFigures &figures : update.figures)
                    seen.push_back(figures.frame);
                if (!update.figures.empty()) {
                    longestNs = std::max(longestNs, nowNs() - frames.heardNs);
                    frames.heardNs = nowNs();
                }
            };
            QTRY_VERIFY((take(), host.value()->state().watchCost));
            QCOMPARE(host.value()->state().watchCost->rounds, 0U); // It says that it does not know yet.
            const bool isKnown = QTest::qWaitFor(
                [&] {
                    take();
                    return host.value()->state().watchCost->rounds > 0;
                },
                60'000);
            QVERIFY(isKnown);
            const WatchCost cost = *host.value()->state().watchCost;
            const QString text = QStringLiteral("%1 ± %2").arg(cost.frameRatio).arg(cost.noise);
            if (factor > 1)
                QVERIFY2(cost.frameRatio - 1 > 2 * cost.noise && std::abs(cost.frameRatio - factor) < 0.1,
                         qPrintable(text));
            else
                QVERIFY2(std::abs(cost.frameRatio - 1) <= 2 * cost.noise + 0.002, qPrintable(text));
            QVERIFY(longestNs > 300'000'000); // There were turns in which nothing came.
            told = frames.told;
            QTRY_VERIFY((take(), seen.size() >= told));
        }
        for (std::uint32_t i = 0; i < told; ++i)
            QCOMPARE(seen[i], i);
    }

    /// Nobody who gives an order waits for the end of a turn.
    void anOrderEndsATurn()
    {
        const auto scripted = std::make_shared<ScriptedHost>();
        const QTemporaryDir captures;
        RemoteServer server(scripted, CaptureFolder(captures.path().toStdString()));
        auto host = RemoteHost::connect([&]() -> Result<LinkEnds> {
            JETSCOPE_TRY_ASSIGN(auto ends, testing::socketEnds());
            server.add(std::move(ends.second));
            return std::move(ends.first);
        });
        QVERIFY(host.ok());
        auto control = host.value()->open({"synthetic:", {}, {}, {}});
        QVERIFY(control.ok());
        Frames frames(*scripted->script, 1);
        std::int64_t heardNs = nowNs();
        std::int64_t silentNs = 0;
        const auto listen = [&] {
            const bool heard = !control.value()->drainUpdates().figures.empty();
            silentNs = nowNs() - heardNs;
            heardNs = heard ? nowNs() : heardNs;
            return heard;
        };
        // A whole turn, and one that an order ends.
        std::array<std::int64_t, 2> turnsNs{};
        for (std::int64_t &turnNs : turnsNs) {
            QVERIFY(QTest::qWaitFor([&] { return !listen() && silentNs > 150'000'000; }, 20'000));
            if (&turnNs == &turnsNs[1])
                control.value()->setPaused(true);
            QVERIFY(QTest::qWaitFor(listen, 5000));
            turnNs = silentNs;
        }
        QVERIFY2(turnsNs[1] * 3 < turnsNs[0] * 2, qPrintable(QString::number(turnsNs[1] / 1'000'000)));
    }
};

JETSCOPE_TEST(TestWatchedTurns)
#include "tst_watchedturns.moc"
