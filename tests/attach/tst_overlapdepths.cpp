// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/overlapdepths.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

#include <string>

using namespace jetscope;

class OverlapDepthsTest : public QObject {
    Q_OBJECT

private slots:
    /// A trace stores no overlap at one depth, and would leave it out.
    void workThatOverlapsGoesDeeper()
    {
        const auto span = [](LaneId lane, std::int64_t startNs, std::int64_t durationNs) {
            Span made;
            made.lane = lane;
            made.startNs = startNs;
            made.durationNs = durationNs;
            return made;
        };
        OverlapDepths depths;
        std::vector<Span> spans{span(0, 100, 50), span(0, 0, 100), span(1, 20, 10), span(0, 40, 100), span(0, 50, 10)};
        depths.place(spans);
        std::string text;
        for (const Span &each : spans)
            text +=
                std::to_string(each.lane) + ":" + std::to_string(each.startNs) + "@" + std::to_string(each.depth) + " ";
        QCOMPARE(text, std::string("0:0@0 1:20@0 0:40@1 0:50@2 0:100@0 "));
        std::vector<Span> later{span(0, 140, 5), span(0, 120, 5)};
        depths.place(later);
        QCOMPARE(int{later[0].depth}, 2); // It begins within two others.
        QCOMPARE(int{later[1].depth}, 1);
        std::vector<Span> many;
        for (int i = 0; i < 1000; ++i)
            many.push_back(span(7, i, 100'000));
        depths.place(many);
        QCOMPARE(int{many[100].depth}, 100);
        QCOMPARE(int{many[999].depth}, 127);
    }
};

JETSCOPE_TEST(OverlapDepthsTest)
#include "tst_overlapdepths.moc"
