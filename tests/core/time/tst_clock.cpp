// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/clock.h"
#include "core/time/counterclock.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <atomic>
#include <cmath>
#include <ctime>
#include <thread>
#include <vector>

using namespace jetscope;

namespace {

std::int64_t clockNs()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// A simulated machine whose time only advances on request, or by the cost of reading a clock.
struct FakeMachine {
    static inline double clock = 0;
    static inline double count = 0;
    static inline double countsPerNs = 2;
    static inline double slew = 0; ///< Rate of CLOCK_MONOTONIC relative to the counter; NTP's maximum is 500e-6.
    static inline bool present = true;
    static inline double interruptionNs = 0; ///< Duration of every reading of CLOCK_MONOTONIC.
    static inline int clockReads = 0;

    static void pass(double ns)
    {
        clock += ns * (1 + slew);
        count += ns * countsPerNs;
    }
    static void reset(double rate)
    {
        clock = 1e12;
        count = 5e9;
        countsPerNs = rate;
        slew = 0;
        present = true;
        interruptionNs = 0;
        clockReads = 0;
    }

    static bool hasCounter() { return present; }
    static std::uint64_t counter()
    {
        pass(5);
        return static_cast<std::uint64_t>(count);
    }
    static std::int64_t monotonicNs()
    {
        ++clockReads;
        pass(20 + interruptionNs);
        return static_cast<std::int64_t>(clock);
    }
};

using FakeClock = CounterClock<FakeMachine>;

/// Reads the clock every `stepNs` for `ns`; returns the largest error, or infinity if time ran backwards.
double worstError(FakeClock &clock, double ns, double stepNs)
{
    double worst = 0;
    std::int64_t last = 0;
    for (double passed = 0; passed < ns; passed += stepNs) {
        FakeMachine::pass(stepNs);
        const std::int64_t now = clock.nowNs();
        if (now < last)
            return std::numeric_limits<double>::infinity();
        last = now;
        worst = std::max(worst, std::abs(static_cast<double>(now) - FakeMachine::clock));
    }
    return worst;
}

} // namespace

class TestClock : public QObject {
    Q_OBJECT

private slots:
    void followsTheClockAtAnyCounterRate_data()
    {
        QTest::addColumn<double>("countsPerNs");
        QTest::newRow("5 GHz") << 5.0;
        QTest::newRow("2 GHz") << 2.0;
        QTest::newRow("1 GHz, Thor") << 1.0;
        QTest::newRow("31.25 MHz, Orin") << 0.03125;
        QTest::newRow("19.2 MHz, Nano") << 0.0192;
    }
    void followsTheClockAtAnyCounterRate()
    {
        QFETCH(double, countsPerNs);
        FakeMachine::reset(countsPerNs);
        FakeClock clock;
        const double error = worstError(clock, 2e9, 10e3);
        QVERIFY2(error < 100 + 2 / countsPerNs, qPrintable(QString::number(error)));
        // The 100,000 times came from the counter: the clock was only read twice every few milliseconds.
        FakeMachine::clockReads = 0;
        worstError(clock, 1e9, 10e3);
        QVERIFY2(FakeMachine::clockReads < 600, qPrintable(QString::number(FakeMachine::clockReads)));
    }

    void followsNtpSlewing()
    {
        FakeMachine::reset(2);
        FakeClock clock;
        worstError(clock, 1e9, 10e3);
        for (const double slew : {500e-6, -500e-6, 0.0, 10e-6}) {
            FakeMachine::slew = slew;
            const double error = worstError(clock, 1e9, 10e3);
            QVERIFY2(error < 6000, qPrintable(QString::number(error)));
            QVERIFY(worstError(clock, 1e9, 10e3) < 200); // The rate has adapted.
        }
    }

    void hoursDoNotAddUp()
    {
        FakeMachine::reset(2.1);
        FakeMachine::slew = 37e-6;
        FakeClock clock;
        QVERIFY(worstError(clock, 4 * 3600e9, 3.1e6) < 2000);
        QVERIFY(worstError(clock, 1e9, 1e3) < 200);
    }

    void takesTheClockOverAfterAPause()
    {
        FakeMachine::reset(2);
        FakeClock clock;
        worstError(clock, 1e8, 10e3);
        FakeMachine::slew = 200e-6;
        FakeMachine::pass(3600e9);
        QVERIFY(worstError(clock, 1e8, 10e3) < 6000);
    }

    /// The counter continues while the machine is suspended, CLOCK_MONOTONIC does not.
    void survivesSuspend()
    {
        FakeMachine::reset(2);
        FakeClock clock;
        worstError(clock, 1e8, 10e3);
        const std::int64_t before = clock.nowNs();
        FakeMachine::count += 2 * 3600e9;
        QVERIFY(clock.nowNs() >= before);
        QVERIFY(worstError(clock, 1e8, 10e3) < 200);
        FakeMachine::count = 1000; // Some machines reset the counter.
        QVERIFY(clock.nowNs() >= before);
        QVERIFY(worstError(clock, 1e8, 10e3) < 200);
        // Repeated suspends must not make the counter untrusted.
        for (int i = 0; i < 10; ++i) {
            FakeMachine::count += 3600e9;
            QVERIFY(worstError(clock, 1e8, 10e3) < 200);
        }
        FakeMachine::clockReads = 0;
        worstError(clock, 1e9, 10e3);
        QVERIFY(FakeMachine::clockReads < 600);
    }

    void givesUpACounterThatDoesNotKeepItsRate()
    {
        FakeMachine::reset(2);
        FakeClock clock;
        for (int i = 0; i < 200; ++i) {
            FakeMachine::countsPerNs = i % 2 ? 1 : 3;
            for (int j = 0; j < 1000; ++j) {
                FakeMachine::pass(10e3);
                clock.nowNs();
            }
        }
        FakeMachine::clockReads = 0;
        QVERIFY(worstError(clock, 1e9, 10e3) < 100);
        QVERIFY(FakeMachine::clockReads >= 100'000); // The times came from the clock itself.
    }

    void doesNotOvershootWhileNobodyCanRenew()
    {
        // The correction of an error is meant for the time until the next anchor: if that is late, the correction must
        // end.
        constexpr double kErrorNs = 40e3;
        FakeMachine::reset(2);
        FakeClock clock;
        worstError(clock, 1e9, 10e3);
        FakeMachine::clock += kErrorNs;
        worstError(clock, 4.5e6, 10e3);
        FakeMachine::interruptionNs = 5e3;
        QVERIFY(worstError(clock, 15e6, 100e3) < kErrorNs);
    }

    void isTheClockItselfWithoutACounter()
    {
        FakeMachine::reset(2);
        FakeMachine::present = false;
        FakeClock clock;
        QVERIFY(worstError(clock, 1e8, 1e4) < 100);
        QVERIFY(FakeMachine::clockReads >= 10'000);
    }

    void staysCloseToTheRealClock()
    {
        constexpr std::int64_t kMaxNs = 10'000;
        const std::int64_t end = clockNs() + 300'000'000;
        std::int64_t worst = 0;
        for (std::int64_t after = 0; after < end;) {
            const std::int64_t before = clockNs();
            const std::int64_t now = nowNs();
            after = clockNs();
            worst = std::max({worst, before - now, now - after});
        }
        QVERIFY2(worst < kMaxNs, qPrintable(QString::number(worst)));
    }

    void neverRunsBackwards()
    {
        // Time never runs backwards on a thread. Between threads, timestamps rarely differ by more than the time of
        // communication; the exceptions are threads that were interrupted while renewing the anchor.
        constexpr std::int64_t kUnnoticedNs = 1'000;
        constexpr std::int64_t kMaxNs = 20'000;
        std::atomic<std::int64_t> shared{0};
        std::atomic<std::int64_t> worstAcross{0};
        std::atomic<int> noticed{0};
        std::atomic<int> stamps{0};
        std::atomic<int> backwards{0};
        const std::int64_t end = clockNs() + 200'000'000;
        const auto watch = [&] {
            std::int64_t last = nowNs();
            while (last < end) {
                const std::int64_t seen = shared.load(std::memory_order_acquire);
                const std::int64_t now = nowNs();
                backwards += now < last;
                noticed += seen - now > kUnnoticedNs;
                ++stamps;
                if (seen - now > worstAcross)
                    worstAcross = seen - now;
                shared.store(now, std::memory_order_release);
                last = now;
            }
        };
        std::vector<std::thread> threads;
        for (int i = 0; i < 3; ++i)
            threads.emplace_back(watch);
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(backwards.load(), 0);
        QVERIFY2(noticed < stamps / 1'000, qPrintable(QStringLiteral("%1 of %2").arg(noticed).arg(stamps)));
        QVERIFY2(worstAcross < kMaxNs, qPrintable(QString::number(worstAcross)));
    }
};

JETSCOPE_TEST(TestClock)
#include "tst_clock.moc"
