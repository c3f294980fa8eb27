// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/updatecheck.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <limits>

using namespace jetscope;

namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

TraceUpdate head()
{
    TraceUpdate update;
    update.names = {{"a"}, {"b"}};
    update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
    return update;
}

bool accepts(void (*change)(TraceUpdate &))
{
    UpdateCheck check;
    if (!check.accepts(head()))
        return false;
    TraceUpdate update;
    update.spans = {{1, 2, 3, 4, 1, 0, 0}};
    update.figures.resize(1);
    update.path = {{1, 2, 3, 4, 1, 0, PathCause::Kernel, false}};
    update.pathGains = {{1, 2, {PathCause::Kernel, 1}, 5, 6}};
    update.samples = {{1, 2, 3}};
    update.marks.resize(1);
    change(update);
    return check.accepts(update);
}

} // namespace

class TestUpdateCheck : public QObject {
    Q_OBJECT

private slots:
    void acceptsWhatProducersMake()
    {
        QVERIFY(accepts([](TraceUpdate &) {}));
        QVERIFY(accepts([](TraceUpdate &update) {
            update.firstName = 2;
            update.names = {{"c"}};
            update.lanes = {{1, LaneRole::View, "View", ""}};
            update.spans[0].name = 2;
            update.spans[0].lane = 1;
            update.path[0].name = kNoPathName;
            update.path[0].lane = kNoPathLane;
        }));
    }

    /// The pipeline tells a lane's counter at once, and the lane when it collects.
    void aCounterMayPrecedeItsLane()
    {
        UpdateCheck check;
        TraceUpdate update;
        update.counters = {{1, "uncertainty", "ns", LaneId{0}}};
        QVERIFY(check.accepts(update));
        QVERIFY(check.accepts(head()));
    }

    void aRefusedOneChangesNothing()
    {
        UpdateCheck check;
        TraceUpdate update = head();
        update.spans = {{1, -2, 3, 4, 1, 0, 0}};
        QVERIFY(!check.accepts(update));
        QVERIFY(check.accepts(head()));
    }

    void refusesWhatTheyDoNot()
    {
        const std::vector<void (*)(TraceUpdate &)> changes{
            [](TraceUpdate &u) { u.spans[0].name = 2; },
            [](TraceUpdate &u) { u.spans[0].lane = 1; },
            [](TraceUpdate &u) { u.spans[0].durationNs = -1; },
            [](TraceUpdate &u) { u.spans[0].startNs = kMost; },
            [](TraceUpdate &u) { u.spans[0].startNs = kLeast; },
            [](TraceUpdate &u) { u.spans[0].durationNs = kMost; },
            [](TraceUpdate &u) { u.names = {{"again"}}; },
            [](TraceUpdate &u) {
                u.firstName = 2;
                u.names.resize(70'000);
            },
            [](TraceUpdate &u) {
                u.lanes = {{0, LaneRole::View, "again", ""}};
            },
            [](TraceUpdate &u) {
                u.lanes = {{2, LaneRole::View, "skipped", ""}};
            },
            [](TraceUpdate &u) { u.figures[0].startNs = kMost; },
            [](TraceUpdate &u) { u.figures[0].overlap.periodNs = -1; },
            [](TraceUpdate &u) { u.figures[0].overlap.cpuNs = kMost; },
            [](TraceUpdate &u) { u.figures[0].overlap.gpuBoundedNs = 1; },
            [](TraceUpdate &u) { u.figures[0].waitSyncNs = kLeast; },
            [](TraceUpdate &u) { u.figures[0].bytesCopied = std::numeric_limits<std::uint64_t>::max(); },
            [](TraceUpdate &u) { u.figures[0].sourcePeriodNs = kLeast; },
            [](TraceUpdate &u) { u.path[0].name = 2; },
            [](TraceUpdate &u) { u.path[0].lane = 1; },
            [](TraceUpdate &u) { u.path[0].endNs = 0; },
            [](TraceUpdate &u) { u.path[0].startNs = kLeast; },
            [](TraceUpdate &u) { u.pathGains[0].kind.name = 2; },
            [](TraceUpdate &u) { u.pathGains[0].lastFrame = 0; },
            [](TraceUpdate &u) { u.pathGains[0].ofNs = -1; },
            [](TraceUpdate &u) { u.samples[0].timeNs = kMost; },
            [](TraceUpdate &u) { u.marks[0].timeNs = kLeast; },
            [](TraceUpdate &u) { u.spansLost = std::numeric_limits<std::uint64_t>::max(); },
        };
        for (std::size_t i = 0; i < changes.size(); ++i)
            QVERIFY2(!accepts(changes[i]), qPrintable(QString::number(i)));
    }
};

JETSCOPE_TEST(TestUpdateCheck)
#include "tst_updatecheck.moc"
