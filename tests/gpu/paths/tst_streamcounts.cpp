// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What streams count and say of themselves: gaps, dropped pictures, facts, and pipelines that do not start.
#include "core/time/clock.h"
#include "gpu/sources/framesource.h"
#include "gpu/sources/gstreamer/pipelinestate.h"
#include "gpu/sources/gstreamer/streambounds.h"
#include "tests/support/mjpegserver.h"

#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace jetscope;
using namespace std::chrono_literals;
using testing::jpegPicture;
using testing::MjpegClient;
using testing::MjpegServer;

class TestStreamCounts : public QObject {
    Q_OBJECT

private slots:
    void tenCutsLeaveTenGaps();
    void framesAndDropsAreWhatWasMade();
    void aPipelineThatDoesNotStartIsLeft();
    void picturesMustFitIntoTheMemory();
    void pipelinesShowTheFactsOfTheirPictures();
};

/// Each as long as the server was away, from the last picture to the next.
void TestStreamCounts::tenCutsLeaveTenGaps()
{
    constexpr std::size_t kCuts = 10;
    std::array<std::atomic<std::int64_t>, kCuts + 1> firstSent{};
    std::array<std::atomic<std::int64_t>, kCuts + 1> lastSent{};
    const MjpegServer server([&](MjpegClient &client, int number) {
        const auto turn = static_cast<std::size_t>(number);
        if (turn > kCuts)
            return;
        client.begin();
        firstSent[turn] = nowNs();
        for (int i = 0; (i < 9 || turn == kCuts) && client.picture(jpegPicture(64, 48, 100)); ++i) {
            lastSent[turn] = nowNs();
            std::this_thread::sleep_for(20ms); // The server's rate.
        }
    });
    const auto opened = openSource(server.url(), Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    std::vector<std::byte> frame(opened.value()->info().layout.bytes);
    std::size_t exact = 0;
    for (std::size_t cut = 0; cut < kCuts;) {
        const auto read = opened.value()->read(frame.data());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        QVERIFY(read.value());
        for (const SourceGap &gap : read.value()->gaps) {
            constexpr std::int64_t kTwoPeriods = 40'000'000;
            const std::int64_t away = firstSent[cut + 1] - lastSent[cut];
            exact += std::abs(gap.untilNs - gap.fromNs - away) < kTwoPeriods ? 1 : 0;
            ++cut;
        }
    }
    QVERIFY2(exact > kCuts / 2, qPrintable(QString::number(exact))); // The others on a busy machine.
    QCOMPARE(opened.value()->state().faults.gaps, std::uint64_t{kCuts});
}

void TestStreamCounts::framesAndDropsAreWhatWasMade()
{
    constexpr std::uint64_t kMade = 1000;
    const auto source =
        openSource("gst:videotestsrc num-buffers=1000 ! video/x-raw,format=GRAY8,width=320,height=240,framerate=30/1",
                   Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    std::vector<std::byte> frame(source.value()->info().layout.bytes);
    std::uint64_t frames = 0;
    std::uint64_t dropped = 0;
    for (std::uint64_t expected = 0;;) {
        const auto read = source.value()->read(frame.data());
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        if (!read.value())
            break;
        ++frames;
        QVERIFY(read.value()->index >= expected);
        dropped += read.value()->index - expected;
        expected = read.value()->index + 1;
        std::this_thread::sleep_for(1ms); // A reader that is late.
    }
    QVERIFY(dropped > 0);
    QCOMPARE(frames + dropped, kMade);
}

void TestStreamCounts::aPipelineThatDoesNotStartIsLeft()
{
    QTemporaryDir folder;
    const QByteArray pipe = folder.filePath("pipe").toLocal8Bit();
    QCOMPARE(mkfifo(pipe.constData(), 0600), 0);
    // Without a deadline: no end.
    const auto source = openSource("gst:filesrc location=" + pipe.toStdString() + " ! jpegdec", Pacing::Real);
    QVERIFY(!source.ok());
    QVERIFY2(source.error().text.find("does not start") != std::string::npos, source.error().message().c_str());
    QVERIFY(abandonedPipelines() > 0);
    ::close(::open(pipe.constData(), O_WRONLY | O_CLOEXEC)); // Now its element goes on, and reads an end.
    QTRY_COMPARE(abandonedPipelines(), 0);
}

void TestStreamCounts::picturesMustFitIntoTheMemory()
{
    constexpr std::uint64_t kNv12 = std::uint64_t{16384} * 16384 * 3 / 2;
    QVERIFY(tooLargeForMemory(kNv12, std::uint64_t{16} << 30).empty());
    QVERIFY(tooLargeForMemory(kNv12, 0).empty()); // Not known.
    const QString refused = QString::fromStdString(tooLargeForMemory(kNv12, std::uint64_t{2} << 30));
    QVERIFY2(refused.contains("384 MiB") && refused.contains("2048 MiB"), qPrintable(refused));
}

void TestStreamCounts::pipelinesShowTheFactsOfTheirPictures()
{
    const auto source = openSource(
        "gst:videotestsrc ! video/x-raw,format=NV12,width=64,height=48,framerate=25/1,pixel-aspect-ratio=4/3,"
        "colorimetry=bt709,interlace-mode=interleaved,field-order=bottom-field-first ! identity sync=true",
        Pacing::Real);
    QVERIFY2(source.ok(), source.ok() ? "" : source.error().message().c_str());
    std::vector<std::byte> frame(source.value()->info().layout.bytes);
    while (source.value()->state().facts.measuredFps == 0)
        QVERIFY(source.value()->read(frame.data()).ok());
    const StreamFacts facts = source.value()->state().facts;
    QCOMPARE(facts.codec, std::string("raw NV12"));
    QCOMPARE(facts.claimedFps, 25.0);
    QVERIFY2(std::abs(facts.measuredFps - 25) < 0.1, qPrintable(QString::number(facts.measuredFps)));
    QCOMPARE(facts.color.matrix + facts.color.range, std::string("BT.709limited"));
    QVERIFY(std::abs(facts.sampleAspect - 4.0 / 3) < 1e-6);
    QCOMPARE(facts.fieldOrder, std::string("bottom field first"));
    QCOMPARE(facts.decoder, std::string());
}

QTEST_GUILESS_MAIN(TestStreamCounts)
#include "tst_streamcounts.moc"
