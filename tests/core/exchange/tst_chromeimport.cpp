// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/jsontoken.h"
#include "core/exchange/opentrace.h"
#include "tests/core/accounts.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

/// The spans as "lane/depth name start+duration", the names of the lanes and all notes, as lines.
QStringList linesOf(const OpenedTrace &opened)
{
    QStringList lines;
    for (const SpanTrack &track : opened.trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceSpan span = track.at(i);
            lines << QString("%1/%2 %3 %4+%5")
                         .arg(QString::fromStdString(opened.trace.lane(track.lane())->name))
                         .arg(track.depth())
                         .arg(QString::fromStdString(opened.trace.names().text(span.name)))
                         .arg(span.startNs)
                         .arg(span.durationNs);
        }
    return lines;
}

QByteArray repeated(const char *text, int times)
{
    return QByteArray(text).repeated(times);
}

} // namespace

class TestChromeImport : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &json)
    {
        const QString path = m_folder.filePath("trace.json");
        writeFile(path, json);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher);
    }
    QStringList read(const QByteArray &json)
    {
        const Result<OpenedTrace> result = opened(json);
        return result.ok() ? linesOf(result.value()) : QStringList{QString::fromStdString(result.error().text)};
    }

private slots:
    void readsArraysAndObjects();
    void matchesBeginAndEnd();
    void sortsWhatIsUnsorted();
    void givesDepths();
    void readsCountersMarksAndMetadata();
    void readsTruncatedArrays_data();
    void readsTruncatedArrays();
    void countsWhatItLeavesOut();
    void findsFramesOfOthers();
    void keepsNanoseconds_data();
    void keepsNanoseconds();
    void refuses_data();
    void refuses();
    void leavesOutWhatItCannotRead_data();
    void leavesOutWhatItCannotRead();
    void toleratesOddities();
    void hugeInputsStaySmall();
    void canBeCancelled();
};

void TestChromeImport::readsArraysAndObjects()
{
    const QByteArray event = R"({"name":"a","ph":"X","ts":1.5,"dur":2,"pid":1,"tid":7})";
    const QStringList wanted{"thread 7/0 a 1500+2000"};
    QCOMPARE(read("[" + event + "]"), wanted);
    QCOMPARE(read("\xef\xbb\xbf \r\n[\n" + event + "\n]\n\n"), wanted);
    QCOMPARE(read(R"({"traceEvents":[)" + event + "]}"), wanted);
    QCOMPARE(
        read(R"({"a":[1,{"traceEvents":5}],"traceEvents":[)" + event + R"(],"otherData":{"device":"x"},"z":null})"),
        wanted);
    QCOMPARE(read("[]"), QStringList());
    QCOMPARE(read(R"({"traceEvents":[]})"), QStringList());
}

void TestChromeImport::matchesBeginAndEnd()
{
    QCOMPARE(read(R"([{"ph":"B","ts":1,"pid":1,"tid":1,"name":"outer"},{"ph":"B","ts":2,"pid":1,"tid":1,"name":"inner"},
                      {"ph":"B","ts":2,"pid":1,"tid":2,"name":"other"},{"ph":"E","ts":3,"pid":1,"tid":1},
                      {"ph":"E","ts":4,"pid":1,"tid":2},{"ph":"E","ts":5,"pid":1,"tid":1,"args":{"bytes":5}}])"),
             (QStringList{"thread 1/0 outer 1000+4000", "thread 1/1 inner 2000+1000", "thread 2/0 other 2000+2000"}));
    // In any order, because times determine the pairs.
    QCOMPARE(read(R"([{"ph":"E","ts":5,"pid":1,"tid":1},{"ph":"E","ts":3,"pid":1,"tid":1},
                      {"ph":"B","ts":2,"pid":1,"tid":1,"name":"inner"},{"ph":"B","ts":1,"pid":1,"tid":1,"name":"outer"}])"),
             (QStringList{"thread 1/0 outer 1000+4000", "thread 1/1 inner 2000+1000"}));
    // An end with a name closes what has that name, as in Perfetto.
    QCOMPARE(read(R"([{"ph":"B","ts":0,"pid":1,"tid":1,"name":"a"},{"ph":"B","ts":10,"pid":1,"tid":1,"name":"b"},
                      {"ph":"E","ts":20,"pid":1,"tid":1,"name":"a"},{"ph":"E","ts":30,"pid":1,"tid":1,"name":"b"}])"),
             (QStringList{"thread 1/0 a 0+20000", "thread 1/1 b 10000+20000"}));
    // None has it: the innermost one, as before.
    QCOMPARE(read(R"([{"ph":"B","ts":0,"pid":1,"tid":1,"name":"a"},{"ph":"B","ts":10,"pid":1,"tid":1,"name":"b"},
                      {"ph":"E","ts":20,"pid":1,"tid":1,"name":"b2"},{"ph":"E","ts":30,"pid":1,"tid":1,"name":"a2"}])"),
             (QStringList{"thread 1/0 a 0+30000", "thread 1/1 b 10000+10000"}));
    const Result<OpenedTrace> odd =
        opened(R"([{"ph":"E","ts":1,"pid":1,"tid":1},{"ph":"B","ts":2,"pid":1,"tid":1,"name":"open"},
                                               {"ph":"i","ts":9,"pid":1,"tid":1,"name":"last"}])");
    QVERIFY(odd.ok());
    QCOMPARE(linesOf(odd.value()), QStringList{"thread 1/0 open 2000+7000"});
    QCOMPARE(odd.value().notes.size(), std::size_t{2}); // One of them reports missing frames.
    QCOMPARE(leftOutOf(odd.value(), "no beginning"), std::uint64_t{1});
}

void TestChromeImport::sortsWhatIsUnsorted()
{
    QCOMPARE(read(R"([{"ph":"X","ts":30,"dur":5,"name":"c"},{"ph":"X","ts":10,"dur":5,"name":"a"},
                      {"ph":"X","ts":20,"dur":5,"name":"b"}])"),
             (QStringList{"thread 0/0 a 10000+5000", "thread 0/0 b 20000+5000", "thread 0/0 c 30000+5000"}));
}

void TestChromeImport::givesDepths()
{
    // b is nested in a, c overlaps a without being nested, d is nested in c, e is separate, f and g are identical.
    QCOMPARE(read(R"([{"ph":"X","ts":0,"dur":10,"name":"a"},{"ph":"X","ts":1,"dur":2,"name":"b"},
                      {"ph":"X","ts":8,"dur":10,"name":"c"},{"ph":"X","ts":9,"dur":3,"name":"d"},
                      {"ph":"X","ts":20,"dur":1,"name":"e"},{"ph":"X","ts":30,"dur":1,"name":"f"},
                      {"ph":"X","ts":30,"dur":1,"name":"g"},{"ph":"X","ts":40,"name":"h"}])"),
             (QStringList{"thread 0/0 a 0+10000", "thread 0/0 e 20000+1000", "thread 0/0 f 30000+1000",
                          "thread 0/0 h 40000+0", "thread 0/1 b 1000+2000", "thread 0/1 c 8000+10000",
                          "thread 0/1 g 30000+1000", "thread 0/2 d 9000+3000"}));
    // Nothing is dropped silently: 300 overlapping spans need more depths than exist.
    const Result<OpenedTrace> deep = opened("[" + repeated(R"({"ph":"X","ts":5,"dur":10,"name":"x"},)", 299)
                                            + R"({"ph":"X","ts":5,"dur":10,"name":"x"}])");
    QVERIFY(deep.ok());
    QCOMPARE(deep.value().trace.spanCount(), std::uint64_t{256});
    QCOMPARE(leftOutOf(deep.value(), "overlap 256 others"), std::uint64_t{44});
}

void TestChromeImport::readsCountersMarksAndMetadata()
{
    const Result<OpenedTrace> result = opened(
        R"([{"ph":"C","ts":2,"pid":1,"name":"load","args":{"cpu":0.5,"gpu":75}},
            {"ph":"C","ts":1,"pid":1,"name":"load","args":{"cpu":0.25,"gpu":-1e3}},{"ph":"C","ts":1,"pid":1,"name":"one","args":{"v":3}},
            {"ph":"i","ts":4,"pid":1,"tid":2,"name":"mark \"é\"","s":"t"},{"ph":"I","ts":3,"name":"old"},
            {"ph":"X","ts":1,"dur":1,"pid":9,"tid":2,"name":"kernel","cat":"kernel","args":{"frame":6,"bytes":77,"x":{"y":[1]}}},
            {"ph":"M","pid":9,"name":"process_name","args":{"name":"GPU \u0030\ud83d\ude00"}},
            {"ph":"M","pid":9,"tid":2,"name":"thread_name","args":{"name":"stream 7"}}])");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.counters().size(), std::size_t{3});
    QCOMPARE(trace.counters()[0].info().name, std::string("load · cpu"));
    QCOMPARE(trace.counters()[0].at(0), (std::pair<std::int64_t, double>(1000, 0.25)));
    QCOMPARE(trace.counters()[1].at(1), (std::pair<std::int64_t, double>(2000, 75)));
    QCOMPARE(trace.counters()[2].info().name, std::string("one"));
    QCOMPARE(trace.marks().all().size(), std::size_t{2});
    QCOMPARE(trace.marks().all()[1].text, std::string("mark \"é\""));
    QCOMPARE(trace.marks().all()[0].kind, TraceMark::Kind::Other);
    QCOMPARE(trace.lanes()[0].name, std::string("stream 7"));
    QCOMPARE(trace.lanes()[0].detail, std::string("GPU 0😀"));
    QCOMPARE(trace.lanes()[0].role, LaneRole::DeviceStream);
    const TraceSpan span = trace.tracks()[0].at(0);
    QCOMPARE(trace.names().category(span.name), Category::Kernel);
    QCOMPARE(span.frame, std::uint32_t{6});
    QCOMPARE(span.bytes, std::uint64_t{77});
}

void TestChromeImport::readsTruncatedArrays_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("spans");
    const QByteArray event = R"({"ph":"X","ts":1,"dur":1,"name":"a]}\"","args":{"l":[1,2]}})";
    QTest::newRow("no end") << "[" + event + "," + event << 2;
    QTest::newRow("comma") << "[" + event + "," + event + ",\n" << 2;
    for (qsizetype cut = 1; cut < event.size(); cut += 3)
        QTest::addRow("cut at %d", int(cut)) << "[" + event + "," + event.left(cut) << 1;
    QTest::newRow("only the beginning") << QByteArray("[") << 0;
    QTest::newRow("first event") << QByteArray("[{\"ph\":\"X\"") << 0;
    const QByteArray object = R"({"otherData":{"a":"b"},"traceEvents":[)";
    QTest::newRow("object: no end") << object + event + "," + event << 2;
    QTest::newRow("object: behind the events") << object + event + "," + event + "]" << 2;
    QTest::newRow("object: in what follows") << object + event + R"(],"metadata":{"x":[{"y":")" << 1;
    QTest::newRow("object: only the beginning") << object << 0;
    for (qsizetype cut = 1; cut < event.size(); cut += 3)
        QTest::addRow("object: cut at %d", int(cut)) << object + event + "," + event.left(cut) << 1;
}

void TestChromeImport::readsTruncatedArrays()
{
    QFETCH(QByteArray, json);
    QFETCH(int, spans);
    const Result<OpenedTrace> result = opened(json);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(result.value().trace.spanCount(), static_cast<std::uint64_t>(spans));
    QVERIFY(result.value().notes.at(0).find("ends in the middle") != std::string::npos);
}

void TestChromeImport::countsWhatItLeavesOut()
{
    const Result<OpenedTrace> result = opened(
        R"([{"ph":"s","ts":1,"id":1},{"ph":"f","ts":2,"id":1},{"ph":"P","ts":2},{"name":"no phase"},{"ph":"XX"}])");
    QVERIFY(result.ok());
    QCOMPARE(leftOutOf(result.value(), "nothing of their kind"), std::uint64_t{3});
    QCOMPARE(leftOutOf(result.value(), "touch no span"), std::uint64_t{2});
}

void TestChromeImport::findsFramesOfOthers()
{
    QByteArray json = "[";
    for (int i = 0; i < 5; ++i) {
        const QByteArray at = QByteArray::number(i * 100);
        json += R"({"ph":"X","pid":1,"tid":1,"name":"Frame )" + QByteArray::number(i + 10) + R"(","ts":)" + at
            + R"(,"dur":80},{"ph":"X","pid":1,"tid":1,"name":"work","ts":)" + at
            + R"(,"dur":30},{"ph":"X","pid":2,"tid":1,"cat":"kernel","name":"k","ts":)"
            + QByteArray::number(i * 100 + 20) + R"(,"dur":40},)";
    }
    json += R"({"ph":"M","pid":2,"name":"process_name","args":{"name":"GPU"}}])";
    const Result<OpenedTrace> result = opened(json);
    QVERIFY(result.ok());
    const FrameTable &frames = result.value().trace.frames();
    QCOMPARE(frames.endIndex(), std::uint64_t{5});
    for (std::uint64_t i = 0; i < 5; ++i) {
        const FrameFigures figures = frames.at(i);
        QCOMPARE(figures.frame, static_cast<std::uint32_t>(i + 10));
        QCOMPARE(figures.periodNs(), std::int64_t{80'000}); // The range itself, not the time between ranges.
        QCOMPARE(figures.overlap.cpuNs, std::int64_t{30'000});
        QCOMPARE(figures.overlap.gpuNs, std::int64_t{40'000});
        QCOMPARE(figures.overlap.bothNs, std::int64_t{10'000});
        QCOMPARE(figures.overlap.idleNs, std::int64_t{20'000});
    }
}

void TestChromeImport::keepsNanoseconds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qlonglong>("ns");
    const auto row = [](const char *text, qlonglong ns) { QTest::newRow(text) << QByteArray(text) << ns; };
    row("0", 0);
    row("0.001", 1);
    row("1.5", 1500);
    row("987654321012.345", 987654321012345);
    row("9007199254740.993", 9007199254740993); // Cannot be represented exactly by a double in microseconds.
    row("1.0004", 1000);
    row("1.0005", 1001);
    row("1.00049999", 1000);
    row("1e3", 1000000);
    row("12.5E-1", 1250);
    row("-2.5", -2500);
    row("4611686018427386.999", 4611686018427386999);
}

void TestChromeImport::keepsNanoseconds()
{
    QFETCH(QByteArray, text);
    QFETCH(qlonglong, ns);
    QCOMPARE(nanosecondsOf(text.toStdString()).value_or(-1), static_cast<std::int64_t>(ns));
    for (const char *wrong : {"", "-", ".", "1.", ".5", "NaN", "nan", "inf", "-inf", "1x", "0x10", "1e", "null",
                              "\"1\"", "9223372036854775808", "9223372036854775.808", "1e300", "--1", "1.5.5"})
        QVERIFY2(!nanosecondsOf(wrong), wrong);
}

void TestChromeImport::refuses_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char *name, const QByteArray &json, const char *mentions) {
        QTest::newRow(name) << json << mentions;
    };
    row("no events", R"({"a":1})", "has no traceEvents");
    row("events are none", R"({"traceEvents":5})", "has no events (its traceEvents is 5 in place of a list)");
    row("events are null", R"({"traceEvents":null})", "has no events (its traceEvents is null in place of a list)");
    row("events are a text", R"({"a":1,"traceEvents" : "none at all" ,"b":[]})",
        "its traceEvents is a text in place of a list");
    row("events are an object", R"({"traceEvents":{}})", "its traceEvents is an object in place of a list");
    row("ends before the events", R"({"otherData":{"a":"b"},"traceEv)", "ends before its first event");
    row("no valid key", R"({5:6})", "ends before its first event");
    row("event is none", R"([1,2,3])", "what stands in place of event 1 is no object");
    row("no time", R"([{"ph":"B","name":"a"}])", "no event whose time can be read (event 1: none)");
    row("no number", R"([{"ph":"X","ts":NaN},{"ph":"i","ts":"now"}])",
        "no event whose time can be read (event 1: NaN)");
    row("garbage behind a value", R"([{"ph":"X" 5}])", "event 1 is no valid JSON)");
    row("invalid UTF-8", "[{\"ph\":\"X\",\"ts\":1,\"name\":\"a\xff\"}]", "no event that can be read");
    row("control character", "[{\"ph\":\"X\",\"ts\":1,\"name\":\"a\nb\"}]", "no event that can be read");
}

void TestChromeImport::refuses()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, mentions);
    const Result<OpenedTrace> result = opened(json);
    QVERIFY(!result.ok());
    const QString text = QString::fromStdString(result.error().text);
    QVERIFY2(isOneSentence(result.error().text) && text.contains(mentions), qPrintable(text));
    QVERIFY2(text.contains("trace.json"), qPrintable(text));
}

void TestChromeImport::leavesOutWhatItCannotRead_data()
{
    QTest::addColumn<QByteArray>("wrong");
    QTest::addColumn<QString>("note");
    const auto row = [](const char *name, const QByteArray &wrong, const char *note) {
        QTest::newRow(name) << wrong << note;
    };
    for (const char *ts : {"NaN", "9223372036854775808", "1e400", "\"\"", "\"1x\"", "null", "[]", "Infinity"})
        row(ts, QByteArray(R"({"ph":"X","dur":1,"name":"a","ts":)") + ts + "}",
            "X events (spans) left out (1): their time is no number of microseconds (the first is event 2: ");
    row("negative duration", R"({"ph":"X","ts":1,"dur":-5})",
        "their duration is no number of microseconds from 0 on (the first is event 2: -5)");
    row("endless duration", R"({"ph":"X","ts":1,"dur":9223372036854775807})",
        "X events (spans) left out (1): their duration");
    row("NaN counter", R"({"ph":"C","ts":1,"name":"c","args":{"v":NaN}})",
        "C events (counters) left out (1): their value is no number");
    row("text counter", R"({"ph":"C","ts":1,"name":"c","args":{"v":"high"}})",
        "C events (counters) left out (1): their value is no number");
    const char *const damaged = "events left out (1): they are no valid JSON, or no objects (the first is event 2)";
    row("brackets crossed", R"({"ph":"X","ts":1,"args":{"a":[1,2}]})", damaged);
    row("no object", "5", damaged);
    row("null", "null", damaged);
    row("no value", R"({"ph":"X","ts":})", damaged);
    row("no comma", R"({"ph":"X" "ts":1})", damaged);
    row("invalid UTF-8", "{\"ph\":\"X\",\"ts\":1,\"name\":\"a\xff\"}", damaged);
    row("control character", "{\"ph\":\"X\",\"ts\":1,\"name\":\"a\tb\"}", damaged);
    row("a line in a text", "{\"ph\":\"X\",\"ts\":1,\"name\":\"a\nb\"}", damaged);
    row("no end of a text", "{\"ph\":\"X\",\"ts\":1,\"name\":\"a}", damaged);
    row("no end of an object", "{\"ph\":\"X\",\"name\":\"a\",\"args\":{\"s\":\"x}", damaged);
}

void TestChromeImport::leavesOutWhatItCannotRead()
{
    QFETCH(QByteArray, wrong);
    QFETCH(QString, note);
    // At any position in a piece and for any number of pieces, the rest is read.
    const QByteArray good = R"({"ph":"X","ts":1,"dur":1,"name":"good"})";
    for (const int behind : {0, 1, 3, 60'000}) {
        QByteArray json = "[\n" + good + ",\n" + wrong;
        for (int i = 0; i < behind; ++i)
            json += ",\n" + good;
        const Result<OpenedTrace> result = opened(json + "\n]");
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
        const QString said = saidOf(result.value());
        if (behind == 0 && said.contains("the file ends in the middle"))
            continue; // An element without an end extends to the end of the file.
        QVERIFY2(said.contains(note), qPrintable(said));
        QVERIFY2(result.value().account.balances(), qPrintable(said));
        const TraceNames &names = result.value().trace.names();
        std::uint64_t spans = result.value().trace.spanCount() + result.value().trace.lateSpans();
        for (const SpanTrack &track : result.value().trace.tracks())
            for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
                spans -= names.text(track.at(i).name) == "good" ? 0 : 1;
        QCOMPARE(spans, std::uint64_t(behind) + 1);
    }
}

void TestChromeImport::toleratesOddities()
{
    // Invalid texts, and a lone surrogate.
    QCOMPARE(read(R"([{"ph":"X","ts":1,"dur":1,"name":5},{"ph":"X","ts":3,"dur":1,"name":"a\ud800b"}])"),
             (QStringList{"thread 0/0 5 1000+1000",
                          "thread 0/0 a\xef\xbf\xbd"
                          "b 3000+1000"}));
    // Times as strings, and negative times.
    QCOMPARE(
        read(R"([{"ph":"X","ts":"-2.5","dur":"1.25","name":"a"},{"ph":"B","ts":"4","name":"b"},{"ph":"E","ts":5}])"),
        (QStringList{"thread 0/0 a -2500+1250", "thread 0/0 b 4000+1000"}));
    // A comma after every event, and an empty event at the end.
    QCOMPARE(read(R"([{"ph":"X","ts":1,"dur":1,"name":"a"},{}])"), QStringList{"thread 0/0 a 1000+1000"});

    // Duplicate keys: the last one is used.
    QCOMPARE(read(R"([{"ph":"i","ph":"X","ts":9,"ts":1,"dur":1,"name":"x","name":"a","args":{"frame":1},"args":{}}])"),
             QStringList{"thread 0/0 a 1000+1000"});
    // Ids may be strings; numbers too large for an id are treated as strings.
    QCOMPARE(read(R"([{"ph":"X","ts":1,"dur":1,"name":"a","pid":"p","tid":"main"},
                      {"ph":"X","ts":1,"dur":1,"name":"b","pid":1,"tid":18446744073709551615}])"),
             (QStringList{"main/0 a 1000+1000", "thread 18446744073709551615/0 b 1000+1000"}));
    // Unknown fields may contain anything.
    QCOMPARE(read(R"([{"ph":"X","ts":1,"dur":1,"name":"a","extra":)" + repeated("[", 900) + repeated("]", 900) + "}]"),
             QStringList{"thread 0/0 a 1000+1000"});
    QCOMPARE(read(R"([{"ph":"X","ts":1,"dur":1,"cat":null,"name":null,"args":7}])"),
             QStringList{"thread 0/0  1000+1000"});
}

void TestChromeImport::hugeInputsStaySmall()
{
    // Nesting must not use stack, at any position.
    for (const char *open : {"[", "{\"a\":"})
        for (const char *frame : {"[{\"ph\":\"X\",\"ts\":1,\"args\":", "[{\"ph\":\"X\",\"ts\":1,\"x\":", ""})
            for (const char *end : {"", "]"}) {
                const Result<OpenedTrace> deep = opened(QByteArray(frame) + repeated(open, 2'000'000) + end);
                QVERIFY(deep.ok() || isOneSentence(deep.error().text));
            }
    // A name of 30 MB is shortened for display.
    const Result<OpenedTrace> named =
        opened(R"([{"ph":"X","ts":1,"dur":1,"name":")" + repeated("é", 15'000'000) + R"("}])");
    QVERIFY2(named.ok(), named.ok() ? "" : named.error().text.c_str());
    QCOMPARE(named.value().trace.names().text(0).size(), std::size_t{2000});
    QVERIFY(named.value().notes.at(0).find("are cut") != std::string::npos);
    // Too many threads and counters are skipped and counted.
    QByteArray many = "[";
    for (int i = 0; i < 70'000; ++i)
        many += R"({"ph":"X","ts":1,"dur":1,"tid":)" + QByteArray::number(i) + R"(},{"ph":"C","ts":1,"name":")"
            + QByteArray::number(i) + R"(","args":{"v":1}},)";
    const Result<OpenedTrace> crowd = opened(many);
    QVERIFY(crowd.ok());
    QCOMPARE(crowd.value().trace.spanCount(), std::uint64_t{10'000});
    QCOMPARE(leftOutOf(crowd.value(), "more than 10000 threads"), std::uint64_t{60'000});
    QCOMPARE(leftOutOf(crowd.value(), "more than 65535 counters"), std::uint64_t{70'000 - 65'535});
    QVERIFY(crowd.value().account.balances());
}

void TestChromeImport::canBeCancelled()
{
    QByteArray json = "[";
    for (int i = 0; i < 200'000; ++i)
        json += R"({"ph":"X","ts":)" + QByteArray::number(i) + R"(,"dur":1,"name":"a"},)";
    const QString path = m_folder.filePath("long.json");
    QVERIFY(writeFile(path, json));
    Watcher whole;
    QVERIFY(openTrace(path.toStdString(), whole).ok());
    QVERIFY(whole.rises && whole.last > 0.5);
    for (int calls : {0, 1, 5, 20}) {
        Watcher watcher(calls);
        const Result<OpenedTrace> result = openTrace(path.toStdString(), watcher);
        QVERIFY(!result.ok() && wasCancelled(result.error()));
        QCOMPARE(watcher.calls, calls + 1);
    }
}

JETSCOPE_TEST(TestChromeImport)
#include "tst_chromeimport.moc"
