// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What became of each event of a Chrome trace: shown and left out are together what the file has, counted by the test
// without the importer.
#include "core/exchange/opentrace.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/accounts.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <random>

using namespace jetscope;
using namespace jetscope::test;

namespace {

/// A file made of random events, good and bad, with the number of its events.
class RandomTrace {
public:
    explicit RandomTrace(unsigned seed) : m_random(seed) { make(); }

    QByteArray json;
    std::uint64_t events = 0;

private:
    int number(int below) { return static_cast<int>(m_random() % static_cast<unsigned>(below)); }
    QByteArray oneOf(std::initializer_list<const char *> texts)
    {
        return *(texts.begin() + number(static_cast<int>(texts.size())));
    }

    QByteArray time()
    {
        if (number(12) == 0)
            return oneOf({"NaN", "\"\"", "0", "-5", "null", "1e18", "9223372036854775808", "\"12.5\"", "4e15"});
        return QByteArray::number(1'000'000'000 + number(1'000'000)) + oneOf({"", ".125", ".0009"});
    }
    QByteArray id() { return oneOf({"7", "\"7\"", "7.0", "\"0x7\"", "-1", "null", "\"main\"", "true", "12", "12"}); }

    QByteArray event()
    {
        const QByteArray phase = oneOf({"X", "X", "X", "X", "B", "E", "b", "e", "n", "S", "F", "T", "C",  "M", "s",
                                        "t", "f", "i", "I", "R", "P", "N", "O", "D", "v", "c", "(", "XX", ""});
        QByteArray text = "{\"ph\":\"" + phase + "\",\"name\":\""
            + oneOf({"a", "b", "frame 1", "thread_name", "process_name", "thread_sort_index", "x\\\"]}\\u00e9"}) + "\"";
        if (number(15) != 0)
            text += ",\"ts\":" + time();
        if (phase == "X" && number(10) != 0)
            text += ",\"dur\":" + oneOf({"1", "20", "0.5", "3000", "-4", "\"7\"", "NaN", "1e17", "[1]"});
        if (number(5) != 0)
            text += ",\"pid\":" + id() + ",\"tid\":" + id();
        if (number(3) == 0)
            text += ",\"cat\":\"" + oneOf({"kernel", "gpu_memcpy", "cuda_runtime", "cpu_op", "x"}) + "\"";
        text += ",\"id\":" + oneOf({"1", "2", "\"1\"", "\"0x3\""});
        text += ",\"args\":"
            + oneOf({"{}", R"({"value":1})", R"({"a":1,"b":"no"})", R"({"v":NaN})", R"({"name":"n"})",
                     R"({"list":[1,{"x":[]}],"correlation":5,"stream":7})", "7"});
        return text + "}";
    }
    /// What a reader cannot take as an event, and yet is one element.
    QByteArray wreck()
    {
        return oneOf({"5", "null", "[1,[2]]", "{\"ph\":}", "{\"ph\":\"X\" \"ts\":1}", "{}", "{ }",
                      "{\"ph\":\"X\",\"ts\":1,\"name\":\"\xff\"}", "{\"ph\":\"X\",\"ts\":1,\"args\":[1,}]}"});
    }

    void make()
    {
        const bool inObject = number(2) == 0;
        json = inObject ? R"({"otherData":{"a":"b"},"x":[{"ph":"X"}],"traceEvents":[)" : "[";
        const int size = number(300) + 3;
        const bool isHostile = number(3) != 0;
        QByteArray last;
        for (int i = 0; i < size; ++i) {
            const bool isWreck = isHostile && i > 0 && number(12) == 0;
            QByteArray element = i == 0 ? R"({"ph":"X","ts":1000000000,"dur":1,"name":"first"})"
                : isWreck               ? wreck()
                                        : event();
            const bool endedTheList = last.endsWith("}]}"); // Then a bracket would begin another.
            if (endedTheList && element.startsWith('['))
                element = "5";
            const bool areObjects = element.startsWith('{') && last.startsWith('{') && !endedTheList;
            if (i > 0)
                json += isHostile && areObjects && number(10) == 0 ? separator(inObject) : QByteArray(",\n");
            json += element;
            last = element;
            ++events;
        }
        switch (number(5)) {
        case 0: // The end is missing.
            break;
        case 1: // An event is cut.
            json += "," + event().left(12);
            ++events;
            break;
        default:
            json += inObject ? R"(],"y":1})" : "]";
        }
    }

    /// Between two objects, in place of a comma.
    QByteArray separator(bool inObject)
    {
        if (inObject)
            return oneOf({"\n", "", ",,", " , ", "],", "]", "}],"});
        return oneOf({"\n", "", " ", ",,", "],", "][", "]\n\n[", "]", "]},],"});
    }

    std::mt19937 m_random;
};

} // namespace

class TestChromeAccount : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &json, std::uint64_t mostSpans = Trace::kDefaultMaxSpans)
    {
        const QString path = m_folder.filePath("trace.json");
        writeFile(path, json);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher, mostSpans);
    }

private slots:
    void countsEachEventOnce_data();
    void countsEachEventOnce();
    void countsFiles_data();
    void countsFiles();
    void saysWhy_data();
    void saysWhy();
    void readsOnBehindBrackets_data();
    void readsOnBehindBrackets();
    void capturesKeepIt();
    void countsWhatTheLimitCosts();
    void manyEventsWithoutCommas();
};

void TestChromeAccount::countsEachEventOnce_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 240; ++seed)
        QTest::addRow("%u", seed) << seed;
}

void TestChromeAccount::countsEachEventOnce()
{
    QFETCH(unsigned, seed);
    const RandomTrace trace(seed);
    const Result<OpenedTrace> result = opened(trace.json);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const OpenedTrace &read = result.value();
    const QByteArray said = saidOf(read).toUtf8() + "\n" + trace.json;
    QVERIFY2(read.account.read() == trace.events, qPrintable(QString::number(trace.events) + " in:\n" + said));
    QVERIFY2(read.account.balances(), said.constData());
    // And it is there. A span is made of X, of B with or without E, of n, or of b with or without e.
    std::uint64_t spans = 0;
    for (const char *const phase : {"X ", "B ", "b ", "n ", "S ", "T ", "p "})
        spans += shownOf(read, phase);
    QVERIFY2(spans == read.trace.spanCount(), said.constData());
    QCOMPARE(shownOf(read, "i ") + shownOf(read, "I ") + shownOf(read, "R "),
             static_cast<std::uint64_t>(read.trace.marks().all().size()));
}

void TestChromeAccount::countsFiles_data()
{
    QTest::addColumn<QString>("path");
    for (const QFileInfo &file : QDir(JETSCOPE_TRACES).entryInfoList({"*.json"}))
        QTest::addRow("%s", qPrintable(file.fileName())) << file.filePath();
}

void TestChromeAccount::countsFiles()
{
    QFETCH(QString, path);
    const QJsonDocument document = QJsonDocument::fromJson(readFile(path));
    const qsizetype events =
        document.isArray() ? document.array().size() : document.object().value("traceEvents").toArray().size();
    QVERIFY(events > 0);
    Watcher watcher;
    const Result<OpenedTrace> result = openTrace(path.toStdString(), watcher);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QVERIFY2(result.value().account.balances(), qPrintable(saidOf(result.value())));
    QCOMPARE(result.value().account.read(), static_cast<std::uint64_t>(events));
}

void TestChromeAccount::saysWhy_data()
{
    QTest::addColumn<QByteArray>("events");
    QTest::addColumn<QString>("line");
    const auto row = [](const char *name, const char *events, const char *line) {
        QTest::newRow(name) << QByteArray(events) << line;
    };
    row("time", R"({"ph":"X","ts":"soon"})", "X events (spans) left out (1): their time is no number of microseconds");
    row("duration", R"({"ph":"X","ts":1,"dur":-1})", "X events (spans) left out (1): their duration is no number");
    row("end alone", R"({"ph":"E","ts":1,"tid":5},{"ph":"e","ts":1,"id":9})",
        "E events (end of spans) left out (1): they end spans that have no beginning");
    row("arrow", R"({"ph":"s","ts":1,"id":1,"tid":9})", "s events (begin of arrows) left out (1): they touch no span");
    row("samples", R"({"ph":"P","ts":1})", "P events (samples) left out (1): nothing of their kind is shown");
    row("no phase", R"({"name":"x"})", "events left out (1): nothing of their kind is shown");
    row("value", R"({"ph":"C","ts":1,"name":"c","args":{"v":"high"}})",
        "C events (counters) left out (1): their value is no number");
    row("metadata", R"({"ph":"M","name":"thread_sort_index","args":{"sort_index":5}})",
        "M events (metadata) left out (1): they say nothing that is shown (thread_sort_index)");
    row("damaged", R"({"ph":"X" 5})",
        "events left out (1): they are no valid JSON, or no objects (the first is event 2)");
    row("empty", "{}", "events left out (1): they are empty");
    row("cut", R"({"ph":"X","ts":1,"na)", "events left out (1): the file ends within them");
    row("field", R"({"ph":"i","ts":1}],"systemTraceEvents":"# tracer: nop\n","a":[)",
        "the file also has \"systemTraceEvents\" beside its events");
    row("between", R"({"ph":"i","ts":1} 7)", "something that is no event, which is left out: 1");
    row("behind", R"({"ph":"i","ts":1}]} end [)", "something that is no event stands behind the end");
}

void TestChromeAccount::saysWhy()
{
    QFETCH(QByteArray, events);
    QFETCH(QString, line);
    const bool isCut = QByteArray(QTest::currentDataTag()) == "cut";
    const Result<OpenedTrace> result =
        opened(R"({"traceEvents":[{"ph":"X","ts":1,"dur":1},)" + events + (isCut ? "" : "]}"));
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const QString said = saidOf(result.value());
    QVERIFY2(said.contains(line), qPrintable(said));
    QVERIFY2(result.value().account.balances(), qPrintable(said));
}

void TestChromeAccount::readsOnBehindBrackets_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("note");
    QByteArray half;
    for (int i = 0; i < 500; ++i)
        half += (i > 0 ? "," : "") + QByteArray(R"({"ph":"X","name":"n","dur":2,"pid":1,"tid":1,"ts":)")
            + QByteArray::number(i * 5) + "}";
    const QByteArray lines = QByteArray(half).replace("},{", "}\n{");
    const QByteArray none = QByteArray(half).replace("},{", "}{");
    QTest::newRow("lines") << "{\"traceEvents\":[\n" + lines + "\n" + lines + "\n]}"
                           << "events that follow another one without a comma are shown: 999";
    QTest::newRow("one comma missing") << "[" + half + " " + half + "]"
                                       << "events that follow another one without a comma are shown: 1";
    QTest::newRow("no separator at all") << "[" + none + none + "]"
                                         << "events that follow another one without a comma are shown: 999";
    const char *const behind = "events behind the end of the list of events are shown: 500";
    QTest::newRow("a bracket too many") << "[" + half + "]," + half + "]" << behind;
    QTest::newRow("in an object") << "{\"traceEvents\":[" + half + "]," + half + "]}" << behind;
    QTest::newRow("a brace too many") << "[" + half + "}," + half + "]" << behind;
    QTest::newRow("two arrays") << "[" + half + "][" + half + "]" << behind;
    QTest::newRow("appended") << "[" + half + "]\n" + half << behind;
    QTest::newRow("two files") << "{\"traceEvents\":[" + half + "]}\n{\"traceEvents\":[" + half + "]}" << behind;
    QTest::newRow("an array behind an object") << "{\"traceEvents\":[" + half + "]}[" + half + "]" << behind;
    QTest::newRow("an object behind an array") << "[" + half + "]," + half << behind;
}

void TestChromeAccount::readsOnBehindBrackets()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, note);
    const Result<OpenedTrace> result = opened(json);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(result.value().account.read(), std::uint64_t{1000});
    QCOMPARE(shownOf(result.value(), "X "), std::uint64_t{1000});
    QCOMPARE(result.value().trace.spanCount(), std::uint64_t{1000});
    QVERIFY2(saidOf(result.value()).contains(note), qPrintable(saidOf(result.value())));
}

void TestChromeAccount::capturesKeepIt()
{
    const Result<OpenedTrace> result =
        opened(R"([{"ph":"X","ts":1,"dur":1},{"ph":"X","ts":2,"dur":1},{"ph":"X","ts":"?"},{"ph":"P","ts":1}])");
    QVERIFY(result.ok());
    const std::string path = m_folder.filePath("kept.jscope").toStdString();
    NoProgress nobody;
    QVERIFY(saveTrace(result.value().trace, path, nobody, result.value().account).ok());
    Watcher watcher;
    const Result<OpenedTrace> kept = openTrace(path, watcher);
    QVERIFY2(kept.ok(), kept.ok() ? "" : kept.error().text.c_str());
    QCOMPARE(accountText(kept.value().account), accountText(result.value().account));
    QCOMPARE(kept.value().account.read(), std::uint64_t{4});
    QCOMPARE(kept.value().account.shown(), std::uint64_t{2});
    QVERIFY(kept.value().account.balances());
}

void TestChromeAccount::countsWhatTheLimitCosts()
{
    QByteArray json = "[";
    for (int i = 0; i < 2'200'000; ++i)
        json += R"({"ph":"X","ts":)" + QByteArray::number(i) + R"(,"dur":1},)";
    const Result<OpenedTrace> result = opened(json + "{}]", 1);
    QVERIFY(result.ok());
    QVERIFY(result.value().trace.droppedSpans() > 0);
    QVERIFY(result.value().account.balances());
    QCOMPARE(shownOf(result.value(), "X "), result.value().trace.spanCount());
    QCOMPARE(leftOutOf(result.value(), "raise the limit"), result.value().trace.droppedSpans());
}

/// A piece for each of them must not cost more than the file grows.
void TestChromeAccount::manyEventsWithoutCommas()
{
    const auto secondsFor = [this](int events) {
        const QByteArray json = "[" + QByteArray(R"({"ph":"X","ts":1,"dur":1,"tid":1})").repeated(events) + "]";
        double best = 1e9;
        for (int round = 0; round < 3; ++round) {
            QElapsedTimer timer;
            timer.start();
            const Result<OpenedTrace> result = opened(json);
            if (!result.ok() || result.value().account.read() != static_cast<std::uint64_t>(events))
                return -1.0;
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) * 1e-9);
        }
        return best;
    };
    const double few = secondsFor(20'000);
    const double many = secondsFor(160'000);
    QVERIFY(few > 0 && many > 0);
    QVERIFY2(many < 8 * 3 * few, qPrintable(QStringLiteral("%1 s for 20000, %2 s for 160000").arg(few).arg(many)));
}

JETSCOPE_TEST(TestChromeAccount)
#include "tst_chromeaccount.moc"
