// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/frameperiods.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;
using namespace jetscope::test;

namespace {

/// Unsorted: frames of one thread, and fewer others, on the device or with a worse sign.
std::vector<FrameCandidate> manyCandidates(std::size_t frames)
{
    std::vector<FrameCandidate> candidates;
    for (std::size_t i = 0; i < frames; ++i) {
        const auto at = static_cast<std::int64_t>(i) * 100;
        candidates.push_back({"Frame " + std::to_string(i), 7, {at, at + 60}, false, FrameSign::SaysFrame, false});
        if (i % 3 == 0) {
            candidates.push_back(
                {"other frame " + std::to_string(i), 7, {at, at + 20}, false, FrameSign::SaysFrame, false});
            candidates.push_back({"Frame " + std::to_string(i), 8, {at, at + 20}, false, FrameSign::SaysFrame, true});
            candidates.push_back({"work", 9, {at, at + 90}, false, FrameSign::Outermost, false});
        }
    }
    std::shuffle(candidates.begin(), candidates.end(), std::mt19937(5));
    return candidates;
}

} // namespace

class TestFramePeriods : public QObject {
    Q_OBJECT
private slots:
    void findsTheLargestGroupOfTheBestSign();
    void canBeCancelled();
    void nothingIsNoFrame();
};

void TestFramePeriods::findsTheLargestGroupOfTheBestSign()
{
    NoProgress nobody;
    const auto found = findFrames(manyCandidates(1000), 1'000'000, nobody, 0.5);
    QVERIFY(found.has_value());
    QCOMPARE(found->periods.size(), std::size_t(1000));
    QCOMPARE(found->thread, std::uint64_t(7));
    QCOMPARE(found->name, std::string("Frame"));
    for (std::size_t i = 0; i < found->periods.size(); ++i) {
        QCOMPARE(found->periods[i].frame, static_cast<std::uint32_t>(i));
        QCOMPARE(found->periods[i].time.startNs, static_cast<std::int64_t>(i) * 100);
        QCOMPARE(found->periods[i].time.endNs, static_cast<std::int64_t>(i) * 100 + 60);
    }
}

/// At any point: the longest delay of a cancellation is one merge of a sort.
void TestFramePeriods::canBeCancelled()
{
    const std::vector<FrameCandidate> candidates = manyCandidates(150'000);
    Watcher whole;
    QVERIFY(findFrames(candidates, 0, whole, 0.25).has_value());
    QCOMPARE(whole.last, 0.25);
    Watcher counts(1 << 20);
    QVERIFY(findFrames(candidates, 0, counts, 0.25).has_value());
    QVERIFY2(counts.calls > 2 * static_cast<int>(candidates.size() >> 14), qPrintable(QString::number(counts.calls)));
    for (int calls = 0; calls < counts.calls; ++calls) {
        Watcher watcher(calls);
        QVERIFY(!findFrames(candidates, 0, watcher, 0.25).has_value());
        QCOMPARE(watcher.calls, calls + 1);
    }
}

void TestFramePeriods::nothingIsNoFrame()
{
    NoProgress nobody;
    const auto found = findFrames({}, 5, nobody, 0);
    QVERIFY(found && found->periods.empty());
}

JETSCOPE_TEST(TestFramePeriods)
#include "tst_frameperiods.moc"
