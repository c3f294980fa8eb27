// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Why frames of a camera are missing: a driver that is played here, with faults whose cause is known.
#include "core/lab/driverrecord.h"
#include "core/time/clock.h"
#include "tests/support/testprogram.h"

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>

using namespace jetscope;

namespace {

constexpr std::int64_t kDriverMs = 1'000'000;
constexpr std::int64_t kPlayedPeriodNs = 33 * kDriverMs;
constexpr std::int64_t kPlayedStepNs = kDriverMs / 4;

/// What goes wrong, and when, in milliseconds from the start.
struct FaultPlan {
    int buffers = 4;
    std::set<std::uint32_t> sensorGaps;               ///< Numbers that never leave the sensor.
    std::set<std::uint32_t> damaged;                  ///< Numbers that come damaged.
    std::map<std::int64_t, std::int64_t> readerAway;  ///< From when, for how long the reader takes nothing.
    std::map<std::int64_t, std::int64_t> buffersKept; ///< The same: the program gives no buffer back.
    std::int64_t jitterNs = 0;
};

/// A driver and a program, step by step. What happened to each number is known here; what the record says of it, too.
class PlayedDriver {
public:
    explicit PlayedDriver(FaultPlan plan) : m_plan(std::move(plan))
    {
        m_record.restart();
        m_record.setWhoRan([](std::int64_t) { return "other (7) ran"; });
        for (int i = 0; i < m_plan.buffers; ++i)
            m_record.queued(0);
        m_empty = m_plan.buffers;
    }

    void run(std::uint32_t frames)
    {
        std::mt19937 random(7);
        std::int64_t nextTick = kPlayedPeriodNs;
        for (std::int64_t ns = 0; m_sequence < frames || !m_full.empty(); ns += kPlayedStepNs) {
            if (ns >= nextTick && m_sequence < frames) {
                tick(ns);
                const auto jitter =
                    static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(m_plan.jitterNs + 1));
                nextTick = kPlayedPeriodNs * (std::int64_t{m_sequence} + 1) + jitter;
            }
            giveBack(ns);
            if (!isWithin(m_plan.readerAway, ns))
                read(ns);
        }
    }

    /// By number, what happened and what was said.
    std::map<std::uint64_t, LossCause> truth;
    std::map<std::uint64_t, LostFrames> told;
    std::uint64_t firstIndex = 0; ///< Of the frames that were delivered.
    std::uint64_t lastIndex = 0;

private:
    static bool isWithin(const std::map<std::int64_t, std::int64_t> &stretches, std::int64_t ns)
    {
        return std::any_of(stretches.begin(), stretches.end(), [ns](const auto &stretch) {
            return ns >= stretch.first * kDriverMs && ns < (stretch.first + stretch.second) * kDriverMs;
        });
    }

    void tick(std::int64_t ns)
    {
        const std::uint32_t number = m_sequence++;
        if (m_plan.sensorGaps.count(number) > 0) {
            truth[number] = LossCause::SourceGap;
        } else if (m_empty > 0) {
            --m_empty;
            m_full.push_back({number, ns, 0});
        } else {
            truth[number] = m_full.empty() ? LossCause::NoBuffer : LossCause::LateDequeue;
        }
    }

    void giveBack(std::int64_t ns)
    {
        while (!m_held.empty() && m_held.front() <= ns && !isWithin(m_plan.buffersKept, ns)) {
            m_held.pop_front();
            ++m_empty;
            m_record.queued(ns);
        }
    }

    /// The newest frame is delivered, and older ones go back at once.
    void read(std::int64_t ns)
    {
        const bool any = !m_full.empty();
        while (!m_full.empty()) {
            DriverRecord::Filled filled = m_full.front();
            filled.takenNs = ns;
            m_full.pop_front();
            m_record.taken(filled);
            const ReaderTimes reader{0, ns - m_lastReadNs, true};
            if (m_plan.damaged.count(filled.sequence) > 0) {
                truth[filled.sequence] = LossCause::Damaged;
                m_record.discarded(filled.sequence, LossCause::Damaged, "it is damaged");
            } else if (!m_full.empty()) {
                truth[filled.sequence] = LossCause::LateDequeue;
                m_record.passedOver(filled.sequence, reader);
            } else {
                deliver(filled, reader);
                m_held.push_back(ns + 5 * kDriverMs);
                continue;
            }
            ++m_empty;
            m_record.queued(ns);
        }
        if (any)
            m_lastReadNs = ns;
    }

    void deliver(const DriverRecord::Filled &filled, const ReaderTimes &reader)
    {
        const std::uint64_t lost = filled.sequence - m_delivered - 1;
        const bool isFirst = m_isFirst;
        m_isFirst = false;
        const std::vector<LostFrames> rows =
            m_record.delivered(filled.sequence, filled.sequence, isFirst ? 0 : lost, reader);
        if (!isFirst)
            for (const LostFrames &row : accountedFor(m_delivered + 1, lost, rows, filled.filledNs))
                for (std::uint64_t i = 0; i < row.count; ++i)
                    told[row.first + i] = row;
        m_delivered = filled.sequence;
        firstIndex = isFirst ? m_delivered : firstIndex;
        lastIndex = filled.sequence;
    }

    FaultPlan m_plan;
    DriverRecord m_record;
    int m_empty = 0;
    std::uint32_t m_sequence = 0;
    std::deque<DriverRecord::Filled> m_full;
    std::deque<std::int64_t> m_held;
    std::int64_t m_lastReadNs = 0;
    std::uint64_t m_delivered = 0;
    bool m_isFirst = true;
};

/// Numbers before the first delivered frame and behind the last one are not missing.
std::size_t agreeing(const PlayedDriver &play, std::size_t &missing)
{
    std::size_t right = 0;
    missing = 0;
    for (const auto &[number, cause] : play.truth) {
        if (number < play.firstIndex || number > play.lastIndex)
            continue;
        ++missing;
        const auto told = play.told.find(number);
        right += told != play.told.end() && told->second.cause == cause ? 1 : 0;
    }
    return right;
}

} // namespace

class TestDriverRecord : public QObject {
    Q_OBJECT

private slots:
    void nothingIsMissing();
    void theSensorsOwnGap();
    void theReaderCameLate();
    void whoRanIsSaidWhereAProcessorWasMissing();
    void noBufferWasQueued();
    void damagedFrames();
    void manyFaultsAtOnce();
    void numbersThatTellNothing();
    void aLongGapHasFewRows();
    void everyNumberIsAccountedFor();
    void aFullListLosesNoFrame();
};

void TestDriverRecord::nothingIsMissing()
{
    FaultPlan plan;
    plan.jitterNs = 2 * kDriverMs;
    PlayedDriver play(plan);
    play.run(300);
    QVERIFY(play.truth.empty());
    QVERIFY(play.told.empty());
}

void TestDriverRecord::theSensorsOwnGap()
{
    FaultPlan plan;
    plan.sensorGaps = {40, 41, 90};
    PlayedDriver play(plan);
    play.run(120);
    QCOMPARE(play.told.size(), std::size_t(3));
    QVERIFY(play.told[41].cause == LossCause::SourceGap);
    // 39 and 42 came, three periods apart.
    QVERIFY2(play.told[41].evidence.find("39 to 42") != std::string::npos, play.told[41].evidence.c_str());
    QVERIFY2(play.told[41].evidence.find("99.0 ms") != std::string::npos, play.told[41].evidence.c_str());
}

void TestDriverRecord::theReaderCameLate()
{
    FaultPlan plan;
    plan.readerAway = {{1000, 300}};
    PlayedDriver play(plan);
    play.run(120);
    std::size_t missing = 0;
    QCOMPARE(agreeing(play, missing), missing);
    QVERIFY(missing >= 7); // Of nine periods; the newest is delivered.
    bool isReadyTold = false;
    for (const auto &[number, lost] : play.told)
        isReadyTold = isReadyTold || lost.evidence.find("ready but not scheduled; other (7) ran") != std::string::npos;
    QVERIFY(isReadyTold);
}

void TestDriverRecord::whoRanIsSaidWhereAProcessorWasMissing()
{
    constexpr std::int64_t kLateNs = 90 * kDriverMs;
    std::vector<std::int64_t> asked;
    const auto whoRan = [&asked](std::int64_t sinceNs) {
        asked.push_back(sinceNs);
        return std::string("other (7) ran");
    };
    const auto words = [&](ReaderTimes reader) { return lateWords(kLateNs, reader, whoRan); };
    const std::string late = "the capture thread took none for 90.0 ms";
    const std::int64_t startNs = nowNs();
    QCOMPARE(words({0, 80 * kDriverMs, true}),
             late + "; for 80.0 ms of that it was ready but not scheduled; other (7) ran");
    QCOMPARE(asked.size(), std::size_t{1});
    QVERIFY(asked[0] >= startNs - kLateNs && asked[0] <= nowNs() - kLateNs);
    // It was asleep, or had other things to do, or the kernel does not tell.
    QCOMPARE(words({0, 10 * kDriverMs, true}), late + "; it was asleep, and was not woken");
    QVERIFY(words({80 * kDriverMs, 0, true}).ends_with("kept it"));
    QCOMPARE(words({0, 80 * kDriverMs, false}), late);
    QCOMPARE(asked.size(), std::size_t{1});
    QCOMPARE(lateWords(kLateNs, {0, 80 * kDriverMs, true}),
             late + "; for 80.0 ms of that it was ready but not scheduled");
}

void TestDriverRecord::noBufferWasQueued()
{
    FaultPlan plan;
    plan.buffersKept = {{1000, 400}};
    PlayedDriver play(plan);
    play.run(120);
    std::size_t missing = 0;
    QCOMPARE(agreeing(play, missing), missing);
    QVERIFY(missing >= 6);
    const auto held = std::find_if(play.told.begin(), play.told.end(),
                                   [](const auto &told) { return told.second.cause == LossCause::NoBuffer; });
    QVERIFY(held != play.told.end());
    QVERIFY2(held->second.evidence.find("held all 4") != std::string::npos, held->second.evidence.c_str());
}

void TestDriverRecord::damagedFrames()
{
    FaultPlan plan;
    plan.damaged = {10, 11, 57};
    PlayedDriver play(plan);
    play.run(80);
    QCOMPARE(play.told.size(), std::size_t(3));
    QCOMPARE(QString::fromStdString(play.told[57].evidence), QString("it is damaged"));
}

void TestDriverRecord::manyFaultsAtOnce()
{
    std::size_t allMissing = 0;
    std::size_t allRight = 0;
    for (unsigned seed = 1; seed <= 40; ++seed) {
        std::mt19937 random(seed);
        FaultPlan plan;
        plan.buffers = 2 + static_cast<int>(random() % 5);
        plan.jitterNs = static_cast<std::int64_t>(random() % 4) * kDriverMs;
        for (int i = 0; i < 8; ++i) {
            plan.sensorGaps.insert(static_cast<std::uint32_t>(random() % 600));
            plan.damaged.insert(static_cast<std::uint32_t>(random() % 600));
            plan.readerAway[static_cast<std::int64_t>(random() % 18'000)] =
                static_cast<std::int64_t>(20 + random() % 300);
            plan.buffersKept[static_cast<std::int64_t>(random() % 18'000)] =
                static_cast<std::int64_t>(20 + random() % 300);
        }
        PlayedDriver play(plan);
        play.run(600);
        std::size_t missing = 0;
        allRight += agreeing(play, missing);
        allMissing += missing;
        QCOMPARE(play.told.size(), missing); // One cause each, for these and no others.
    }
    QVERIFY(allMissing > 2000);
    qInfo("%zu of %zu missing frames have the cause that was planted", allRight, allMissing);
    QVERIFY2(allRight * 100 >= allMissing * 95, qPrintable(QString("%1 of %2").arg(allRight).arg(allMissing)));
}

/// A driver that counts nothing, or starts anew: no gap of the source, and nothing said of one.
void TestDriverRecord::numbersThatTellNothing()
{
    DriverRecord record;
    record.restart();
    record.queued(0);
    record.queued(0);
    for (std::uint64_t i = 0; i < 20; ++i) {
        const std::int64_t ns = static_cast<std::int64_t>(i + 1) * kPlayedPeriodNs;
        record.taken({0, ns, ns});
        QVERIFY(record.delivered(0, i, 0, {}).empty());
        record.queued(ns);
    }
    record.taken({4'000'000'000U, 30 * kPlayedPeriodNs, 30 * kPlayedPeriodNs});
    QVERIFY(record.delivered(4'000'000'000U, 20, 0, {}).empty());
    QVERIFY(record.delivered(17, 21, 5, {}).empty()); // Never taken.
}

void TestDriverRecord::aLongGapHasFewRows()
{
    DriverRecord record;
    record.restart();
    for (int i = 0; i < 4; ++i)
        record.queued(0);
    record.taken({1, kPlayedPeriodNs, kPlayedPeriodNs});
    QVERIFY(record.delivered(1, 0, 0, {}).empty());
    record.taken({9'001, 9'001 * kPlayedPeriodNs, 9'001 * kPlayedPeriodNs});
    const std::vector<LostFrames> rows = record.delivered(9'001, 9'000, 8'999, {});
    std::uint64_t sum = 0;
    for (const LostFrames &row : rows)
        sum += row.count;
    QCOMPARE(sum, std::uint64_t(8'999));
    QCOMPARE(rows.front().first, std::uint64_t(1));
    QVERIFY(rows.size() < 70);
}

void TestDriverRecord::everyNumberIsAccountedFor()
{
    const std::vector<LostFrames> told = {{3, 2, LossCause::Damaged, 1, "a"},
                                          {4, 4, LossCause::LateDequeue, 2, "b"},
                                          {12, 50, LossCause::NoBuffer, 3, "c"}};
    const std::vector<LostFrames> rows = accountedFor(2, 13, told, 9);
    std::uint64_t next = 2;
    for (const LostFrames &row : rows) {
        QCOMPARE(row.first, next);
        next += row.count;
    }
    QCOMPARE(next, std::uint64_t(15));
    QVERIFY(rows.front().cause == LossCause::SourceGap);
    QVERIFY(rows.back().cause == LossCause::NoBuffer && rows.back().count == 3);
    QVERIFY(accountedFor(5, 0, told, 0).empty());
}

void TestDriverRecord::aFullListLosesNoFrame()
{
    std::vector<LostFrames> rows;
    LossCounts counts;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        const LostFrames lost{3 * i, 1 + i % 2, i % 3 == 0 ? LossCause::Overtaken : LossCause::Damaged, 0, "x"};
        counts.add(lost);
        append(rows, lost, 10);
    }
    LossCounts kept;
    for (const LostFrames &row : rows)
        kept.add(row);
    QCOMPARE(kept, counts);
    QCOMPARE(rows.size(), std::size_t(10));
    append(rows, {9999, 1, LossCause::NotShown, 0, "y"}, 10);
    QCOMPARE(rows.size(), std::size_t(11)); // The first of a cause has a row whatever happens.
}

JETSCOPE_TEST(TestDriverRecord)
#include "tst_driverrecord.moc"
