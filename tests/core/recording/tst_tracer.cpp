// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <atomic>
#include <limits>
#include <string>
#include <thread>

using namespace jetscope;

namespace {

Span numbered(std::uint64_t number)
{
    Span span;
    span.startNs = static_cast<std::int64_t>(number);
    span.durationNs = static_cast<std::int64_t>(number * 3);
    return span;
}

std::vector<Span> collected(Tracer &tracer)
{
    std::vector<Span> spans;
    tracer.collect(spans);
    return spans;
}

} // namespace

class TestTracer : public QObject {
    Q_OBJECT

    const NameId m_outer = internName("outer", Category::Submit);
    const NameId m_inner = internName("inner", Category::WaitSync);

private slots:
    void aFullRingDropsAndCounts()
    {
        SpanRing ring;
        for (std::uint64_t i = 0; i < SpanRing::kCapacity + 5; ++i)
            ring.push(numbered(i));
        QCOMPARE(ring.lost(), std::uint64_t{5});
        std::vector<Span> spans;
        ring.drain(spans);
        QCOMPARE(spans.size(), SpanRing::kCapacity);
        QCOMPARE(spans.back().startNs, static_cast<std::int64_t>(SpanRing::kCapacity - 1)); // The newest are dropped.
        ring.push(numbered(77));
        spans.clear();
        ring.drain(spans);
        QCOMPARE(spans.size(), std::size_t{1});
        QCOMPARE(spans[0].startNs, std::int64_t{77});
        QCOMPARE(ring.lost(), std::uint64_t{5});
    }

    void aRingLosesNothingUncountedBetweenTwoThreads()
    {
        SpanRing ring;
        constexpr std::uint64_t kSpans = 400'000;
        std::atomic<bool> done{false};
        std::thread producer([&] {
            for (std::uint64_t i = 0; i < kSpans; ++i)
                ring.push(numbered(i));
            done = true;
        });
        std::uint64_t got = 0;
        std::int64_t last = -1;
        bool whole = true;
        std::vector<Span> spans;
        for (bool more = true; more;) {
            more = !done; // Read before the drain, so that the last drain follows the last push.
            spans.clear();
            ring.drain(spans);
            got += spans.size();
            for (const Span &span : spans) {
                whole = whole && span.startNs > last && span.durationNs == span.startNs * 3;
                last = span.startNs;
            }
        }
        producer.join();
        QVERIFY(whole);
        QCOMPARE(got + ring.lost(), kSpans);
        QVERIFY(got >= SpanRing::kCapacity);
    }

    void scopesRecordNestingTimeAndBytes()
    {
        Tracer tracer;
        const ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline", "thread");
        const std::int64_t before = nowNs();
        {
            const SpanScope outer(m_outer, 5);
            {
                SpanScope inner(m_inner, 5);
                inner.setBytes(std::numeric_limits<std::uint64_t>::max());
                inner.setFrame(6);
            }
            SpanScope discarded(m_inner);
            discarded.discard();
        }
        {
            const SpanScope next(m_outer);
        }
        const std::vector<Span> spans = collected(tracer);
        QCOMPARE(spans.size(), std::size_t{3});
        const Span &inner = spans[0];
        const Span &outer = spans[1];
        QCOMPARE(inner.depth, std::uint8_t{1});
        QCOMPARE(outer.depth, std::uint8_t{0});
        QCOMPARE(spans[2].depth, std::uint8_t{0});
        QCOMPARE(inner.frame, 6u);
        QCOMPARE(outer.frame, 5u);
        QCOMPARE(spans[2].frame, kNoFrame);
        QCOMPARE(inner.bytes, std::numeric_limits<std::uint32_t>::max()); // Saturated
        QCOMPARE(inner.lane, recorder.lane());
        QCOMPARE(spanName(inner.name), std::string("inner"));
        QVERIFY(before <= outer.startNs && outer.startNs <= inner.startNs);
        QVERIFY(inner.durationNs >= 0 && inner.endNs() <= outer.endNs() && outer.endNs() <= nowNs());
        QVERIFY(collected(tracer).empty());
    }

    void withoutARecorderNothingIsRecorded()
    {
        QVERIFY(!ThreadRecorder::current());
        SpanScope scope(m_outer);
        scope.setBytes(1);
        Tracer tracer;
        {
            const ThreadRecorder recorder(tracer, LaneRole::Tool, "Tool");
            QVERIFY(ThreadRecorder::current() == &recorder);
        }
        QVERIFY(!ThreadRecorder::current());
        QVERIFY(collected(tracer).empty());
    }

    void lanesAreFoundByRoleNameAndDetail()
    {
        Tracer tracer;
        const LaneId stream = tracer.lane(LaneRole::DeviceStream, "CUDA stream 0", "GPU · events");
        QCOMPARE(tracer.lane(LaneRole::DeviceStream, "CUDA stream 0", "GPU · events"), stream);
        QVERIFY(tracer.lane(LaneRole::DeviceStream, "CUDA stream 1") != stream);
        QVERIFY(tracer.lane(LaneRole::GlQueue, "CUDA stream 0", "GPU · events") != stream);
        // Times from another source belong to another lane.
        QVERIFY(tracer.lane(LaneRole::DeviceStream, "CUDA stream 0", "GPU · cupti") != stream);
        const auto lanes = tracer.lanes();
        QCOMPARE(lanes.size(), std::size_t{4});
        for (LaneId id = 0; id < lanes.size(); ++id)
            QCOMPARE(lanes[id].id, id);
        QCOMPARE(lanes[stream].detail, std::string("GPU · events"));
    }

    void aThreadMayRecordForADevice()
    {
        Tracer tracer;
        const LaneId stream = tracer.lane(LaneRole::DeviceStream, "CUDA stream 0");
        ThreadRecorder recorder(tracer, LaneRole::Pipeline, "Pipeline");
        Span span = numbered(9);
        span.lane = stream;
        recorder.record(span);
        QCOMPARE(collected(tracer).at(0).lane, stream);
    }

    void spansOfThreadsThatEndedAreKeptAndLossesCounted()
    {
        Tracer tracer;
        for (int round = 0; round < 3; ++round)
            std::thread([&] {
                const ThreadRecorder recorder(tracer, LaneRole::CpuStage, "CPU stage");
                for (std::uint64_t i = 0; i < SpanRing::kCapacity + 2; ++i)
                    const SpanScope scope(m_outer);
            }).join();
        QCOMPARE(tracer.lanes().size(), std::size_t{1}); // The existing lane is reused for each thread.
        QCOMPARE(tracer.lost(), std::uint64_t{6});
        QCOMPARE(collected(tracer).size(), 3 * SpanRing::kCapacity);
        QCOMPARE(tracer.lost(), std::uint64_t{6});
        QVERIFY(collected(tracer).empty());
    }

    void threadsRecordWhileAnotherCollects()
    {
        Tracer tracer;
        constexpr std::uint32_t kSpans = 60'000;
        constexpr int kThreads = 3;
        std::atomic<int> running{kThreads};
        std::vector<std::thread> threads;
        for (int t = 0; t < kThreads; ++t)
            threads.emplace_back([&, t] {
                {
                    const ThreadRecorder recorder(tracer, LaneRole::Tool, "Thread " + std::to_string(t));
                    for (std::uint32_t i = 0; i < kSpans; ++i)
                        const SpanScope scope(m_outer, i);
                }
                --running;
            });
        std::vector<Span> spans;
        for (bool more = true; more;) {
            more = running > 0;
            tracer.collect(spans);
        }
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(spans.size() + tracer.lost(), std::uint64_t{kThreads} * kSpans);
        std::vector<std::int64_t> next(kThreads, -1);
        for (const Span &span : spans) {
            QVERIFY(static_cast<std::int64_t>(span.frame) > next.at(span.lane)); // In order on each lane.
            next.at(span.lane) = span.frame;
        }
    }

    void aTracerThatIsOffRecordsNothing()
    {
        Tracer tracer(Tracer::Recording::Off);
        const ThreadRecorder recorder(tracer, LaneRole::Tool, "off");
        QVERIFY(!ThreadRecorder::current());
        {
            const SpanScope span(internName("unseen", Category::Tool));
        }
        std::vector<Span> spans;
        tracer.collect(spans);
        QVERIFY(spans.empty());
    }

    void aThreadsSuccessorComesBehindIt()
    {
        Tracer tracer;
        const auto record = [&](std::int64_t startNs) {
            const ThreadRecorder recorder(tracer, LaneRole::Capture, "Capture");
            ThreadRecorder::current()->record(numbered(static_cast<std::uint64_t>(startNs)));
        };
        record(1);
        record(2);
        const ThreadRecorder last(tracer, LaneRole::Capture, "Capture"); // Its thread is still running.
        ThreadRecorder::current()->record(numbered(3));
        const std::vector<Span> spans = collected(tracer);
        QCOMPARE(spans.size(), std::size_t{3});
        for (std::size_t i = 0; i < spans.size(); ++i)
            QCOMPARE(spans[i].startNs, static_cast<std::int64_t>(i + 1));
    }

    void anObserverHearsOfEveryBeginAndEnd()
    {
        static std::string heard;
        static constexpr SpanObserver kObserver{
            [](NameId name, std::uint32_t) { heard += spanName(name) + "("; }, [] { heard += ")"; },
            [](std::uint32_t frame) { heard += frame == kNoFrame ? "|" : "|" + std::to_string(frame) + ":"; }};
        heard.clear();
        Tracer tracer;
        observeSpans(&kObserver);
        observeFrame(1); // Ignored on a thread without a recorder.
        observeSpans(nullptr);
        const ThreadRecorder recorder(tracer, LaneRole::Tool, "observed");
        {
            const SpanScope before(internName("before", Category::Tool));
            observeSpans(&kObserver); // Only spans that begin from now on are observed.
        }
        {
            observeFrame(7);
            const SpanScope outer(internName("outer", Category::Tool));
            SpanScope inner(internName("inner", Category::Tool));
            inner.discard();
        }
        observeFrame(kNoFrame);
        observeSpans(nullptr);
        observeFrame(8);
        {
            const SpanScope after(internName("after", Category::Tool));
        }
        QCOMPARE(heard, std::string("|7:outer(inner())|"));
    }
};

JETSCOPE_TEST(TestTracer)
#include "tst_tracer.moc"
