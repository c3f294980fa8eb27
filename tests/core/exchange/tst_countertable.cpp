// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/countertable.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr std::int64_t kTableSecond = 1'000'000'000;

/// As jtop's logger writes it.
constexpr const char *kJtop = "time,uptime,CPU1,CPU2,RAM,GPU,Temp CPU,Temp tj,Power VDD_IN,nvp model\n"
                              "2023-05-03 11:23:45.250000,\"1 day, 3:44:55.12\",12,OFF,0.25,30,41.5,42,5000,MAXN\n"
                              "2023-05-03 11:23:45.750000,\"1 day, 3:44:55.62\",13,7,0.25,55,41.5,42,5100,MAXN\n"
                              "2023-05-03 11:23:46.250000,\"1 day, 3:44:56.12\",OFF,8,0.5,99,41.5,42,,MAXN\n";

} // namespace

class TestCounterTable : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &text)
    {
        const QString path = m_folder.filePath("table.csv");
        writeFile(path, text);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher);
    }
    OpenedTrace read(const QByteArray &text)
    {
        Result<OpenedTrace> result = opened(text);
        if (!result.ok())
            qFatal("%s", result.error().text.c_str());
        return std::move(result).value();
    }
    static std::map<std::string, double> valuesAt(const OpenedTrace &opened, double seconds)
    {
        std::map<std::string, double> values;
        for (const CounterTrack &counter : opened.trace.counters())
            if (const auto value = counter.valueAt(static_cast<std::int64_t>(seconds * kTableSecond)))
                values[counter.info().name + " " + counter.info().unit] = *value;
        return values;
    }

private slots:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void readsJtop();
    void readsNvidiaSmi();
    void severalGpusStayApart();
    void otherColumnsOfTime();
    void rowsAreShownOrLeftOut();
    void timesThatCannotBeAreLeftOut();
    void isNoTable_data();
    void isNoTable();
    void randomTablesBalance();
};

void TestCounterTable::readsJtop()
{
    const OpenedTrace table = read(kJtop);
    using Values = std::map<std::string, double>;
    QCOMPARE(valuesAt(table, 0),
             (Values{{"CPU 0 load %", 12},
                     {"RAM ", 0.25},
                     {"GPU load %", 30},
                     {"temperature CPU °C", 41.5},
                     {"temperature tj °C", 42},
                     {"power VDD_IN W", 5}}));
    QCOMPARE(valuesAt(table, 0.5).at("CPU 1 load %"), 7.0);
    const auto last = valuesAt(table, 1);
    QCOMPARE(last.at("GPU load %"), 99.0);
    QVERIFY(last.count("CPU 0 load %") == 0 && last.count("power VDD_IN W") == 0); // Off, and not written.
    QVERIFY(valuesAt(table, 1.5).empty());
    QCOMPARE(table.trace.origin().wallClockOffsetNs, std::int64_t{1'683'113'025} * kTableSecond + kTableSecond / 4);
    QCOMPARE(table.account.shown(), std::uint64_t{4}); // With the header.
    QCOMPARE(table.account.leftOut(), std::uint64_t{0});
}

void TestCounterTable::readsNvidiaSmi()
{
    const OpenedTrace table =
        read("timestamp, name, utilization.gpu [%], memory.used [MiB], power.draw [W], clocks.sm [MHz]\n"
             "2026/03/01 10:00:00.100, NVIDIA Orin, 12 %, 345 MiB, 10.50 W, 918 MHz\n"
             "2026/03/01 10:00:01.100, NVIDIA Orin, 90 %, 345 MiB, [N/A], 918 MHz\n");
    const auto values = valuesAt(table, 0);
    QCOMPARE(values.size(), std::size_t{4}); // The name is no number.
    QCOMPARE(values.at("GPU load %"), 12.0);
    QCOMPARE(values.at("memory used B"), 345.0 * 1048576);
    QCOMPARE(values.at("power GPU W"), 10.5);
    QCOMPARE(values.at("GPU clock SM Hz"), 918e6);
    QCOMPARE(valuesAt(table, 1).count("power GPU W"), std::size_t{0});
    QCOMPARE(valuesAt(table, 1).at("GPU load %"), 90.0);
}

void TestCounterTable::severalGpusStayApart()
{
    const OpenedTrace table = read("timestamp, index, utilization.gpu [%]\n2026/03/01 10:00:00.100, 0, 12 %\n"
                                   "2026/03/01 10:00:00.100, 1, 50 %\n2026/03/01 10:00:01.100, 0, 13 %\n");
    const auto values = valuesAt(table, 0.5);
    QCOMPARE(values.at("GPU 0: GPU load %"), 12.0);
    QCOMPARE(values.at("GPU 1: GPU load %"), 50.0);
}

void TestCounterTable::otherColumnsOfTime()
{
    for (const char *rows :
         {"Index,Time (mS),Used RAM (MB),GPU\n0,0,5,7\n1,500,6,8\n", "time,RAM,GPU\n100.5,5,7\n101.0,6,8\n",
          "RAM,GPU,timestamp\n5,7,1772359200.5\n6,8,1772359201.0\n", "time,GPU,x\n10:00:00.5,7,a\n10:00:01.0,8,b\n"}) {
        const auto values = valuesAt(read(rows), 0.5);
        QCOMPARE(values.at("GPU load %"), 8.0);
        QVERIFY(values.count("Index ") == 0);
    }
}

void TestCounterTable::rowsAreShownOrLeftOut()
{
    const OpenedTrace table = read(QByteArray("# started\n") + kJtop + "\n" + "now,1,2,3,4,5\n" + kJtop
                                   + QByteArray(70'000, 'x') + "\n2023-05-03 11:23:46.250000,cut");
    std::map<std::string, std::uint64_t> rows;
    for (const ImportAccount::Row &row : table.account.rows())
        rows[row.shownAs + row.reason] = row.events;
    const std::map<std::string, std::uint64_t> wanted{{"names of counters", 2},
                                                      {"counters", 5},
                                                      {"they stand before the names of the columns", 1},
                                                      {"their time cannot be read", 1},
                                                      {"they are older than the row before", 2},
                                                      {"they are longer than 64 KiB", 1}};
    QCOMPARE(rows, wanted);
    QVERIFY(table.account.balances());
}

void TestCounterTable::isNoTable_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("no time") << QByteArray("GPU,CPU1,RAM\n1,2,3\n");
    QTest::newRow("no machine") << QByteArray("time,price,name\n1,2,3\n");
    QTest::newRow("two columns") << QByteArray("time,GPU\n1,2\n");
    QTest::newRow("a sentence") << QByteArray("It took a long time, the GPU, and RAM.\n");
    QTest::newRow("names only") << QByteArray("time,GPU,RAM\n");
    QTest::newRow("no row with a time") << QByteArray("time,GPU,RAM\nnow,1,2\n");
}

/// 158,000 years lie behind the end of what a trace can tell.
void TestCounterTable::timesThatCannotBeAreLeftOut()
{
    const Result<OpenedTrace> result = opened("time,GPU,RAM\n0,1,2\n4999999999999,3,4\n1,5,6\n");
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.newestNs() - result.value().trace.oldestNs(), std::int64_t{2'000'000'000});
}

void TestCounterTable::isNoTable()
{
    QFETCH(QByteArray, text);
    const Result<OpenedTrace> result = opened(text);
    QVERIFY(!result.ok());
    QVERIFY(isOneSentence(result.error().text));
}

void TestCounterTable::randomTablesBalance()
{
    QRandomGenerator random(5);
    const QByteArrayList pieces{"time",
                                "timestamp",
                                ",",
                                "\"",
                                "GPU",
                                "RAM",
                                "CPU1",
                                "\n",
                                "12",
                                " %",
                                "OFF",
                                "1e400",
                                "nan",
                                "-5",
                                "(MB)",
                                "[",
                                "]",
                                "(",
                                "2026-03-01 10:00:00",
                                "17723592",
                                ".5",
                                " ",
                                "\r\n",
                                "\"\"",
                                "Temp ",
                                "99999999999999999999"};
    for (int round = 0; round < 800; ++round) {
        QByteArray text = "time,GPU,RAM\n1.5,2,3\n";
        for (int i = random.bounded(1, 60); i > 0; --i)
            text += pieces[random.bounded(static_cast<int>(pieces.size()))];
        const OpenedTrace table = read(text);
        QVERIFY2(table.account.balances() && table.account.read() >= 2, text.constData());
        for (const CounterTrack &counter : table.trace.counters())
            for (std::uint64_t i = counter.firstIndex(); i < counter.endIndex(); ++i)
                QVERIFY2(!std::isinf(counter.at(i).second), text.constData());
    }
}

JETSCOPE_TEST(TestCounterTable)
#include "tst_countertable.moc"
