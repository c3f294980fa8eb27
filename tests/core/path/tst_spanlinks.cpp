// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/spanlinks.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <random>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Span inFrame(std::uint32_t frame, LaneId lane, Category category, std::int64_t startNs, std::int64_t endNs)
{
    Span span = spanOf(lane, category, startNs, endNs);
    span.frame = frame;
    return span;
}

SpanPlace placeOf(const Trace &trace, LaneId lane, std::int64_t startNs)
{
    for (std::size_t place = 0; place < trace.tracks().size(); ++place) {
        const SpanTrack &track = trace.tracks()[place];
        if (track.lane() == lane && track.at(track.firstFrom(startNs)).startNs == startNs)
            return {place, {track.firstFrom(startNs), track.at(track.firstFrom(startNs))}};
    }
    qFatal("no such span");
    return {};
}

/// "0:100 > 2:250" and so on, sorted; with a | if a wait ends.
QStringList described(const Trace &trace, LaneId lane, std::int64_t startNs)
{
    QStringList out;
    for (const SpanLink &link : linksAround(trace, placeOf(trace, lane, startNs)))
        out.append(QStringLiteral("%1:%2 > %3:%4%5")
                       .arg(trace.tracks()[link.from.track].lane())
                       .arg(link.from.bar.span.startNs)
                       .arg(trace.tracks()[link.to.track].lane())
                       .arg(link.to.bar.span.startNs)
                       .arg(link.endsWait ? QStringLiteral("|") : QString()));
    out.sort();
    return out;
}

} // namespace

class TestSpanLinks : public QObject {
    Q_OBJECT
private slots:
    void edgesOfOneSpanEqualBruteForce();
    void launchKernelAndWaitLeadToEachOther();
    void rulesSayItWhereNothingIsRecorded();
    void rulesAddWhatIsNotRecorded();
    void aChainIsFollowedTwoSteps();
    void wrongEdgesDoNoHarm();
    void allLinksOfATimeAreThoseOfItsSpans_data();
    void allLinksOfATimeAreThoseOfItsSpans();
    void theLongestAreKept();
    void tooManyEdgesAreSaid();
};

void TestSpanLinks::edgesOfOneSpanEqualBruteForce()
{
    std::mt19937 random(5);
    const auto number = [&random](int most) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
    };
    for (int round = 0; round < 30; ++round) {
        EdgeList list;
        std::vector<SpanEdge> all;
        for (int batch = 0; batch < 4; ++batch) {
            std::vector<SpanEdge> edges;
            for (std::int64_t i = number(200); i > 0; --i)
                edges.push_back({number(60), number(60) + (round % 2) * batch * 60, static_cast<LaneId>(number(3)),
                                 static_cast<LaneId>(number(3))});
            list.add(edges);
            all.insert(all.end(), edges.begin(), edges.end());
            if (batch == 2) {
                list.dropBefore(20);
                std::erase_if(all, [](const SpanEdge &edge) { return edge.toNs < 20; });
            }
        }
        for (std::int64_t ns = 0; ns < 240; ++ns)
            for (LaneId lane = 0; lane < 3; ++lane) {
                const auto leaves = [&](const SpanEdge &edge) { return edge.fromNs == ns && edge.fromLane == lane; };
                const auto arrives = [&](const SpanEdge &edge) { return edge.toNs == ns && edge.toLane == lane; };
                const auto from = list.from(lane, ns);
                const auto to = list.to(lane, ns);
                QVERIFY(std::all_of(from.begin(), from.end(), leaves) && std::all_of(to.begin(), to.end(), arrives));
                QCOMPARE(from.size(), static_cast<std::size_t>(std::count_if(all.begin(), all.end(), leaves)));
                QCOMPARE(to.size(), static_cast<std::size_t>(std::count_if(all.begin(), all.end(), arrives)));
            }
    }
}

void TestSpanLinks::launchKernelAndWaitLeadToEachOther()
{
    Trace trace = emptyTrace();
    trace.add(std::vector{
        inFrame(0, kPipeline, Category::Submit, 100, 120), inFrame(0, kStream0, Category::Kernel, 250, 500),
        inFrame(0, kStream1, Category::Kernel, 260, 700), inFrame(0, kPipeline, Category::WaitSync, 130, 510)});
    trace.add(std::vector<SpanEdge>{{100, 250, kPipeline, kStream0}, {250, 130, kStream0, kPipeline}});
    const QStringList chain = {"0:100 > 2:250", "2:250 > 0:130|"};
    QCOMPARE(described(trace, kPipeline, 100), chain);
    QCOMPARE(described(trace, kStream0, 250), chain);
    QCOMPARE(described(trace, kPipeline, 130), chain);
}

void TestSpanLinks::rulesSayItWhereNothingIsRecorded()
{
    Trace trace = emptyTrace();
    std::vector<Span> spans;
    for (std::uint32_t frame = 0; frame < 20; ++frame) {
        const std::int64_t at = 1'000'000 * std::int64_t{frame};
        spans.push_back(inFrame(frame, kPipeline, Category::Submit, at, at + 100'000));
        spans.push_back(inFrame(frame, kStream0, Category::Kernel, at + 150'000, at + 700'000));
        spans.push_back(inFrame(frame, kPipeline, Category::WaitSync, at + 110'000, at + 705'000));
    }
    trace.add(spans);
    const QStringList chain = {"0:10000000 > 2:10150000", "2:10150000 > 0:10110000|"};
    QCOMPARE(described(trace, kPipeline, 10'000'000), chain);
    QCOMPARE(described(trace, kStream0, 10'150'000), chain);
    QCOMPARE(described(trace, kPipeline, 10'110'000), chain);
}

/// A producer may record launches but not the dependencies of waits.
void TestSpanLinks::rulesAddWhatIsNotRecorded()
{
    Trace trace = emptyTrace();
    trace.add(std::vector{inFrame(kNoFrame, kPipeline, Category::Submit, 100'000, 120'000),
                          inFrame(kNoFrame, kPipeline, Category::Submit, 130'000, 140'000),
                          inFrame(kNoFrame, kStream0, Category::Kernel, 250'000, 500'000),
                          inFrame(kNoFrame, kPipeline, Category::WaitSync, 150'000, 510'000)});
    trace.add(std::vector<SpanEdge>{{100'000, 250'000, kPipeline, kStream0}});
    const QStringList chain = {"0:100000 > 2:250000", "2:250000 > 0:150000|"};
    QCOMPARE(described(trace, kPipeline, 100'000), chain);
    QCOMPARE(described(trace, kStream0, 250'000), chain);
    QCOMPARE(described(trace, kPipeline, 150'000), chain);
    QVERIFY(described(trace, kPipeline, 130'000).isEmpty()); // The call that launched nothing.
}

void TestSpanLinks::aChainIsFollowedTwoSteps()
{
    Trace trace = emptyTrace();
    std::vector<SpanEdge> edges;
    for (std::int64_t i = 0; i < 10; ++i) {
        trace.add(std::vector{inFrame(0, kStream0, Category::Kernel, i * 100, i * 100 + 50)});
        if (i > 0)
            edges.push_back({(i - 1) * 100, i * 100, kStream0, kStream0});
    }
    trace.add(edges);
    QCOMPARE(described(trace, kStream0, 500),
             (QStringList{"2:300 > 2:400", "2:400 > 2:500", "2:500 > 2:600", "2:600 > 2:700"}));
    QCOMPARE(described(trace, kStream0, 0), (QStringList{"2:0 > 2:100", "2:100 > 2:200"}));
}

void TestSpanLinks::wrongEdgesDoNoHarm()
{
    Trace trace = emptyTrace();
    std::vector<SpanEdge> edges = {
        {100, 100, kStream0, kStream0}, {100, 777, kStream0, kStream0}, {5, 100, 999, kStream0}};
    for (std::int64_t i = 0; i < 500; ++i) {
        trace.add(std::vector{inFrame(0, kStream0, Category::Kernel, i * 100, i * 100 + 50)});
        edges.push_back({100, i * 100, kStream0, kStream0}); // To all,
        edges.push_back({i * 100, 100, kStream0, kStream0}); // and back.
    }
    trace.add(edges);
    QCOMPARE(linksAround(trace, placeOf(trace, kStream0, 100)).size(), std::size_t{64});
}

namespace {

/// Frames of a launch, a kernel of some length and a wait for it.
Trace launches(std::uint32_t frames, bool recorded)
{
    Trace trace = emptyTrace();
    std::vector<Span> spans;
    std::vector<SpanEdge> edges;
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
        const std::int64_t at = 1'000'000 * std::int64_t{frame};
        const std::int64_t length = 100'000 + 10'000 * (frame % 50);
        spans.push_back(inFrame(frame, kPipeline, Category::Submit, at, at + 100'000));
        spans.push_back(inFrame(frame, kStream0, Category::Kernel, at + 150'000, at + 150'000 + length));
        spans.push_back(inFrame(frame, kPipeline, Category::WaitSync, at + 110'000, at + 155'000 + length));
        edges.push_back({at, at + 150'000, kPipeline, kStream0});
    }
    trace.add(spans);
    if (recorded)
        trace.add(edges);
    return trace;
}

} // namespace

void TestSpanLinks::allLinksOfATimeAreThoseOfItsSpans_data()
{
    QTest::addColumn<bool>("recorded");
    QTest::newRow("recorded edges") << true;
    QTest::newRow("by the rules") << false;
}

/// The rules alone say which wait a kernel ends, in both cases.
void TestSpanLinks::allLinksOfATimeAreThoseOfItsSpans()
{
    QFETCH(const bool, recorded);
    const Trace trace = launches(100, recorded);
    const Interval time{20'000'000, 40'000'000};
    const TimeLinks links = linksWithin(trace, time, 0, 1000);
    QVERIFY(links.complete);
    QCOMPARE(links.found, links.links.size());
    std::size_t kernels = 0;
    std::size_t waits = 0;
    for (const SpanLink &link : links.links) {
        QVERIFY(link.to.bar.span.startNs >= time.startNs && link.to.bar.span.startNs < time.endNs);
        QCOMPARE(link.from.bar.span.frame, link.to.bar.span.frame);
        QVERIFY(link.from.track != link.to.track);
        ++(link.endsWait ? waits : kernels);
    }
    QCOMPARE(kernels, std::size_t(20));
    QCOMPARE(waits, std::size_t(20));
    for (const SpanLink &link : linksWithin(trace, time, 300'000, 1000).links)
        QVERIFY(link.to.bar.span.durationNs >= 300'000);
    QVERIFY(linksWithin(trace, time, 600'000'000, 1000).links.empty());
    QVERIFY(linksWithin(Trace(), time, 0, 1000).links.empty());
}

void TestSpanLinks::theLongestAreKept()
{
    const Trace trace = launches(100, true);
    const TimeLinks all = linksWithin(trace, {0, 100'000'000}, 0, 1000);
    const TimeLinks some = linksWithin(trace, {0, 100'000'000}, 0, 10);
    QCOMPARE(some.found, all.found);
    QCOMPARE(some.links.size(), std::size_t(10));
    std::int64_t shortest = some.links.front().to.bar.span.durationNs;
    for (std::size_t i = 0; i < some.links.size(); ++i) {
        shortest = std::min(shortest, some.links[i].to.bar.span.durationNs);
        QVERIFY(i == 0 || some.links[i - 1].to.bar.span.startNs <= some.links[i].to.bar.span.startNs);
    }
    const auto longer = std::count_if(all.links.begin(), all.links.end(),
                                      [&](const SpanLink &link) { return link.to.bar.span.durationNs > shortest; });
    QVERIFY(longer < 10); // None of those left out is longer than one that is kept.
}

void TestSpanLinks::tooManyEdgesAreSaid()
{
    const Trace trace = launches(25'000, true);
    QVERIFY(!linksWithin(trace, {0, 25'000'000'000}, 0, 10).complete);
    QVERIFY(linksWithin(trace, {0, 1'000'000'000}, 0, 10).complete);
}

JETSCOPE_TEST(TestSpanLinks)
#include "tst_spanlinks.moc"
