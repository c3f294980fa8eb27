// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/importers.h"
#include "core/trace/timelimits.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/sampletrace.h"
#include "tests/core/tegrastatssamples.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <map>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

QByteArray bytesOf(std::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

/// The values by counter at a time; unknown ones are left out.
std::map<std::string, double> valuesAt(const Trace &trace, std::int64_t ns)
{
    std::map<std::string, double> values;
    for (const CounterTrack &counter : trace.counters())
        if (const auto value = counter.valueAt(ns))
            values[counter.info().name + " " + counter.info().unit] = *value;
    return values;
}

/// Of one counter, "time in seconds:value" of every sample.
QStringList samplesOf(const Trace &trace, const std::string &name)
{
    QStringList samples;
    for (const CounterTrack &counter : trace.counters())
        for (std::uint64_t i = counter.firstIndex(); counter.info().name == name && i < counter.endIndex(); ++i) {
            const auto [ns, value] = counter.at(i);
            samples << QString("%1:%2")
                           .arg(static_cast<double>(ns) / kSecond)
                           .arg(std::isnan(value) ? QString("?") : QString::number(value));
        }
    return samples;
}

} // namespace

class TestTegrastats : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString write(const QByteArray &log)
    {
        const QString path = m_folder.filePath("log.txt");
        writeFile(path, log);
        return path;
    }
    Result<OpenedTrace> opened(const QByteArray &log)
    {
        Watcher watcher;
        return openTrace(write(log).toStdString(), watcher);
    }
    /// The trace of a log that must be readable.
    OpenedTrace read(const QByteArray &log)
    {
        Result<OpenedTrace> result = opened(log);
        if (!result.ok())
            qFatal("%s", result.error().text.c_str());
        return std::move(result).value();
    }

private slots:
    void initTestCase() { qputenv("TZ", "UTC"); }
    void readsEveryRelease_data();
    void readsEveryRelease();
    void namesAreThoseOfLiveCounters();
    void everyPrefixIsRightOrUnknown_data();
    void everyPrefixIsRightOrUnknown();
    void linesInAnyOrderGiveTheSame();
    void unknownItemsKeepTheirNames();
    void valuesAreReadAsTheyArePrinted();
    void railsAreReadAsTheyArePrinted();
    void whatALineLacksIsUnknown();
    void timesComeFromStamps();
    void aClockSetBackGoesOn();
    void linesWithoutStampsAreASecondApart();
    void joinsACaptureByTimeOfDay();
    void joinsACaptureByHand();
    void survives_data();
    void survives();
    void refusesOtherFiles_data();
    void refusesOtherFiles();
    void manyNamesStayFew();
    void isFast();
    void canBeCancelled();
    void survivesRandomBytes();
};

void TestTegrastats::readsEveryRelease_data()
{
    using Values = std::map<std::string, double>;
    constexpr double kMiB = 1024.0 * 1024;
    QTest::addColumn<int>("sample");
    QTest::addColumn<std::size_t>("count");
    QTest::addColumn<Values>("some");
    QTest::newRow("Nano") << 0 << std::size_t{35}
                          << Values{{"memory used B", 1923 * kMiB},
                                    {"memory total B", 3964 * kMiB},
                                    {"memory largest free block B", 2 * kMiB},
                                    {"memory free blocks of that size ", 2},
                                    {"swap cached B", 6 * kMiB},
                                    {"IRAM total B", 252 * 1024},
                                    {"IRAM largest free block B", 252 * 1024},
                                    {"CPU 3 load %", 6},
                                    {"CPU 3 clock Hz", 1.224e9},
                                    {"memory controller load %", 0},
                                    {"memory clock Hz", 1.6e9},
                                    {"GPU load %", 0},
                                    {"GPU clock Hz", 76e6},
                                    {"APE clock Hz", 25e6},
                                    {"temperature thermal °C", 40},
                                    {"power POM_5V_IN W", 1.75},
                                    {"power POM_5V_IN average W", 1.628},
                                    {"power POM_5V_CPU average W", 0.406}};
    QTest::newRow("TX2") << 1 << std::size_t{41}
                         << Values{{"MTS foreground %", 0},          {"MTS background %", 1},
                                   {"temperature thermal °C", 38.5}, {"CPU 1 load %", 26},
                                   {"power VDD_IN W", 2.93},         {"power VDD_SYS_DDR average W", 0.758}};
    QTest::newRow("Xavier NX") << 2 << std::size_t{32}
                               << Values{{"CPU 3 clock Hz", 1.907e9},
                                         {"GPU clock Hz", 510e6},
                                         {"VIC clock Hz", 601e6},
                                         {"power VDD_SOC W", 1.104}};
    QTest::newRow("AGX Orin") << 3 << std::size_t{58}
                              << Values{{"CPU 11 clock Hz", 729e6},        {"GPU 2 load %", 0}, {"GPU 2 clock Hz", 0},
                                        {"temperature CPU °C", 42.593},    {"power NC W", 0},   {"power NC (2) W", 0},
                                        {"power VDDQ_VDD2_1V8AO W", 0.301}};
    QTest::newRow("Orin Nano") << 4 << std::size_t{36}
                               << Values{{"memory controller load %", 4},
                                         {"GPU clock Hz", 305e6},
                                         {"APE clock Hz", 200e6},
                                         {"temperature tj °C", 48.843},
                                         {"power VDD_IN average W", 5.704}};
    QTest::newRow("Thor") << 5 << std::size_t{38}
                          << Values{{"CPU clock Hz", 1.2e9},
                                    {"GPU clock Hz", 1.575e9},
                                    {"GPU part 2 clock Hz", 1.574e9},
                                    {"GPU part 3 clock Hz", 1.573e9},
                                    {"NVENC0 clock Hz", 1.125e9},
                                    {"temperature gpu °C", 40.25},
                                    {"temperature gpu highest °C", 44.5},
                                    {"power VIN highest W", 30}};
}

void TestTegrastats::readsEveryRelease()
{
    using Values = std::map<std::string, double>;
    QFETCH(int, sample);
    QFETCH(std::size_t, count);
    QFETCH(Values, some);
    const OpenedTrace log = read(bytesOf(kTegrastatsSamples[static_cast<std::size_t>(sample)].line) + "\n");
    const Values values = valuesAt(log.trace, 0);
    for (const auto &[name, value] : some) {
        QVERIFY2(values.count(name) == 1, name.c_str());
        QCOMPARE(values.at(name), value);
    }
    QCOMPARE(values.size(), count); // All others: off, or a sensor that is off.
    QVERIFY(log.notes.empty());
    for (const CounterTrack &counter : log.trace.counters())
        QVERIFY2(counter.info().name.find("_FREQ") == std::string::npos, counter.info().name.c_str());
}

void TestTegrastats::namesAreThoseOfLiveCounters()
{
    const OpenedTrace log = read(bytesOf(kTegrastatsSamples[4].line) + "\n");
    const auto values = valuesAt(log.trace, 0);
    for (const char *name : {"GPU load %", "GPU clock Hz", "memory clock Hz", "temperature tj °C", "power VDD_IN W"})
        QVERIFY2(values.count(name) == 1, name);
}

void TestTegrastats::everyPrefixIsRightOrUnknown_data()
{
    QTest::addColumn<int>("sample");
    for (std::size_t i = 0; i < kTegrastatsSamples.size(); ++i)
        QTest::newRow(kTegrastatsSamples[i].name) << static_cast<int>(i);
}

void TestTegrastats::everyPrefixIsRightOrUnknown()
{
    QFETCH(int, sample);
    const QByteArray whole = bytesOf(kTegrastatsSamples[static_cast<std::size_t>(sample)].line);
    const auto right = valuesAt(read(whole + "\n").trace, 0);
    const auto isRight = [&](const std::map<std::string, double> &values) {
        return std::all_of(values.begin(), values.end(), [&](const auto &entry) {
            const auto found = right.find(entry.first);
            return found != right.end() && found->second == entry.second;
        });
    };
    std::size_t most = 0;
    for (qsizetype size = 0; size < whole.size(); ++size) {
        // At the end of a file.
        const Result<OpenedTrace> cut = opened(whole.left(size));
        if (cut.ok()) {
            const auto values = valuesAt(cut.value().trace, 0);
            QVERIFY2(isRight(values), whole.left(size).constData());
            most = std::max(most, values.size());
        }
        // Within a log, and with the rest of the line in a line of its own. A last number without a unit may be cut
        // unnoticed there, and what is left of IRAM looks like RAM.
        if ((size > whole.lastIndexOf(' ') && whole.back() != 'W') || whole.mid(size - 1).startsWith("IRAM"))
            continue;
        const OpenedTrace within = read(whole + "\n" + whole.left(size) + "\n" + whole.mid(size) + "\n" + whole + "\n");
        for (const CounterTrack &counter : within.trace.counters())
            for (std::uint64_t i = counter.firstIndex(); i < counter.endIndex(); ++i)
                if (const double value = counter.at(i).second; !std::isnan(value))
                    QVERIFY2(isRight({{counter.info().name + " " + counter.info().unit, value}}),
                             whole.left(size).constData());
    }
    QVERIFY(most + 3 >= right.size());
}

void TestTegrastats::linesInAnyOrderGiveTheSame()
{
    for (const TegrastatsSample &sample : kTegrastatsSamples) {
        const QByteArray line = bytesOf(sample.line);
        const auto right = valuesAt(read(line + "\n").trace, 0);
        // Items begin at blanks that stand before a letter behind which there is a value.
        const qsizetype temperatures = line.indexOf(" APE ");
        const QByteArray stamp = line.mid(2, 1) == "-" ? line.left(20) : QByteArray();
        const QByteArray turned =
            stamp + line.mid(temperatures + 1) + " " + line.mid(stamp.size(), temperatures - stamp.size());
        QCOMPARE(valuesAt(read(turned + "\n").trace, 0), right);
    }
}

void TestTegrastats::unknownItemsKeepTheirNames()
{
    const OpenedTrace log =
        read("RAM 1/2MB NEW_THING 17 FAN 2100RPM hub@12.5V X 3/4mA novel@1C PVA0_FREQ 77 Q 5% W @7\n");
    const std::map<std::string, double> wanted{{"memory used B", 1 << 20},
                                               {"memory total B", 2 << 20},
                                               {"NEW_THING ", 17},
                                               {"FAN RPM", 2100},
                                               {"hub V", 12.5},
                                               {"X mA", 3},
                                               {"X 1 mA", 4},
                                               {"temperature novel °C", 1},
                                               {"PVA0 clock Hz", 77e6},
                                               {"Q load %", 5},
                                               {"W clock Hz", 7e6}};
    QCOMPARE(valuesAt(log.trace, 0), wanted);
}

/// Other programs print the lists with blanks; some drivers print words in place of a clock.
void TestTegrastats::valuesAreReadAsTheyArePrinted()
{
    const OpenedTrace log = read("RAM 1/2MB CPU [1%@729, 2%@729] EMC_FREQ 40%@NaN GR3D_FREQ 20%@[0, 300, 400] N 1\n"
                                 "RAM 1/2MB CPU [1%@729, 2%@729] GR3D_FREQ 30%@N/A N 1\n"
                                 "RAM 1/2MB CPU [1%@729, 2%] GR3D_FREQ 1.2.3%%@5 N 1\n");
    QCOMPARE(samplesOf(log.trace, "CPU 1 load"), (QStringList{"0:2", "3:?"}));
    QCOMPARE(samplesOf(log.trace, "GPU load"), (QStringList{"0:20", "1:30", "2:?"}));
    QCOMPARE(samplesOf(log.trace, "memory controller load").first(), QString("0:40"));
    QCOMPARE(samplesOf(log.trace, "N"), (QStringList{"0:1", "3:?"}));
    QVERIFY(std::any_of(log.notes.begin(), log.notes.end(),
                        [](const std::string &note) { return QString::fromStdString(note).contains("GR3D_FREQ"); }));
}

/// Of several releases, and of what is between tegrastats and a file.
void TestTegrastats::railsAreReadAsTheyArePrinted()
{
    const OpenedTrace log =
        read("RAM 1/2MB VDD_IN 6848mW VDD_GPU -392mW/-392mW NVDLA0 OFF VIN 9mW/8mW/11mW POM 7/6 N 1\n"
             "RAM 1/2MB VDD_IN 6848mW VDD_GPU 5mW/0mW NVDLA0 OFF VIN 9mW/8mW/11mW POM 7/6 N 1\n");
    // Power is stored for each line, because it is integrated over its readings.
    QCOMPARE(samplesOf(log.trace, "power VDD_IN"), (QStringList{"0:6.848", "1:6.848", "2:?"}));
    QCOMPARE(samplesOf(log.trace, "power VDD_GPU"), (QStringList{"0:-0.392", "1:0.005", "2:?"}));
    QCOMPARE(samplesOf(log.trace, "power VIN highest"), (QStringList{"0:0.011", "2:?"}));
    QCOMPARE(samplesOf(log.trace, "power POM"), (QStringList{"0:0.007", "1:0.007", "2:?"}));
    QVERIFY(samplesOf(log.trace, "NVDLA0 clock").size() <= 1);
    QVERIFY(std::none_of(log.notes.begin(), log.notes.end(), [](const std::string &note) {
        return QString::fromStdString(note).contains("cannot be read");
    }));
}

void TestTegrastats::whatALineLacksIsUnknown()
{
    const OpenedTrace log =
        read("RAM 1/2MB VIC 5 A@1C\nRAM 1/2MB VIC off A@-256C\nRAM 1/2MB A@3C\nRAM 1/2MB VIC 5 A@3C\n");
    QCOMPARE(samplesOf(log.trace, "memory used"), (QStringList{"0:1.04858e+06", "4:?"}));
    QCOMPARE(samplesOf(log.trace, "VIC clock"), (QStringList{"0:5e+06", "1:?", "3:5e+06", "4:?"}));
    QCOMPARE(samplesOf(log.trace, "temperature A"), (QStringList{"0:1", "1:?", "2:3", "4:?"}));
}

void TestTegrastats::timesComeFromStamps()
{
    // Four lines in a second, two in another, and a gap in which nothing is known.
    QByteArray text;
    int value = 0;
    for (const char *second : {"58", "58", "58", "58", "59", "59"})
        text += QByteArray("12-31-1999 23:59:") + second + " RAM 1/2MB N " + QByteArray::number(++value) + "\n";
    text += "01-01-2000 00:00:04 RAM 1/2MB N 7\r\n";
    const OpenedTrace log = read(text);
    QCOMPARE(samplesOf(log.trace, "N"),
             (QStringList{"0:1", "0.25:2", "0.5:3", "0.75:4", "1:5", "1.5:6", "1.75:?", "6:7", "7:?"}));
    QCOMPARE(samplesOf(log.trace, "memory used"), (QStringList{"0:1.04858e+06", "1.75:?", "6:1.04858e+06", "7:?"}));
    QCOMPARE(log.trace.origin().wallClockOffsetNs, std::int64_t{946684798} * kSecond);
    QCOMPARE(log.notes.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(log.notes.at(0)).startsWith("times without lines"));
}

void TestTegrastats::aClockSetBackGoesOn()
{
    const OpenedTrace log = read("01-02-2020 00:00:10 RAM 1/2MB N 1\n01-02-2020 00:00:11 RAM 1/2MB N 2\n"
                                 "01-01-2020 00:00:00 RAM 1/2MB N 3\n01-01-2020 00:00:05 RAM 1/2MB N 4\n");
    QCOMPARE(samplesOf(log.trace, "N"), (QStringList{"0:1", "1:2", "2:3", "3:?", "7:4", "9.33333:?"}));
    QVERIFY(QString::fromStdString(log.notes.at(0)).contains("set back"));
    // To and fro between the ends of what can be told.
    QByteArray wild;
    for (int i = 0; i < 20; ++i)
        wild += i % 2 ? "01-01-1970 00:00:00 RAM 1/2MB\n" : "12-31-2100 23:59:59 RAM 1/2MB\n";
    QVERIFY(!read(wild).trace.empty());
    for (const char *impossible : {"13-01-2020 00:00:00", "00-10-2020 00:00:00", "01-01-0000 00:00:00",
                                   "01-32-2020 00:00:00", "01-01-2020 24:00:00", "99-99-9999 99:99:99"})
        QCOMPARE(read(QByteArray(impossible) + " RAM 1/2MB\n").trace.origin().wallClockOffsetNs, std::int64_t{0});
}

void TestTegrastats::linesWithoutStampsAreASecondApart()
{
    const QByteArray text = "RAM 1/2MB N 1\nRAM 1/2MB N 2\nRAM 1/2MB N 3\n";
    const OpenedTrace log = read(text);
    QCOMPARE(samplesOf(log.trace, "N"), (QStringList{"0:1", "1:2", "2:3", "3:?"}));
    QVERIFY(QString::fromStdString(log.notes.at(0)).contains("--log-interval"));
    NoProgress progress;
    const Result<OpenedTrace> faster = importTegrastats(write(text).toStdString(), progress, {0, kSecond / 10});
    QVERIFY(faster.ok() && faster.value().notes.empty());
    QCOMPARE(samplesOf(faster.value().trace, "N"), (QStringList{"0:1", "0.1:2", "0.2:3", "0.3:?"}));
}

void TestTegrastats::joinsACaptureByTimeOfDay()
{
    OpenedTrace capture{sampleTrace(), {}};
    const std::int64_t unixNs = capture.trace.oldestNs() + capture.trace.origin().wallClockOffsetNs;
    const QByteArray second =
        QDateTime::fromSecsSinceEpoch(unixNs / kSecond, Qt::UTC).toString("MM-dd-yyyy HH:mm:ss").toLatin1();
    const std::size_t before = capture.trace.counters().size();
    NoProgress progress;
    const std::string path = write(second + " RAM 1/2MB N 1 GR3D_FREQ 9%@76\n").toStdString();
    QVERIFY(addTegrastats(capture, path, progress).ok());
    const std::int64_t wanted = unixNs / kSecond * kSecond - capture.trace.origin().wallClockOffsetNs;
    const CounterTrack &first = capture.trace.counters().at(before);
    QCOMPARE(first.at(first.firstIndex()).first, wanted);
    QVERIFY(wanted <= capture.trace.oldestNs() && wanted > capture.trace.oldestNs() - kSecond);
    QVERIFY(QString::fromStdString(capture.notes.at(0)).contains("aligned by its time stamps"));
    QCOMPARE(capture.notes.size(), std::size_t{1});
    // The counter that the capture already has is kept.
    QCOMPARE(samplesOf(capture.trace, "GPU load (tegrastats)").size(), 2);
    QVERIFY(!samplesOf(capture.trace, "GPU load").isEmpty());
    // Another day: the note says how far.
    OpenedTrace other{sampleTrace(), {}};
    QVERIFY(addTegrastats(other, write("01-01-2020 00:00:00 RAM 1/2MB\n").toStdString(), progress).ok());
    QVERIFY(QString::fromStdString(other.notes.at(1)).contains("--with-offset 1"));
}

void TestTegrastats::joinsACaptureByHand()
{
    NoProgress progress;
    const std::string path = write("RAM 1/2MB N 1\nRAM 1/2MB N 2\n").toStdString();
    OpenedTrace capture{sampleTrace(), {}};
    const std::int64_t begin = capture.trace.oldestNs();
    QVERIFY(addTegrastats(capture, path, progress, {-kSecond / 4, kSecond / 2}).ok());
    const CounterTrack &last = capture.trace.counters().back();
    QCOMPARE(QString::fromStdString(last.info().name), QString("N"));
    QCOMPARE(last.at(0).first, begin - kSecond / 4);
    QCOMPARE(last.at(1).first, begin + kSecond / 4);
    QVERIFY(QString::fromStdString(capture.notes.at(0)).contains("--with-offset"));
    for (const std::int64_t offset : {std::numeric_limits<std::int64_t>::max(), kMaxTraceNs})
        QVERIFY(!addTegrastats(capture, path, progress, {offset, {}}).ok());
}

void TestTegrastats::survives_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::addColumn<std::size_t>("values");
    const QByteArray line = bytesOf(kTegrastatsSamples[4].line);
    const auto row = [](const char *name, const QByteArray &log, std::size_t values) {
        QTest::newRow(name) << log << values;
    };
    row("CRLF", line + "\r\n", 36);
    row("other output before", "boot ok\n\n[  12.3] usb 1-1: new device\n" + line + "\n", 36);
    row("other output in the line", "RAM 1/2MB [ 12.3] usb 1-1: device 3: ok\n", 2);
    row("other output before the stamp", "kernel: " + line + "\n", 36);
    row("no line end between", line + line + "\n", 34); // The last rail of the first line runs into the stamp.
    row("no line end between, with a blank", line + " " + line + "\n", 36);
    row("NUL bytes", QByteArray("RAM 1/2MB \0\0 N\0 5 M 6\n", 23), 3);
    row("not UTF-8", "RAM 1/2MB \xff\xfe N\x80 5 M 6 t\xc3@5C\n", 3);
    row("huge numbers", "RAM 1/2MB A 99999999999999999999999 B 1e400 C@999999999C D 999999999999999 E 5%@99999999\n",
        4);
    row("negative", "RAM -1/-2MB A -5 CPU [-1%@-1] B@-40C\n", 2);
    row("no numbers", "RAM 1/2MB A . B - C@C D % E / F @ G [ H ( I x J off\n", 2);
    row("nothing in lists", "RAM 1/2MB CPU [] GR3D_FREQ @[] EMC_FREQ %@\n", 2);
    row("open lists", "RAM 1/2MB CPU [5%@1,\nRAM 1/2MB GR3D_FREQ 5%@[1,\n", 2);
    row("a line of ten megabytes", QByteArray(10 << 20, 'x') + "\n" + line + "\n", 0);
    row("a line of ten megabytes behind", line + "\n" + QByteArray(10 << 20, '5') + "\n", 36);
}

void TestTegrastats::survives()
{
    QFETCH(QByteArray, log);
    QFETCH(std::size_t, values);
    NoProgress progress;
    const Result<OpenedTrace> result = importTegrastats(write(log).toStdString(), progress);
    QVERIFY(result.ok());
    const std::map<std::string, double> found = valuesAt(result.value().trace, 0);
    if (values > 0)
        QCOMPARE(found.size(), values);
    for (const auto &[name, value] : found)
        QVERIFY(std::isfinite(value));
}

void TestTegrastats::refusesOtherFiles_data()
{
    QTest::addColumn<QByteArray>("log");
    QTest::newRow("text") << QByteArray("hello, world\n");
    QTest::newRow("zeros") << QByteArray(5000, '\0');
    QTest::newRow("words") << QByteArray("RAM is 5/6 full and the CPU [idle] is 3%\n");
    QTest::newRow("one cut line") << QByteArray("RAM 1923/3964MB");
    QTest::newRow("ten megabytes") << QByteArray(10 << 20, 'R');
}

void TestTegrastats::refusesOtherFiles()
{
    QFETCH(QByteArray, log);
    const Result<OpenedTrace> result = opened(log);
    QVERIFY(!result.ok());
    NoProgress progress;
    OpenedTrace capture{sampleTrace(), {}};
    const std::size_t before = capture.trace.counters().size();
    const Status added = addTegrastats(capture, write(log).toStdString(), progress);
    QVERIFY(!added.ok() && added.error().text.find("no line of tegrastats") != std::string::npos);
    QCOMPARE(capture.trace.counters().size(), before);
}

void TestTegrastats::manyNamesStayFew()
{
    QByteArray log = "RAM 1/2MB";
    for (int i = 0; i < 2000; ++i)
        log += " N" + QByteArray::number(i) + " 1 SAME 2";
    const OpenedTrace opened = read(log + "\n" + log + "\n");
    QVERIFY(opened.trace.counters().size() <= 512);
    QVERIFY(opened.trace.memoryBytes() < 64 << 20);
    QVERIFY(QString::fromStdString(opened.notes.back()).contains("512"));
}

/// Ten thousand lines of the longest kind, against looking at each of their bytes once.
void TestTegrastats::isFast()
{
    QByteArray log;
    QRandomGenerator random(1);
    for (int i = 0; i < 10'000; ++i)
        log +=
            bytesOf(kTegrastatsSamples[3].line)
                .replace("00:01:24", QTime(0, 0).addSecs(i).toString("HH:mm:ss").toLatin1())
                .replace("0%@729",
                         QByteArray::number(random.bounded(100)) + "%@" + QByteArray::number(random.bounded(700, 2000)))
                .replace("2399mW", QByteArray::number(random.bounded(1000, 9000)) + "mW")
            + "\n";
    const std::string path = write(log).toStdString();
    qint64 bestImport = std::numeric_limits<qint64>::max();
    qint64 bestLook = bestImport;
    std::uint64_t hash = 14695981039346656037U;
    for (int turn = 0; turn < 5; ++turn) {
        QElapsedTimer timer;
        timer.start();
        NoProgress progress;
        const Result<OpenedTrace> imported = importTegrastats(path, progress);
        bestImport = std::min(bestImport, timer.nsecsElapsed());
        QVERIFY(imported.ok());
        timer.start();
        for (const char c : log)
            hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
        bestLook = std::min(bestLook, timer.nsecsElapsed());
    }
    QVERIFY(hash != 0);
    qInfo("%.1f MB in %.1f ms, %.1f times a look at each byte", static_cast<double>(log.size()) / 1e6,
          static_cast<double>(bestImport) / 1e6, static_cast<double>(bestImport) / static_cast<double>(bestLook));
    QVERIFY(bestImport < bestLook * 60); // About 12 on an idle machine; what grows with the square takes thousands.
}

void TestTegrastats::canBeCancelled()
{
    const std::string path = write((bytesOf(kTegrastatsSamples[3].line) + "\n").repeated(5000)).toStdString();
    Watcher whole;
    QVERIFY(importTegrastats(path, whole).ok());
    QVERIFY(whole.rises);
    Watcher cancelling(0);
    const Result<OpenedTrace> result = importTegrastats(path, cancelling);
    QVERIFY(!result.ok() && wasCancelled(result.error()));
}

/// Samples of all releases with bytes changed, removed and exchanged.
void TestTegrastats::survivesRandomBytes()
{
    QRandomGenerator random(7);
    constexpr char kBytes[] = "0123456789@%[](),/.-x CMBkmWoffRAM\n\r\t\0\xff";
    for (int round = 0; round < 3000; ++round) {
        QByteArray log;
        for (int line = 0; line < 3; ++line)
            log += bytesOf(kTegrastatsSamples[random.bounded(static_cast<quint32>(kTegrastatsSamples.size()))].line)
                + "\n";
        for (int change = random.bounded(1, 30); change > 0; --change) {
            const qsizetype at = random.bounded(static_cast<int>(log.size()));
            if (random.bounded(4) == 0)
                log.remove(at, random.bounded(20));
            else
                log[at] = kBytes[random.bounded(static_cast<int>(sizeof kBytes))];
            if (log.isEmpty())
                log = "x";
        }
        const Result<OpenedTrace> result = opened(log);
        if (!result.ok())
            continue;
        for (const CounterTrack &counter : result.value().trace.counters()) {
            QVERIFY(!counter.info().name.empty());
            QVERIFY(QString::fromStdString(counter.info().name).toStdString() == counter.info().name); // UTF-8.
        }
    }
}

JETSCOPE_TEST(TestTegrastats)
#include "tst_tegrastats.moc"
