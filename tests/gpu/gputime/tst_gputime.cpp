// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Processing of device times, without a device: stream order, bounds for untimed work, clocks that drift and step,
// invalid stamps.
#include "core/time/clock.h"
#include "gpu/base/pieceorder.h"
#include "gpu/gputime/deviceclock.h"
#include "gpu/gputime/sources.h"
#include "gpu/gputime/worklane.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <map>
#include <random>

using namespace jetscope;

namespace {

constexpr LaneId kLane = 3;

NameId kernelName()
{
    return internName("blur", Category::Kernel);
}

NameId copyName()
{
    return internName("copy to device", Category::Copy);
}

GpuItem itemAt(std::int64_t submitNs, std::uint32_t frame, NameId name = kernelName())
{
    GpuItem item;
    item.name = name;
    item.frame = frame;
    item.submitNs = submitNs;
    return item;
}

void setTime(GpuItem &item, std::int64_t startNs, std::int64_t endNs)
{
    item.time = {startNs, endNs};
    item.state = GpuItem::State::Timed;
}

std::vector<Span> take(WorkLane &lane)
{
    std::vector<Span> spans;
    lane.takeSpans(spans);
    return spans;
}

/// A device with a simulated clock, whose kernels write given stamps.
class FakeStamps final : public KernelStamps {
public:
    struct Behaviour {
        std::int64_t stepNs = 32;
        std::int64_t unseenNs = 0;
        double rate = 1;                                       ///< Rate of the device's clock.
        std::int64_t offsetNs = 7'000'000'000'000'000'000 / 4; ///< Years, as for a clock that counts since 1970.
        bool answers = true;
        bool fetches = true;
    };

    FakeStamps(std::size_t count, Behaviour &behaviour)
        : KernelStamps(count, behaviour.stepNs, behaviour.unseenNs),
          m_behaviour(behaviour),
          m_slots(count),
          m_fetched(count)
    {
    }

    std::uint64_t deviceNs(std::int64_t hostNs) const
    {
        const auto ran = static_cast<std::int64_t>(static_cast<double>(hostNs - m_originNs) * m_behaviour.rate);
        const std::int64_t ns = m_behaviour.offsetNs + m_originNs + ran;
        return static_cast<std::uint64_t>(ns - ns % m_behaviour.stepNs);
    }
    void write(void *slot, KernelTimes times) { *static_cast<KernelTimes *>(slot) = times; }

    void *slot(std::size_t index) override { return &m_slots[index]; }
    Status fetch(std::size_t first, std::size_t count) override
    {
        for (std::size_t i = 0; i < count; ++i)
            m_fetched[(first + i) % slotCount()] = m_slots[(first + i) % slotCount()];
        return {};
    }
    Result<bool> fetched() override { return m_behaviour.fetches; }
    KernelTimes times(std::size_t index) const override { return m_fetched[index]; }
    Result<std::vector<ClockSample>> sampleClock() override
    {
        std::vector<ClockSample> samples;
        for (int i = 0; m_behaviour.answers && i < 5; ++i) {
            const std::int64_t before = nowNs();
            const std::uint64_t device = deviceNs(nowNs());
            samples.push_back({before, nowNs(), device});
        }
        return samples;
    }

private:
    Behaviour &m_behaviour;
    const std::int64_t m_originNs = nowNs();
    std::vector<KernelTimes> m_slots;
    std::vector<KernelTimes> m_fetched;
};

class FakeStream final : public Stream {};

} // namespace

class TestGpuTime : public QObject {
    Q_OBJECT

private slots:
    void timedWorkComesExactAndInOrder()
    {
        WorkLane lane(kLane);
        GpuItem &first = lane.push(itemAt(100, 0));
        GpuItem &second = lane.push(itemAt(110, 0));
        setTime(second, 400, 500);
        QVERIFY(take(lane).empty()); // The first may still be timed.
        QCOMPARE(lane.nothingBeforeNs(), std::int64_t{100});
        setTime(first, 200, 410); // The step of the clock makes neighbours overlap.
        const std::vector<Span> spans = take(lane);
        QCOMPARE(spans.size(), std::size_t{2});
        QCOMPARE(spans[0].startNs, std::int64_t{200});
        QCOMPARE(spans[0].endNs(), std::int64_t{410});
        QCOMPARE(spans[1].startNs, std::int64_t{410});
        QCOMPARE(spans[1].endNs(), std::int64_t{500});
        for (const Span &span : spans) {
            QCOMPARE(span.lane, kLane);
            QCOMPARE(spanCertainty(span.name), Certainty::Exact);
            QCOMPARE(span.depth, std::uint8_t{0});
        }
        QVERIFY(lane.empty());
    }

    void aCopyLiesBetweenWhatIsTimedAroundIt()
    {
        WorkLane lane(kLane);
        setTime(lane.push(itemAt(90, 0)), 100, 300);
        lane.push(itemAt(200, 1, copyName())).state = GpuItem::State::Untimed;
        GpuItem &kernel = lane.push(itemAt(210, 1));
        QCOMPARE(take(lane).size(), std::size_t{1});
        lane.completed(1, 900);
        QVERIFY(take(lane).empty()); // The kernel's start may be the tighter bound.
        setTime(kernel, 450, 600);
        const std::vector<Span> spans = take(lane);
        QCOMPARE(spans.size(), std::size_t{2});
        QCOMPARE(spanCertainty(spans[0].name), Certainty::Bounded);
        QCOMPARE(spanName(spans[0].name), spanName(copyName()));
        QCOMPARE(spans[0].startNs, std::int64_t{300}); // The end of the work before it.
        QCOMPARE(spans[0].endNs(), std::int64_t{450}); // The first known time after it.
        QCOMPARE(spanCertainty(spans[1].name), Certainty::Exact);
    }

    void whatStampsDoNotSeeFollowsTheKernelAsBoundedWork()
    {
        constexpr std::int64_t kUnseenNs = 20;
        WorkLane lane(kLane, kUnseenNs);
        GpuItem &first = lane.push(itemAt(90, 0));
        GpuItem &second = lane.push(itemAt(91, 0));
        GpuItem &third = lane.push(itemAt(92, 0));
        GpuItem &copy = lane.push(itemAt(93, 0, copyName()));
        first.isKernel = second.isKernel = third.isKernel = true;
        setTime(first, 100, 200);
        QCOMPARE(take(lane).size(), std::size_t{1});
        QCOMPARE(lane.nothingBeforeNs(), std::int64_t{200}); // Its launch and end have no span yet.
        setTime(second, 205, 300);                           // Sooner than the launch and end take at most.
        setTime(third, 350, 400);
        std::vector<Span> spans = take(lane);
        QCOMPARE(spans.size(), std::size_t{4});
        const auto isUnseen = [](const Span &span, std::int64_t startNs, std::int64_t endNs) {
            return spanCertainty(span.name) == Certainty::Bounded && span.startNs == startNs && span.endNs() == endNs
                && span.frame == 0 && span.lane == kLane;
        };
        QVERIFY(isUnseen(spans[0], 200, 205));
        QVERIFY(isUnseen(spans[2], 300, 320));
        QCOMPARE(spanCertainty(spans[3].name), Certainty::Exact);
        copy.state = GpuItem::State::Untimed;
        lane.completedAll(500);
        spans = take(lane);
        QCOMPARE(spans.size(), std::size_t{1}); // The copy's own bounds begin with the end of the kernel.
        QVERIFY(isUnseen(spans[0], 400, 500));
        GpuItem &last = lane.push(itemAt(600, 0));
        last.isKernel = true;
        setTime(last, 610, 700);
        spans = take(lane);
        QCOMPARE(spans.size(), std::size_t{2}); // Nothing else was submitted.
        QVERIFY(isUnseen(spans[1], 700, 720));
    }

    void withoutAnyTimeWorkLiesBetweenSubmissionAndCompletion()
    {
        WorkLane lane(kLane);
        lane.push(itemAt(100, 0, copyName())).state = GpuItem::State::Untimed;
        lane.push(itemAt(120, 0)).state = GpuItem::State::Untimed;
        lane.push(itemAt(300, 1)).state = GpuItem::State::Untimed;
        QVERIFY(take(lane).empty());
        lane.completed(0, 500);
        const std::vector<Span> spans = take(lane);
        QCOMPARE(spans.size(), std::size_t{2});
        QCOMPARE(spans[0].startNs, std::int64_t{100});
        QCOMPARE(spans[0].endNs(), std::int64_t{500});
        QCOMPARE(spans[1].startNs, std::int64_t{120});
        QCOMPARE(spans[1].endNs(), std::int64_t{500});
        QVERIFY(spans[0].depth != spans[1].depth); // Spans of one depth never overlap.
        lane.completedAll(700);
        const std::vector<Span> last = take(lane);
        QCOMPARE(last.size(), std::size_t{1});
        QCOMPARE(last[0].startNs, std::int64_t{300});
        QCOMPARE(last[0].endNs(), std::int64_t{700});
    }

    /// A renewed anchor moves times, and bounds with them. There are few depths, and the returned spans stay in order.
    void spansOfOneDepthNeverOverlap()
    {
        std::mt19937 random(11);
        const auto upTo = [&](int most) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(most + 1));
        };
        for (int round = 0; round < 300; ++round) {
            WorkLane lane(kLane);
            std::map<int, std::int64_t> ends;
            std::int64_t ns = 1000;
            for (std::uint32_t frame = 0; frame < 40; ++frame) {
                for (std::int64_t i = 0; i <= upTo(6); ++i) {
                    ns += upTo(5);
                    GpuItem &item = lane.push(itemAt(ns, frame));
                    item.state = GpuItem::State::Untimed;
                    const std::int64_t start = ns + upTo(200) - 100;
                    if (random() % 4 == 0)
                        setTime(item, start, start + upTo(100));
                }
                if (frame >= 3)
                    lane.completed(frame - 3, ns);
                for (const Span &span : take(lane)) {
                    const auto before = ends.find(span.depth);
                    QVERIFY(span.durationNs >= 0 && (before == ends.end() || span.startNs >= before->second));
                    ends[span.depth] = span.endNs();
                }
            }
            QVERIFY(!ends.empty());
        }
    }

    void piecesLieBehindEachOther()
    {
        PieceOrder order;
        const auto isAt = [](Interval time, std::int64_t startNs, std::int64_t endNs) {
            return time.startNs == startNs && time.endNs == endNs;
        };
        QVERIFY(isAt(order.place(-5, 10), -5, 10));
        QVERIFY(isAt(order.place(12, 20), 12, 20));
        QVERIFY(isAt(order.place(18, 25), 20, 25));
        QVERIFY(isAt(order.place(18, 22), 25, 25)); // It ends before the end of the last one.
        QVERIFY(isAt(order.place(30, 28), 30, 30));
        QCOMPARE(order.endNs(), std::int64_t{30});
    }

    /// In all cases: no span begins before its work was submitted, timed work has its measured times, bounded work is
    /// within its bounds, and spans of one depth are in order.
    void bruteForce()
    {
        std::mt19937 random(7);
        const auto upTo = [&](int most) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(most + 1));
        };
        for (int round = 0; round < 300; ++round) {
            WorkLane lane(kLane);
            std::vector<Interval> truth;
            std::vector<bool> timed;
            std::vector<Span> spans;
            std::int64_t ns = 1000;
            std::int64_t ended = 0;
            for (std::uint32_t frame = 0; frame < 12; ++frame) {
                std::vector<GpuItem *> items;
                for (std::int64_t i = 0; i <= upTo(3); ++i) {
                    ns += upTo(20);
                    items.push_back(&lane.push(itemAt(ns, frame)));
                    const std::int64_t start = std::max(ns, ended) + upTo(30);
                    ended = start + upTo(60);
                    truth.push_back({start, ended});
                    timed.push_back(random() % 2 == 0);
                }
                for (std::size_t i = 0; i < items.size(); ++i) {
                    const std::size_t at = truth.size() - items.size() + i;
                    if (timed[at])
                        setTime(*items[i], truth[at].startNs, truth[at].endNs);
                    else
                        items[i]->state = GpuItem::State::Untimed;
                }
                if (random() % 3 > 0) {
                    ns = std::max(ns, ended) + upTo(40);
                    lane.completed(frame, ns);
                }
                lane.takeSpans(spans);
            }
            lane.completedAll(std::max(ns, ended));
            lane.takeSpans(spans);
            QCOMPARE(spans.size(), truth.size());
            std::map<int, std::int64_t> lastEnd;
            for (std::size_t i = 0; i < spans.size(); ++i) {
                const Span &span = spans[i];
                if (timed[i]) {
                    QCOMPARE(span.startNs, truth[i].startNs);
                    QCOMPARE(span.endNs(), truth[i].endNs);
                } else {
                    QVERIFY(span.startNs <= truth[i].startNs || span.depth == 3);
                    QVERIFY(span.endNs() >= truth[i].endNs);
                }
                QVERIFY(span.startNs >= lastEnd[span.depth]);
                lastEnd[span.depth] = span.endNs();
            }
        }
    }

    void aClockThatDriftsIsFollowed()
    {
        // 200 ppm: a fifth of a millisecond per second.
        const auto device = [](std::int64_t hostNs) {
            return static_cast<std::uint64_t>(1'700'000'000'000'000'000 + hostNs + hostNs / 5000);
        };
        DeviceClock clock;
        for (std::int64_t second = 1; second <= 12; ++second) {
            std::vector<ClockSample> samples;
            for (std::int64_t latency : {9000, 4000, 6000}) {
                const std::int64_t ns = second * 1'000'000'000;
                samples.push_back({ns - latency, ns + 1500, device(ns)});
            }
            clock.addMoment(samples);
            if (second < 3)
                continue;
            QVERIFY(clock.uncertaintyNs() <= 3000);
            for (std::int64_t ms : {-900, -500, 0, 500, 900}) {
                const std::int64_t ns = second * 1'000'000'000 + ms * 1'000'000;
                QVERIFY(std::abs(clock.hostNs(device(ns)) - ns) <= clock.uncertaintyNs() + 1000);
            }
        }
    }

    void oneMomentDoesNotMakeADrift()
    {
        DeviceClock clock;
        clock.addMoment(std::array{ClockSample{100, 200, 50}});
        clock.addMoment({});
        clock.addMoment(std::array{ClockSample{1100, 3200, 1050}}); // A thousand nanoseconds later, with a poor sample.
        QCOMPARE(clock.hostNs(2050), std::int64_t{2050 + 50 + (2150 - 50) / 2});
    }

    void stampsBecomeTimes_data()
    {
        QTest::addColumn<qint64>("stepNs");
        QTest::addColumn<double>("rate");
        QTest::newRow("fine clock") << qint64{32} << 1.0;
        QTest::newRow("clock of 1 us") << qint64{1000} << 1.0;
        QTest::newRow("clock that drifts") << qint64{1} << 1.0002;
    }
    void stampsBecomeTimes()
    {
        QFETCH(qint64, stepNs);
        QFETCH(double, rate);
        FakeStamps::Behaviour behaviour;
        behaviour.stepNs = stepNs;
        behaviour.rate = rate;
        auto owned = std::make_unique<FakeStamps>(8, behaviour);
        FakeStamps &stamps = *owned;
        auto source = newStampedTimes(std::move(owned));
        QVERIFY(source.ok());
        FakeStream stream;
        WorkLane lane(kLane);
        for (std::uint32_t frame = 0; frame < 40; ++frame) {
            GpuItem &item = lane.push(itemAt(nowNs(), frame));
            void *slot = source.value()->kernel(stream, item);
            QVERIFY(slot);
            QVERIFY(source.value()->end(stream, item).ok());
            const std::int64_t start = nowNs() + 20'000;
            const std::int64_t end = start + 150'000;
            while (nowNs() < end) {}
            stamps.write(slot, {stamps.deviceNs(start), stamps.deviceNs(end)});
            lane.completed(frame, nowNs());
            QVERIFY(source.value()->finish().ok());
            QCOMPARE(item.state, GpuItem::State::Timed);
            const std::int64_t uncertainty = source.value()->uncertaintyNs() + 2000;
            QVERIFY2(std::abs(item.time.startNs - start) <= uncertainty,
                     qPrintable(QString::number(item.time.startNs - start)));
            QVERIFY(std::abs((item.time.endNs - item.time.startNs) - 150'000) <= 2 * stepNs + 100);
            QVERIFY(item.time.startNs >= item.submitNs);
            take(lane);
        }
    }

    void stampsThatMakeNoSenseGiveBounds()
    {
        FakeStamps::Behaviour behaviour;
        auto owned = std::make_unique<FakeStamps>(8, behaviour);
        FakeStamps &stamps = *owned;
        auto source = newStampedTimes(std::move(owned));
        QVERIFY(source.ok());
        FakeStream stream;
        const std::int64_t now = nowNs();
        const std::vector<KernelTimes> odd = {
            {0, 0},                                                           // Never written.
            {stamps.deviceNs(now + 2'000), stamps.deviceNs(now - 5'000'000)}, // Ended before it began.
            {stamps.deviceNs(now - 9'000'000), stamps.deviceNs(now)},         // Began long before it was submitted.
            {stamps.deviceNs(now + 1'000),
             stamps.deviceNs(now + 900'000'000)}, // Ended long after it was seen complete.
        };
        WorkLane lane(kLane);
        for (const KernelTimes &times : odd) {
            GpuItem &item = lane.push(itemAt(nowNs(), 0));
            stamps.write(source.value()->kernel(stream, item), times);
            QVERIFY(source.value()->end(stream, item).ok());
        }
        lane.completed(0, nowNs());
        QVERIFY(source.value()->finish().ok());
        const std::vector<Span> spans = take(lane);
        QCOMPARE(spans.size(), odd.size());
        for (const Span &span : spans)
            QCOMPARE(spanCertainty(span.name), Certainty::Bounded);
    }

    void moreKernelsThanSlotsGiveBounds()
    {
        FakeStamps::Behaviour behaviour;
        auto source = newStampedTimes(std::make_unique<FakeStamps>(4, behaviour));
        QVERIFY(source.ok());
        FakeStream stream;
        WorkLane lane(kLane);
        for (int i = 0; i < 6; ++i) {
            GpuItem &item = lane.push(itemAt(nowNs(), 0));
            QCOMPARE(source.value()->kernel(stream, item) != nullptr, i < 4);
            QVERIFY(source.value()->end(stream, item).ok());
            QCOMPARE(item.state, i < 4 ? GpuItem::State::Pending : GpuItem::State::Untimed);
        }
        lane.completed(0, nowNs());
        QVERIFY(source.value()->finish().ok());
        QCOMPARE(take(lane).size(), std::size_t{6});
    }

    /// The kernel of a launch that failed belongs to no frame that is ever seen complete.
    void anAbandonedStampHoldsUpNoOther()
    {
        FakeStamps::Behaviour behaviour;
        auto owned = std::make_unique<FakeStamps>(256, behaviour);
        FakeStamps &stamps = *owned;
        auto source = newStampedTimes(std::move(owned));
        QVERIFY(source.ok());
        FakeStream stream;
        WorkLane failed(kLane);
        GpuItem &abandoned = failed.push(itemAt(nowNs(), 0));
        QVERIFY(source.value()->kernel(stream, abandoned));
        source.value()->abandon(abandoned);
        QCOMPARE(abandoned.state, GpuItem::State::Untimed);
        WorkLane lane(kLane);
        std::size_t timed = 0;
        for (std::uint32_t frame = 1; frame <= 200; ++frame) {
            GpuItem &item = lane.push(itemAt(nowNs(), frame));
            const std::int64_t start = nowNs();
            stamps.write(source.value()->kernel(stream, item), {stamps.deviceNs(start), stamps.deviceNs(nowNs())});
            QVERIFY(source.value()->end(stream, item).ok());
            lane.completed(frame, nowNs());
            QVERIFY(source.value()->collect().ok());
            timed += take(lane).size();
        }
        QVERIFY(timed > 0);
    }

    void aFetchThatNeverArrivesEndsInBounds()
    {
        FakeStamps::Behaviour behaviour;
        auto owned = std::make_unique<FakeStamps>(4, behaviour);
        auto source = newStampedTimes(std::move(owned));
        QVERIFY(source.ok());
        FakeStream stream;
        WorkLane lane(kLane);
        GpuItem &item = lane.push(itemAt(nowNs(), 0));
        source.value()->kernel(stream, item);
        QVERIFY(source.value()->end(stream, item).ok());
        lane.completed(0, nowNs());
        behaviour.fetches = false;
        behaviour.answers = false;
        QVERIFY(source.value()->finish().ok());
        QCOMPARE(item.state, GpuItem::State::Untimed);
    }
};

JETSCOPE_TEST(TestGpuTime)
#include "tst_gputime.moc"
