// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/waitcauses.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <array>

using namespace jetscope;
using namespace jetscope::test;

namespace {

struct TickSides {
    std::array<bool, kTicks> busy[kRoles.size()] = {};
    std::array<bool, kTicks> waits[kRoles.size()] = {};
    std::array<bool, kTicks> certainlyBusy[kRoles.size()] = {};
    std::array<bool, kTicks> certainlyWaits[kRoles.size()] = {};

    explicit TickSides(const std::vector<Span> &spans)
    {
        for (const Span &span : spans) {
            const Category category = spanCategory(span.name);
            const bool exact = spanCertainty(span.name) == Certainty::Exact;
            for (std::int64_t t = span.startNs; category != Category::Tool && t < span.endNs(); ++t) {
                (isWait(category) ? waits : busy)[span.lane][static_cast<std::size_t>(t)] = true;
                if (exact)
                    (isWait(category) ? certainlyWaits : certainlyBusy)[span.lane][static_cast<std::size_t>(t)] = true;
            }
        }
    }
    bool isBusy(LaneId lane, std::size_t t) const { return busy[lane][t] && !certainlyWaits[lane][t]; }
    bool gpuCertainly(std::size_t t) const
    {
        for (const LaneId lane : {kStream0, kStream1, kGlQueue})
            if (certainlyBusy[lane][t] && !waits[lane][t])
                return true;
        return false;
    }
    bool cpu(std::size_t t) const { return isBusy(kPipeline, t) || isBusy(kCpuStage, t); }
    bool cuda(std::size_t t) const { return isBusy(kStream0, t) || isBusy(kStream1, t); }
    bool gl(std::size_t t) const { return isBusy(kGlQueue, t); }
};

/// The wait at this index of its track.
SpanPlace spanPlace(const Trace &trace, LaneId lane, std::uint64_t index)
{
    for (std::size_t place = 0; place < trace.tracks().size(); ++place)
        if (trace.tracks()[place].lane() == lane)
            return {place, {index, trace.tracks()[place].at(index)}};
    qFatal("no such lane");
    return {};
}

Span framed(LaneId lane, Category category, std::int64_t startNs, std::int64_t endNs, std::uint32_t frame)
{
    Span span = spanOf(lane, category, startNs, endNs);
    span.frame = frame;
    return span;
}

/// Lane and start of the span that the first span of `lane` waited for.
std::pair<int, std::int64_t> cause(const Trace &trace, LaneId lane)
{
    const std::optional<SpanPlace> found = waitedFor(trace, spanPlace(trace, lane, 0));
    if (!found)
        return {-1, 0};
    return {trace.tracks()[found->track].lane(), found->bar.span.startNs};
}

using Cause = std::pair<int, std::int64_t>;

} // namespace

class TestCauses : public QObject {
    Q_OBJECT
private slots:
    void piecesEqualBruteForce();
    void anEmptyTraceHasNoPieces();
    void aSyncWaitEndsWithItsFramesLastDeviceWork();
    void theClocksUncertaintyIsAllowedFor();
    void aSlotWaitEndsWithWhoeverWasThroughLast();
    void anInputWaitEndsWithACapture();
    void workIsNoWait();
};

void TestCauses::piecesEqualBruteForce()
{
    std::mt19937 random(31);
    for (int round = 0; round < 40; ++round) {
        const std::vector<Span> spans = randomTrace(random);
        Trace trace = emptyTrace();
        std::vector<Span> sorted = spans;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
        trace.add(sorted);
        const TickSides truth(spans);
        const Interval window{static_cast<std::int64_t>(random() % 1000),
                              2000 + static_cast<std::int64_t>(random() % 1000)};
        std::array<int, kTicks> kinds{};
        std::array<bool, kTicks> certain{};
        std::int64_t last = window.startNs;
        for (const BusyPiece &piece : busyPieces(trace, window)) {
            QVERIFY(piece.time.startNs >= last && piece.time.endNs <= window.endNs);
            last = piece.time.endNs;
            for (std::int64_t t = piece.time.startNs; t < piece.time.endNs; ++t)
                kinds[static_cast<std::size_t>(t)] = 1 + static_cast<int>(piece.kind);
            for (std::int64_t t = piece.time.startNs; piece.certain && t < piece.time.endNs; ++t)
                certain[static_cast<std::size_t>(t)] = true;
        }
        Overlap expected;
        std::array<bool, kTicks> contended{};
        for (const Interval piece : contendedPieces(trace, window))
            for (std::int64_t t = piece.startNs; t < piece.endNs; ++t)
                contended[static_cast<std::size_t>(t)] = true;
        for (auto t = static_cast<std::size_t>(window.startNs); t < static_cast<std::size_t>(window.endNs); ++t) {
            const bool gpu = truth.cuda(t) || truth.gl(t);
            QCOMPARE(kinds[t], truth.cpu(t) && gpu ? 3 : gpu ? 2 : truth.cpu(t) ? 1 : 0);
            QCOMPARE(contended[t], truth.cuda(t) && truth.gl(t));
            QCOMPARE(certain[t], gpu ? truth.gpuCertainly(t) : truth.cpu(t));
            const bool bounded = gpu && !truth.gpuCertainly(t);
            expected +=
                {1, truth.cpu(t), gpu, truth.cpu(t) && gpu, !truth.cpu(t) && !gpu, bounded, bounded && truth.cpu(t)};
        }
        const Overlap overlap = overlapIn(trace, window);
        QCOMPARE(overlap.gpuNs, expected.gpuNs);
        QCOMPARE(overlap.bothNs, expected.bothNs);
        QCOMPARE(overlap.idleNs, expected.idleNs);
        QCOMPARE(overlap.gpuBoundedNs, expected.gpuBoundedNs);
        QCOMPARE(overlap.bothBoundedNs, expected.bothBoundedNs);
    }
}

void TestCauses::anEmptyTraceHasNoPieces()
{
    QVERIFY(busyPieces(Trace(), {0, 1'000'000}).empty());
    QVERIFY(contendedPieces(emptyTrace(), {0, 1'000'000}).empty());
    QVERIFY(busyPieces(emptyTrace(), {10, -10}).empty());
}

void TestCauses::aSyncWaitEndsWithItsFramesLastDeviceWork()
{
    for (const Category category : {Category::WaitSync, Category::WaitMemory}) {
        Trace trace = emptyTrace();
        trace.add(std::vector<Span>{framed(kPipeline, category, 100, 200, 7),
                                    framed(kStream0, Category::Kernel, 80, 150, 7),
                                    framed(kStream0, Category::Kernel, 150, 198, 8), // of another frame
                                    framed(kGlQueue, Category::Draw, 100, 190, 7),   // the expected one
                                    framed(kStream1, Category::Copy, 100, 230, 7),   // ends after the wait
                                    framed(kCpuStage, Category::CpuStage, 100, 199, 7)});
        QCOMPARE(cause(trace, kPipeline), Cause(kGlQueue, 100));
    }
    Trace over = emptyTrace();
    over.add(std::vector<Span>{framed(kPipeline, Category::WaitSync, 100, 200, 7),
                               framed(kStream0, Category::Kernel, 50, 99, 7), // before the wait began
                               framed(kGlQueue, Category::WaitSync, 120, 190, 7)});
    QCOMPARE(cause(over, kPipeline), Cause(-1, 0));
    Trace unnumbered = emptyTrace();
    unnumbered.add(std::vector<Span>{framed(kPipeline, Category::WaitSync, 100, 200, kNoFrame),
                                     framed(kStream0, Category::Kernel, 50, 150, kNoFrame)});
    QCOMPARE(cause(unnumbered, kPipeline), Cause(kStream0, 50)); // A wait without a frame is for all frames.
}

void TestCauses::theClocksUncertaintyIsAllowedFor()
{
    Trace trace = emptyTrace();
    trace.setCounters({{0, "clock uncertainty", "ns", kStream0}, {1, "clock uncertainty", "ns", kStream1}});
    const std::vector<CounterSample> samples = {{0, 20, 0}, {0, 5, 1}};
    trace.add(samples);
    trace.add(std::vector<Span>{framed(kPipeline, Category::WaitSync, 100, 200, 7),
                                framed(kStream0, Category::Kernel, 110, 215, 7),
                                framed(kStream1, Category::Kernel, 120, 215, 7)});
    QCOMPARE(cause(trace, kPipeline), Cause(kStream0, 110));
}

void TestCauses::aSlotWaitEndsWithWhoeverWasThroughLast()
{
    Trace trace = emptyTrace();
    trace.add(std::vector<Span>{
        framed(kPipeline, Category::WaitSlot, 100, 200, 9), framed(kStream0, Category::Kernel, 80, 150, 7),
        framed(kGlQueue, Category::Draw, 150, 198, 7), framed(kCpuStage, Category::CpuStage, 100, 199, 7)});
    QCOMPARE(cause(trace, kPipeline), Cause(kCpuStage, 100)); // A slot is free when GPU and CPU stage have finished.
    Trace serial = emptyTrace();
    serial.add(std::vector<Span>{framed(kPipeline, Category::WaitSlot, 100, 200, 9),
                                 framed(kCpuStage, Category::CpuStage, 90, 199, 9)});
    QCOMPARE(cause(serial, kPipeline), Cause(kCpuStage, 90));
}

void TestCauses::anInputWaitEndsWithACapture()
{
    Trace trace = emptyTrace();
    trace.add(std::vector<Span>{framed(kPipeline, Category::WaitInput, 100, 200, kNoFrame),
                                framed(kCapture, Category::Capture, 90, 150, kNoFrame),
                                framed(kCapture, Category::WaitInput, 150, 160, kNoFrame),
                                framed(kCapture, Category::Capture, 160, 195, kNoFrame),
                                framed(kCapture, Category::Capture, 195, 290, kNoFrame)});
    QCOMPARE(cause(trace, kPipeline), Cause(kCapture, 160));
}

void TestCauses::workIsNoWait()
{
    Trace trace = emptyTrace();
    trace.add(std::vector<Span>{framed(kPipeline, Category::Submit, 100, 200, 7),
                                framed(kStream0, Category::Kernel, 110, 190, 7)});
    QCOMPARE(cause(trace, kPipeline), Cause(-1, 0));
}

JETSCOPE_TEST(TestCauses)
#include "tst_waitcauses.moc"
