// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The table of figures: what every list of figures is made of.
#include "core/figures/statistics.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace jetscope;

namespace {

FrameFigures frameWithEverything()
{
    FrameFigures frame;
    frame.overlap = {10'000'000, 6'000'000, 8'000'000, 4'000'000, 0, 3'000'000, 1'000'000};
    frame.waitSyncNs = 1'000'000;
    frame.waitMemoryNs = 500'000;
    frame.waitSlotNs = 250'000;
    frame.waitInputNs = 125'000;
    frame.frameNs = 12'000'000;
    frame.latencyNs = 15'000'000;
    frame.bytesCopied = 4096;
    frame.sourcePeriodNs = kNoSourcePeriod;
    return frame;
}

bool isWord(std::string_view text, std::string_view others)
{
    return !text.empty() && std::all_of(text.begin(), text.end(), [&](char each) {
        return (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || others.find(each) != others.npos;
    });
}

} // namespace

class TestFigureTable : public QObject {
    Q_OBJECT

private slots:
    void everyFigureHasNames()
    {
        std::set<std::string_view> names;
        std::set<std::string_view> keys;
        std::set<std::string_view> columns;
        for (const FigureRow &row : figureTable()) {
            QVERIFY2(isWord(row.name, "-") && names.insert(row.name).second, row.name.data());
            QVERIFY2(!row.label.empty() && !row.shortLabel.empty() && !row.meaning.empty(), row.name.data());
            for (const std::string_view key : {row.key, row.leastKey, row.mostKey})
                QVERIFY2(key.empty() || (isWord(key, "_") && keys.insert(key).second), row.name.data());
            QVERIFY2(row.column.empty() || (isWord(row.column, "_") && columns.insert(row.column).second),
                     row.name.data());
            // What is not made from frames has nothing to read from a frame.
            QCOMPARE(row.ofFrame != nullptr, row.sum != FigureSum::Pooled && row.sum != FigureSum::Other);
        }
    }

    void theReferenceNamesEveryFigure()
    {
        QFile file(QStringLiteral(JETSCOPE_TRACES "/../../../resources/docs/figures.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n');
        for (const FigureRow &row : figureTable()) {
            const auto line = std::find_if(lines.begin(), lines.end(), [&](const QString &each) {
                return each.startsWith(QStringLiteral("| %1 | ").arg(QString::fromUtf8(row.label.data())));
            });
            QVERIFY2(line != lines.end(), row.label.data());
            for (const std::string_view word : {row.key, row.leastKey, row.mostKey, row.name, row.column})
                QVERIFY2(word.empty() || line->contains(QStringLiteral("`%1`").arg(QString::fromUtf8(word.data()))),
                         word.data());
        }
        const QString whole = lines.join(u'\n');
        for (const FrameField &field : frameFields())
            if (field.name != "frame" && field.name != kFrameStartField && field.name != "idle_ns")
                QVERIFY2(whole.contains(QStringLiteral("`%1`").arg(QString::fromUtf8(field.name.data()))),
                         field.name.data());
    }

    /// Of equal frames, the figure of the run is that of each frame.
    void aRunOfEqualFramesHasTheFiguresOfAFrame()
    {
        const FrameFigures frame = frameWithEverything();
        const RunFigures run = summariseFrames(std::vector<FrameFigures>(40, frame));
        for (const FigureRow &row : figureTable()) {
            const FigureReading reading = readingOf(run, row.figure);
            if (!row.ofFrame)
                continue;
            QVERIFY2(reading.value && std::abs(*reading.value - *row.ofFrame(frame)) < 1e-9, row.name.data());
            QCOMPARE(reading.least.has_value(), row.leastOfFrame != nullptr);
        }
        QCOMPARE(readingOf(run, Figure::Rate).value, std::optional(100.0));
        QCOMPARE(readingOf(run, Figure::GpuBusy).least, std::optional(5.0));
        QVERIFY(!readingOf(run, Figure::Overlap).value); // Between two bounds.
        QCOMPARE(readingOf(run, Figure::Overlap).least, std::optional(3.0 / 6.0));
        QCOMPARE(readingOf(run, Figure::Overlap).most, std::optional(4.0 / 6.0));
    }

    void framesWithoutSpansHaveNoBusyTimes()
    {
        FrameFigures frame = frameWithEverything();
        frame.traced = false;
        const RunFigures run = summariseFrames(std::vector<FrameFigures>(40, frame));
        for (const Figure unknown : {Figure::CpuBusy, Figure::GpuBusy, Figure::Blocked, Figure::Parallelism})
            QVERIFY2(!readingOf(run, unknown).value, rowOf(unknown).name.data());
        QVERIFY(readingOf(run, Figure::Period).value && readingOf(run, Figure::BytesCopied).value);
    }

    void aRunWithoutFramesHasNoFigures()
    {
        const RunFigures none = summariseFrames({});
        for (const FigureRow &row : figureTable())
            QVERIFY2(!readingOf(none, row.figure).value, row.name.data());
        QVERIFY(figureLines(none).empty() && percentilesLines(none).empty());
        QCOMPARE(readingOf(none, Figure::Overlap).reason, std::string("no frame was completed"));
    }

    void linesSayWhatIsKnown()
    {
        const RunFigures run = summariseFrames(std::vector<FrameFigures>(40, frameWithEverything()));
        const auto lines = figureLines(run);
        const auto textOf = [&](const std::string &label) {
            const auto line = std::find_if(lines.begin(), lines.end(), [&](const auto &l) { return l.first == label; });
            return QString::fromStdString(line == lines.end() ? "missing" : line->second);
        };
        QCOMPARE(textOf("Rate"), QString("100.0 frames/s"));
        QCOMPARE(textOf("CPU busy"), QString("6.000 ms a frame"));
        QCOMPARE(textOf("GPU busy"), QString("5.000 to 8.000 ms a frame"));
        QCOMPARE(textOf("Parallelism"), QString("1.40 (1 is serial, 2 is perfect)"));
        QCOMPARE(textOf("Bytes copied"), QString("4.1 kB a frame"));
        QVERIFY2(textOf("Overlap").startsWith("none: between 50 and 67 %"), qPrintable(textOf("Overlap")));
        QCOMPARE(textOf("Energy"), QString("missing")); // Not from frames.
        QCOMPARE(percentilesLines(run).size(), std::size_t{3});
        QCOMPARE(percentilesLines(run)[1].label, std::string("Frame time"));
        QCOMPARE(percentilesLines(run)[1].texts[2], std::string("12.00 ms"));
    }

    void textsOfValues_data()
    {
        QTest::addColumn<int>("unit");
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("full");
        QTest::addColumn<QString>("few");
        QTest::addColumn<QString>("change");
        const auto row = [](const char *name, FigureUnit unit, double value, const char *full, const char *few,
                            const char *change) {
            QTest::newRow(name) << static_cast<int>(unit) << value << QString(full) << QString(few) << QString(change);
        };
        row("short time", FigureUnit::Milliseconds, 0.0714, "0.071 ms", "0.07 ms", "+0.071 ms");
        row("time", FigureUnit::Milliseconds, 14.126, "14.13 ms", "14.1 ms", "+14.13 ms");
        row("long time", FigureUnit::Milliseconds, 90'000, "90000.00 ms", "90.0 s", "+90000.00 ms");
        row("less time", FigureUnit::Milliseconds, -0.51, "-0.510 ms", "-0.5 ms", "-0.510 ms");
        row("share", FigureUnit::Share, 0.4126, "41.3 %", "41 %", "+41.3 points");
        row("few bytes", FigureUnit::Bytes, 640, "0.6 kB", "640 B", "+0.6 kB");
        row("bytes", FigureUnit::Bytes, 3'700'000, "3.70 MB", "3.7 MB", "+3.70 MB");
        row("rate", FigureUnit::PerSecond, 70.94, "70.9 frames/s", "70.9", "+70.9 frames/s");
        row("cores", FigureUnit::Cores, 0.7, "0.700 cores", "0.7 cores", "+0.700 cores");
        row("energy", FigureUnit::Millijoules, 40.5, "40.50 mJ", "40.5 mJ", "+40.50 mJ");
        row("unknown", FigureUnit::Share, std::nan(""), "–", "–", "–");
    }
    void textsOfValues()
    {
        QFETCH(int, unit);
        QFETCH(double, value);
        QFETCH(QString, full);
        QFETCH(QString, few);
        QFETCH(QString, change);
        const auto of = static_cast<FigureUnit>(unit);
        QCOMPARE(QString::fromStdString(figureText(of, value)), full);
        QCOMPARE(QString::fromStdString(figureText(of, value, Digits::Few)), few);
        QCOMPARE(QString::fromStdString(changeText(of, value)), change);
        QCOMPARE(QString::fromStdString(figureText(of, std::nullopt)), QString("–"));
    }
};

JETSCOPE_TEST(TestFigureTable)
#include "tst_figuretable.moc"
