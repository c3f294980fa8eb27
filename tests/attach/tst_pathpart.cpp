// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/pathpart.h"
#include "core/path/pathfollower.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>
#include <algorithm>

using namespace jetscope;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// How many of so many frames are followed when a program makes so many calls a second.
std::size_t followed(std::uint64_t callsASecond, std::size_t frames)
{
    PathPart part;
    for (int i = 0; i <= 100; ++i)
        part.count(callsASecond / 100, kSecond + i * kSecond / 100);
    std::vector<FrameFigures> figures(frames);
    part.choose(figures);
    return static_cast<std::size_t>(
        std::count_if(figures.begin(), figures.end(), [](const FrameFigures &frame) { return frame.traced; }));
}

} // namespace

class PathPartTest : public QObject {
    Q_OBJECT

private slots:
    void followsAPartOfManyCalls()
    {
        QCOMPARE(followed(1'000, 4000), std::size_t{4000});
        QCOMPARE(followed(24'000, 4000), std::size_t{4000});
        const std::size_t ofMany = followed(100'000, 4096);
        QVERIFY2(ofMany >= 4096 / 9 && ofMany <= 4096 / 7, QByteArray::number(qulonglong(ofMany)));
    }

    /// What takes the longest need not be in the first frames.
    void followsWholeGroupsThroughout()
    {
        PathPart part;
        for (int i = 0; i <= 100; ++i)
            part.count(1'000, kSecond + i * kSecond / 100);
        std::size_t groups = 0;
        for (int round = 0; round < 100; ++round) {
            std::vector<FrameFigures> figures(PathFollower::kFramesAtOnce);
            part.choose(figures);
            const bool first = figures.front().traced;
            QVERIFY(std::all_of(figures.begin(), figures.end(),
                                [&](const FrameFigures &frame) { return frame.traced == first; }));
            groups += first ? 1 : 0;
        }
        QVERIFY2(groups >= 11 && groups <= 14, QByteArray::number(qulonglong(groups)));
    }

    /// A slow start of few calls, of which all is followed, weighs as much as it takes.
    void aFollowedFrameStandsForThoseThatAreNot()
    {
        PathPart part;
        PathSums sums;
        std::int64_t allNs = 0;
        std::uint32_t number = 0;
        const auto make = [&](std::uint64_t callsASecond, std::int64_t fromNs, int frames, std::int64_t frameNs) {
            for (int i = 0; i <= 100; ++i)
                part.count(callsASecond / 100, fromNs + i * kSecond / 100);
            std::vector<FrameFigures> figures(static_cast<std::size_t>(frames));
            for (FrameFigures &frame : figures)
                frame.frame = number++;
            part.choose(figures);
            allNs += frames * frameNs;
            for (const FrameFigures &frame : figures)
                if (frame.traced) {
                    PathPiece piece;
                    piece.frame = frame.frame;
                    piece.endNs = frameNs;
                    sums.add(piece, part.weightOf(frame.frame));
                }
        };
        make(1'000, kSecond, 8 * int(PathFollower::kFramesAtOnce), 10'000'000);
        make(100'000, 3 * kSecond, 640 * int(PathFollower::kFramesAtOnce), 1'000'000);
        QVERIFY(sums.frames() < number / 4);
        const double ratio = static_cast<double>(sums.totalNs()) / static_cast<double>(allNs);
        QVERIFY2(ratio > 0.97 && ratio < 1.03, QByteArray::number(ratio));
        QCOMPARE(part.weightOf(number), 1u); // Of what follows when nothing more is chosen.
    }
};

JETSCOPE_TEST(PathPartTest)
#include "tst_pathpart.moc"
