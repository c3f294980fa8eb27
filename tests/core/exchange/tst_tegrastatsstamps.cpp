// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/importers.h"
#include "core/exchange/tegrastatsstamp.h"
#include "tests/core/sampletrace.h"
#include "tests/core/tegrastatssamples.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <set>
#include <string>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr std::int64_t kStampSecond = 1'000'000'000;
constexpr std::int64_t kMarch = 1'772'359'200; // 2026-03-01 10:00:00 UTC

QByteArray sampleLine(std::size_t sample)
{
    const std::string_view line = kTegrastatsSamples[sample].line;
    return {line.data(), static_cast<qsizetype>(line.size())};
}

} // namespace

class TestTegrastatsStamps : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    OpenedTrace read(const QByteArray &log)
    {
        const QString path = m_folder.filePath("log.txt");
        writeFile(path, log);
        Watcher watcher;
        Result<OpenedTrace> result = openTrace(path.toStdString(), watcher);
        if (!result.ok())
            qFatal("%s", result.error().text.c_str());
        return std::move(result).value();
    }
    static std::set<std::string> names(const OpenedTrace &opened)
    {
        std::set<std::string> names;
        for (const CounterTrack &counter : opened.trace.counters())
            names.insert(counter.info().name);
        return names;
    }

private slots:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void stampsOfOthers_data();
    void stampsOfOthers();
    void isNoStamp_data();
    void isNoStamp();
    void zonesAreObeyed();
    void finerStampsWin();
    void midnightIsNoStepBack();
    void otherToolsDoNotDisturb();
    void olderFormsOfLines_data();
    void olderFormsOfLines();
    void linesAreShownOrLeftOut_data();
    void linesAreShownOrLeftOut();
    void randomLinesBalance();
};

void TestTegrastatsStamps::stampsOfOthers_data()
{
    QTest::addColumn<QStringList>("stamps"); // At 0, 0.5 and 1 s, or at 0, 1 and 2 s.
    QTest::addColumn<double>("step");
    QTest::addColumn<bool>("hasDate");
    const auto row = [](const char *name, const QStringList &stamps, double step, bool hasDate) {
        QTest::newRow(name) << stamps << step << hasDate;
    };
    const QStringList halves{"00.120", "00.620", "01.120"};
    const auto with = [](const QStringList &seconds, const char *before, const char *behind = "") {
        QStringList stamps;
        for (const QString &second : seconds)
            stamps << before + second + behind;
        return stamps;
    };
    const QStringList whole{"00", "01", "02"};
    row("ts with ISO 8601", with(halves, "2026-03-01T10:00:"), 0.5, true);
    row("ts", with(whole, "Mar 01 10:00:"), 1, false);
    row("ts %.S", with(halves, "Mar  1 10:00:"), 0.5, false);
    row("ts -s", with(whole, "00:00:"), 1, false);
    row("ts -s %.S", with(halves, "00:00:"), 0.5, false);
    row("ts %.s", {"1772359200.120001", "1772359200.620001", "1772359201.120001"}, 0.5, true);
    row("ts -s %.s", {"0.000012", "0.500012", "1.000012"}, 0.5, false);
    row("date +%s", {"1772359200", "1772359201", "1772359202"}, 1, true);
    row("date +%s%3N", {"1772359200120", "1772359200620", "1772359201120"}, 0.5, true);
    row("date +%s%N", {"1772359200120000000", "1772359200620000000", "1772359201120000000"}, 0.5, true);
    row("date", with(whole, "Sun Mar  1 10:00:", " UTC 2026"), 1, true);
    row("awk strftime", with(whole, "2026-03-01 10:00:"), 1, true);
    row("brackets", with(halves, "[2026-03-01 10:00:", "]"), 0.5, true);
    row("slashes", with(halves, "2026/03/01 10:00:"), 0.5, true);
    row("American", with(whole, "03/01/2026 10:00:"), 1, true);
    row("Python's logging", with({"00,120", "00,620", "01,120"}, "2026-03-01 10:00:", " INFO stats:"), 0.5, true);
    row("a colon behind", with(whole, "2026-03-01 10:00:", ":"), 1, true);
    row("a bar behind", with(halves, "10:00:", " |"), 0.5, false);
    row("journalctl", with(whole, "Mar 01 10:00:", " orin tegrastats[812]:"), 1, false);
    row("journalctl -o short-precise", with(halves, "Mar 01 10:00:", " orin tegrastats[812]:"), 0.5, false);
    row("journalctl -o short-iso", with(whole, "2026-03-01T10:00:", "+0000 orin tegrastats[812]:"), 1, true);
    row("journalctl -o short-iso-precise", with(halves, "2026-03-01T10:00:", "+00:00 orin tegrastats[812]:"), 0.5,
        true);
    row("journalctl -o short-monotonic",
        {"[   12.120000] orin tegrastats[812]:", "[   12.620000] orin tegrastats[812]:",
         "[   13.120000] orin tegrastats[812]:"},
        0.5, false);
    row("journalctl -o short-unix",
        {"1772359200.120000 orin sh[8]:", "1772359200.620000 orin sh[8]:", "1772359201.120000 orin sh[8]:"}, 0.5, true);
    row("syslog", with(whole, "<13>Mar  1 10:00:", " orin tegrastats:"), 1, false);
    row("docker logs -t", with({"00.120000001Z", "00.620000001Z", "01.120000001Z"}, "2026-03-01T10:00:"), 0.5, true);
    row("kubernetes", with({"00.120000001Z", "00.620000001Z", "01.120000001Z"}, "2026-03-01T10:00:", " stdout F"), 0.5,
        true);
    row("logcat", with(halves, "03-01 10:00:", "  3627  3627 E TegraStats:"), 0.5, false);
}

void TestTegrastatsStamps::stampsOfOthers()
{
    QFETCH(QStringList, stamps);
    QFETCH(double, step);
    QFETCH(bool, hasDate);
    const std::set<std::string> wanted = names(read(sampleLine(0) + "\n"));
    QByteArray log;
    for (const QString &stamp : stamps)
        log += stamp.toUtf8() + " "
            + sampleLine(0).replace("GR3D_FREQ 0%", "GR3D_FREQ " + QByteArray::number(log.size() % 90) + "%") + "\n";
    const OpenedTrace opened = read(log);
    QCOMPARE(names(opened), wanted); // Nothing of the stamp is taken for a value.
    QVERIFY2(opened.notes.empty(), opened.notes.empty() ? "" : opened.notes.front().c_str());
    QVERIFY(opened.account.balances() && opened.account.shown() == 3 && opened.account.leftOut() == 0);
    for (const CounterTrack &counter : opened.trace.counters())
        if (counter.info().name == "GPU load") {
            QCOMPARE(counter.endIndex() - counter.firstIndex(), std::uint64_t{4});
            for (std::uint64_t i = 0; i < 4; ++i)
                QCOMPARE(static_cast<double>(counter.at(counter.firstIndex() + i).first) / kStampSecond,
                         static_cast<double>(i) * step);
        }
    QCOMPARE(opened.trace.origin().wallClockOffsetNs / kStampSecond, hasDate ? kMarch : 0);
}

void TestTegrastatsStamps::isNoStamp_data()
{
    QTest::addColumn<QString>("text");
    for (const char *text : {"RAM 1/2MB",
                             "03-01-2026 10:00:00 RAM 1/2MB",
                             "1923/3964MB",
                             "2026",
                             "2026-03-01",
                             "2026-13-01T10:00:00 RAM",
                             "2026-03-01T10:61:00 RAM",
                             "10:00 RAM",
                             "Mar 99 10:00:00 RAM",
                             "12 RAM",
                             "1772359200123456789012 RAM",
                             "9784583201 RAM",
                             "9784583201123456 RAM",
                             "9784583201123456789 RAM", // Too far in the future to be told.
                             "Mar 01",
                             "42.593C Tboard@32C",
                             "[not] RAM",
                             "",
                             " ",
                             "[",
                             "<",
                             "2026-03-01T10:00:00x RAM"})
        QTest::newRow(text) << text;
}

void TestTegrastatsStamps::isNoStamp()
{
    QFETCH(QString, text);
    const LineStamp stamp = lineStampOf(text.toStdString());
    QCOMPARE(static_cast<int>(stamp.kind), static_cast<int>(LineStamp::Kind::None));
    QCOMPARE(stamp.size, std::size_t{0});
}

void TestTegrastatsStamps::zonesAreObeyed()
{
    for (const auto &[text, hours] :
         {std::pair("2026-03-01T10:00:00Z x", 0), std::pair("2026-03-01T10:00:00+01:00 x", -1),
          std::pair("2026-03-01T10:00:00-0530 x", 5), std::pair("2026-03-01T10:00:00+02 x", -2)}) {
        const LineStamp stamp = lineStampOf(text);
        QCOMPARE(stamp.ns / kStampSecond, kMarch + hours * 3600 + (hours == 5 ? 1800 : 0));
    }
    qputenv("TZ", "UTC-2");
    QCOMPARE(lineStampOf("2026-03-01T10:00:00 x").ns / kStampSecond, kMarch - 7200);
    QCOMPARE(lineStampOf("2026-03-01T10:00:00Z x").ns / kStampSecond, kMarch);
    qputenv("TZ", "UTC");
    QCOMPARE(lineStampOf("2028-02-29T00:00:00Z x").ns / kStampSecond, std::int64_t{1'835'395'200});
}

/// tegrastats' own stamps count whole seconds.
void TestTegrastatsStamps::finerStampsWin()
{
    const auto duration = [this](const char *first, const char *second) {
        const OpenedTrace opened = read(QByteArray(first) + " 03-01-2026 10:00:00 RAM 1/2MB N 1\n" + second
                                        + " 03-01-2026 10:00:00 RAM 1/2MB N 2\n");
        const CounterTrack &counter = opened.trace.counters().back();
        return static_cast<double>(counter.at(counter.firstIndex() + 1).first) / kStampSecond;
    };
    QCOMPARE(duration("2026-03-01T10:00:00.100", "2026-03-01T10:00:00.200"), 0.1);
    QCOMPARE(duration("Mar 01 10:00:00", "Mar 01 10:00:00"), 0.5); // Two lines of a second.
}

void TestTegrastatsStamps::midnightIsNoStepBack()
{
    const auto times = [this](const QByteArray &before, const QByteArray &behind) {
        const OpenedTrace opened = read(before + " RAM 1/2MB N 1\n" + behind + " RAM 1/2MB N 2\n");
        const CounterTrack &counter = opened.trace.counters().back();
        return std::pair(static_cast<double>(counter.at(counter.firstIndex() + 1).first) / kStampSecond,
                         opened.notes.empty());
    };
    QCOMPARE(times("23:59:59.500", "00:00:00.500"), std::pair(1.0, true));
    QCOMPARE(times("Dec 31 23:59:59", "Jan 01 00:00:03"), std::pair(4.0, true));
    QCOMPARE(times("Feb 28 23:59:59", "Mar 01 00:00:03"), std::pair(4.0, true));
    QCOMPARE(times("Feb 29 23:59:59", "Mar 01 00:00:03"), std::pair(4.0, true));
    QCOMPARE(times("10:00:01.5", "10:00:00.5"), std::pair(0.0, false)); // The clock was set back.
}

/// Several tools write into one log.
void TestTegrastatsStamps::otherToolsDoNotDisturb()
{
    QByteArray log = "2026-03-01 09:00:00 starting the benchmark\n";
    for (int i = 0; i < 10; ++i) {
        log += "2026-03-01T10:00:0" + QByteArray::number(i) + ".250 RAM 1/2MB N " + QByteArray::number(i) + "\n";
        if (i % 3 == 0)
            log += "[ 12.5] usb 1-1: new device\nframe " + QByteArray::number(i) + ": 12 ms\n";
        if (i == 5)
            log += "17:00:00 RAM 1/2MB N 99\n"; // A line of a terminal with another clock.
    }
    const OpenedTrace opened = read(log);
    QCOMPARE(opened.account.shown(), std::uint64_t{11});
    QCOMPARE(opened.account.leftOut(), std::uint64_t{9});
    QVERIFY(opened.account.balances());
    const CounterTrack &counter = opened.trace.counters().back();
    QCOMPARE(*counter.valueAt(9 * kStampSecond), 9.0);
    QCOMPARE(opened.trace.newestNs() / kStampSecond, std::int64_t{9});
}

void TestTegrastatsStamps::olderFormsOfLines_data()
{
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<int>("loads"); // Of the CPU's cores.
    QTest::addColumn<double>("gpu");
    QTest::newRow("L4T 28, TX2") << QByteArray("RAM 2440/6660MB (lfb 620x4MB) cpu [1%@1994,34%@2035,9%@2035,1%@1993,3%@"
                                               "1992,2%@1996] EMC 9%@1600 GR3D 97%@1275 GR3D_PCI 0%@2607")
                                 << 6 << 97.0;
    QTest::newRow("L4T 28, TX1") << QByteArray(
        "RAM 3607/3983MB (lfb 47x4MB) SWAP 873/8192MB (cached 281MB) cpu [17%,11%,"
        "65%,0%]@1734 EMC 1%@1600 APE 25 GR3D 39%@76")
                                 << 4 << 39.0;
    QTest::newRow("L4T 27, cores that are off") << QByteArray(
        "RAM 1200/7855MB (lfb 1290x4MB) CPU [9%@345,off,off,6%@345,3%@345,7%@345] EMC_FREQ 3%@665 GR3D_FREQ "
        "12%@114") << 4 << 12.0;
    QTest::newRow("temperature of a cpu")
        << QByteArray("RAM 1/2MB cpu@46.5C CPU [5%@1] GR3D_FREQ 7%@[305] cpu@46.5C") << 1 << 7.0;
    QTest::newRow("without root") << QByteArray(
        "01-05-2026 23:46:32 RAM 3534/7620MB (lfb 22x4MB) CPU [1%@1728,9%@1728] "
        "GR3D_FREQ 8% cpu@51.468C VDD_IN 7764mW/7764mW")
                                  << 2 << 8.0;
    QTest::newRow("parts of an Orin's GPU") << QByteArray(
        "10-13-2026 12:00:00 RAM 4023/30536MB CPU [0%@1190,0%@1190,off,off] EMC_FREQ 0%@2133 GR3D_FREQ 5%@[0,0] "
        "cpu@45.5C tj@45.5C") << 2 << 5.0;
    QTest::newRow("Thor, JetPack 7.1") << QByteArray("RAM 9000/125772MB GR3D_FREQ 99%@[1098,1098,1098] CPU [1%@972]")
                                       << 1 << 99.0;
}

void TestTegrastatsStamps::olderFormsOfLines()
{
    QFETCH(QByteArray, line);
    QFETCH(int, loads);
    QFETCH(double, gpu);
    const OpenedTrace opened = read(line + "\n" + line + "\n");
    int found = 0;
    for (const CounterTrack &counter : opened.trace.counters()) {
        const QString name = QString::fromStdString(counter.info().name);
        found += name.startsWith("CPU ") && name.endsWith(" load") && counter.valueAt(0) ? 1 : 0;
        if (name == "GPU load")
            QCOMPARE(*counter.valueAt(0), gpu);
        QVERIFY2(!name.startsWith("cpu "), qPrintable(name));
    }
    QCOMPARE(found, loads);
    QCOMPARE(opened.account.shown(), std::uint64_t{2});
}

void TestTegrastatsStamps::linesAreShownOrLeftOut_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<int>("shown");
    QTest::addColumn<int>("leftOut");
    const QByteArray line = sampleLine(4);
    const auto row = [](const char *name, const QByteArray &log, int shown, int leftOut) {
        QTest::newRow(name) << log << shown << leftOut;
    };
    row("lines", (line + "\n").repeated(5), 5, 0);
    row("empty lines are none", line + "\n\n\r\n  \n" + line, 2, 0);
    row("other lines", "a\n" + line + "\nb\n" + line + "\nc", 2, 3);
    row("no line end between", line + " " + line + "\n", 2, 0);
    row("overlong lines", line + "\n" + QByteArray(100'000, 'x') + "\n" + QByteArray(100'000, 'y'), 1, 2);
    row("cut at the end", line + "\n" + line.left(200), 2, 0);
    row("cut at the first item", line + "\n" + line.left(40) + "\n", 1, 1);
}

void TestTegrastatsStamps::linesAreShownOrLeftOut()
{
    QFETCH(QByteArray, log);
    QFETCH(int, shown);
    QFETCH(int, leftOut);
    const ImportAccount account = read(log).account;
    QVERIFY(account.balances());
    QCOMPARE(account.shown(), static_cast<std::uint64_t>(shown));
    QCOMPARE(account.leftOut(), static_cast<std::uint64_t>(leftOut));
}

void TestTegrastatsStamps::randomLinesBalance()
{
    QRandomGenerator random(3);
    const QByteArrayList pieces{"2026-03-01T10:00:0",
                                "Mar 01 10:00:00 ",
                                "[ 1.25] ",
                                "1772359200.5 ",
                                "10:00:00 ",
                                "orin tegrastats[8]: ",
                                "RAM 1/2MB ",
                                "CPU [5%@1] ",
                                "cpu [5%]@3 ",
                                "\n",
                                "\r\n",
                                "03-01-2026 10:00:00 ",
                                "GPU@5C ",
                                "x",
                                " "};
    for (int round = 0; round < 600; ++round) {
        QByteArray log = "RAM 1/2MB\n";
        for (int i = random.bounded(1, 40); i > 0; --i)
            log += pieces[random.bounded(static_cast<int>(pieces.size()))];
        const OpenedTrace opened = read(log);
        QVERIFY2(opened.account.balances(), log.constData());
        std::uint64_t texts = 0;
        for (const QByteArray &line : log.split('\n'))
            texts += line.trimmed().isEmpty() ? 0 : 1;
        QVERIFY2(opened.account.read() >= texts, log.constData()); // More where a line end is missing.
    }
}

JETSCOPE_TEST(TestTegrastatsStamps)
#include "tst_tegrastatsstamps.moc"
