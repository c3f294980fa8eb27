// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/savetrace.h"
#include "tests/app/program.h"
#include "tests/support/largetrace.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>

#include <csignal>

using namespace jetscope;

/// Recording, converting and querying with the real program.
class TestTraceFileCommands : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_capture;

    QString pathOf(const char *name) const { return m_folder.filePath(name); }
    QString query(const QString &sql) const { return runProgram({"query", m_capture, sql}).out; }

private slots:
    void initTestCase();
    void recordsEverySpan();
    void recordsThePathOfEveryFrame();
    void recordsSwitchesAndDevice();
    void killedRunLeavesAFileThatOpens();
    void interruptedRunLeavesAWholeFile();
    void convertsThereAndBack();
    void convertsTracesOfOthers();
    void convertsToATableOfFrames();
    void convertsTegrastats();
    void addsTegrastatsToACapture();
    void convertRefuses_data();
    void convertRefuses();
    void queryPrintsRows();
    void queryRefuses_data();
    void queryRefuses();
    void queryStopsOnInterrupt();
    void queryPrintsJson();
    void convertKeepsTheNewest();
    void theWindowRecordsFromTheStart();
    void theWindowClosesOnTermination();
    void theWindowRefusesAFileThatIsThere();
    void aPictureOfACaptureIsTaken();
};

void TestTraceFileCommands::initTestCase()
{
    m_capture = pathOf("run.jscope");
    const Outcome outcome =
        runProgram({"run", "--source", "synthetic:?size=96x64", "--device", "soft:orin", "--frames", "400", "--at",
                    "200", "sync=finish", "--at", "300", "memory=pageable", "--record", m_capture, "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["frames"].toInt(), 400);
    QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files), QStringList{"run.jscope"});
}

void TestTraceFileCommands::recordsEverySpan()
{
    QCOMPARE(query("SELECT count(*), min(frame), max(frame) FROM frames"), QString("400\t0\t399\n"));
    QCOMPARE(query("SELECT count(*) FROM device WHERE name = 'lost' AND value <> '0'"), QString("0\n"));
    // Every frame has spans on the pipeline's thread, on the device and on the capture thread.
    const QString ofRole =
        "SELECT count(DISTINCT %1) FROM span_rows s JOIN lanes l ON l.id = s.lane WHERE l.role = '%2'";
    for (const char *role : {"pipeline", "device-stream"})
        QCOMPARE(query(ofRole.arg("s.frame", role) + " AND s.frame BETWEEN 0 AND 399"), QString("400\n"));
    QVERIFY(query(ofRole.arg("s.start_ns", "capture")).toInt() >= 400);
    QCOMPARE(query("SELECT count(*) FROM spans WHERE lane IS NULL OR name IS NULL OR duration_ns < 0"), QString("0\n"));
}

void TestTraceFileCommands::recordsThePathOfEveryFrame()
{
    // Pieces are consecutive, without gap or overlap, up to the completion of the frame.
    QCOMPARE(
        query(
            "SELECT count(*) FROM frame_path a JOIN frame_path b ON b.frame = a.frame AND b.position = a.position + 1 "
            "WHERE a.start_ns + a.duration_ns <> b.start_ns OR a.duration_ns <= 0"),
        QString("0\n"));
    QCOMPARE(query("SELECT count(*) FROM frames f JOIN (SELECT frame, max(start_ns + duration_ns) AS end_ns FROM "
                   "frame_path GROUP BY "
                   "frame) p ON p.frame = f.frame WHERE p.end_ns <> f.start_ns + f.frame_ns"),
             QString("0\n"));
    QCOMPARE(query("SELECT count(DISTINCT frame) * 10 >= (SELECT count(*) FROM frames) * 9 FROM frame_path"),
             QString("1\n"));
    QVERIFY(query("SELECT count(*) FROM frame_path WHERE cause = 'kernel' AND lane IS NOT NULL AND name IS NOT NULL")
                .toInt()
            > 100);
    // A file converted from it has the same content.
    const QString copy = pathOf("copied.jscope");
    const Outcome converted = runProgram({"convert", m_capture, copy});
    QVERIFY2(converted.code == 0, converted.describe());
    const QString sums =
        "SELECT cause, sum(duration_ns) * 100 / (SELECT sum(duration_ns) FROM frame_path) AS percent FROM frame_path "
        "GROUP BY cause HAVING percent >= 10 ORDER BY cause";
    QVERIFY(!query(sums).isEmpty());
    QVERIFY(!runProgram({"query", copy, sums}).out.isEmpty());
    const QString facts = "SELECT name, value FROM device ORDER BY name";
    QVERIFY2(query(facts).contains("frame_size\t96x64\n"), qPrintable(query(facts)));
    QCOMPARE(runProgram({"query", copy, facts}).out, query(facts));
}

void TestTraceFileCommands::recordsSwitchesAndDevice()
{
    const QStringList switches = query("SELECT frame, text FROM switches ORDER BY frame").split('\n');
    QCOMPARE(switches.size(), 3);
    QVERIFY2(switches[0].startsWith("200\tsync: ") && switches[0].endsWith("finish"), qPrintable(switches[0]));
    QVERIFY2(switches[1].startsWith("300\tmemory: "), qPrintable(switches[1]));
    QVERIFY(query("SELECT value FROM device WHERE name = 'device'").startsWith("software iGPU (orin rules) on "));
    QCOMPARE(query("SELECT value FROM device WHERE name = 'source'"), QString("synthetic:?size=96x64\n"));
    QCOMPARE(query("SELECT value FROM device WHERE name = 'stream_codec'"), QString("raw NV12\n"));
    QCOMPARE(query("SELECT count(*) FROM hazards WHERE rule <> 'A17'"), QString("0\n"));
}

void TestTraceFileCommands::killedRunLeavesAFileThatOpens()
{
    const QString path = pathOf("killed.jscope");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(
        JETSCOPE_PROGRAM,
        {"run", "--source", "synthetic:?size=96x64", "--device", "soft:orin", "--frames", "1000000", "--record", path});
    QVERIFY(process.waitForStarted());
    // The file can be read while it is written. Its size says nothing: the empty tables alone take 200 KB of the WAL.
    const auto counted = [&] {
        return runProgram({"query", path, "SELECT count(*) > 100, max(frame) > 10 FROM spans"});
    };
    QTRY_COMPARE_WITH_TIMEOUT(counted().out, QString("1\t1\n"), 60'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    const Outcome count = counted();
    QVERIFY2(count.code == 0 && count.out == "1\t1\n", count.describe());
    const Outcome converted = runProgram({"convert", path, pathOf("killed.json")});
    QVERIFY2(converted.code == 0 && converted.err.isEmpty(), converted.describe());
}

void TestTraceFileCommands::interruptedRunLeavesAWholeFile()
{
    const QString path = pathOf("interrupted.jscope");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(
        JETSCOPE_PROGRAM,
        {"run", "--source", "synthetic:?size=96x64", "--device", "soft:orin", "--frames", "1000000", "--record", path});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(QFile(path + "-wal").size() > 100'000, 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QVERIFY(!QFile::exists(path + "-wal") && !QFile::exists(path + "-shm"));
    QCOMPARE(runProgram({"query", path, "SELECT count(*) > 10 FROM frames"}).out, QString("1\n"));
}

void TestTraceFileCommands::convertsThereAndBack()
{
    const Outcome there = runProgram({"convert", m_capture, pathOf("run.json"), "--json"});
    QVERIFY2(there.code == 0 && there.err.isEmpty(), there.describe());
    QCOMPARE(there.json()["frames"].toInt(), 400);
    QVERIFY(there.json()["spans"].toInt() > 2000);
    QFile file(pathOf("run.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(QJsonDocument::fromJson(file.readAll()).object()["traceEvents"].toArray().size() > 2000);
    // Control characters in a file name are replaced before printing.
    const Outcome obeyed = runProgram({"convert", pathOf("run.json"), pathOf("red\x1b[31m.csv")});
    QVERIFY2(obeyed.code == 0 && obeyed.out.contains("red [31m.csv") && !obeyed.out.contains('\x1b'),
             obeyed.describe());
    const Outcome back = runProgram({"convert", pathOf("run.json"), pathOf("back.jscope")});
    QVERIFY2(back.code == 0 && back.err.isEmpty(), back.describe());
    QVERIFY2(back.out.contains("400 frames"), back.describe());
    const QString all = "SELECT frame, lane, name, category, start_ns, duration_ns, bytes, depth FROM spans ORDER BY "
                        "lane, depth, start_ns";
    const Outcome after = runProgram({"query", pathOf("back.jscope"), all});
    QVERIFY(after.out.size() > 100'000);
    QVERIFY(after.out == query(all));
}

void TestTraceFileCommands::convertsTracesOfOthers()
{
    QByteArray json = "[";
    for (int i = 0; i < 5; ++i)
        json += R"({"ph":"X","ts":)" + QByteArray::number(i * 100) + R"(,"dur":90,"name":"step )"
            + QByteArray::number(i) + R"("},{"ph":"X","ts":)" + QByteArray::number(i * 100 + 10)
            + R"(,"dur":50,"name":"work"},)";
    json += R"({"ph":"P","ts":5},{"ph":"X",)";
    QFile file(pathOf("other.json")); // The file is truncated.
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(json) == json.size());
    file.close();
    const Outcome guessed = runProgram({"convert", pathOf("other.json"), pathOf("guessed.csv")});
    QVERIFY2(guessed.code == 0 && guessed.err.isEmpty(), guessed.describe());
    QVERIFY2(guessed.out.contains("5 frames are guessed") && guessed.out.contains("--frames-by NAME"),
             guessed.describe());
    QVERIFY2(guessed.out.contains(
                 "  events: 12 read, 10 shown, 2 left out\n  events left out (1): the file ends within them\n"),
             guessed.describe());
    const Outcome named =
        runProgram({"convert", pathOf("other.json"), pathOf("named.csv"), "--frames-by", "step", "--json"});
    QVERIFY2(named.code == 0 && named.err.isEmpty(), named.describe());
    QCOMPARE(named.json()["frames"].toInt(), 5);
    QVERIFY2(named.json()["frame_names"].toArray().contains(QJsonValue("step")), named.describe());
    const QJsonArray notes = named.json()["notes"].toArray();
    QCOMPARE(notes.size(), 2);
    QVERIFY2(notes[0].toString().contains("ends in the middle"), named.describe());
    QVERIFY2(notes[1].toString().contains("5 frames are taken from the ranges named \"step\""), named.describe());
    const QJsonObject account = named.json()["account"].toObject();
    QCOMPARE(account["read"].toInt(), 12);
    QCOMPARE(account["shown"].toInt() + account["left_out"].toInt(), 12);
    int events = 0;
    for (const QJsonValue &row : account["rows"].toArray()) {
        QVERIFY(row["shown_as"].isString() != row["reason"].isString());
        QVERIFY(!row["kind"].toString().isEmpty());
        events += row["events"].toInt();
    }
    QCOMPARE(events, 12);
    // A capture made of it keeps the account.
    const Outcome kept = runProgram({"convert", pathOf("other.json"), pathOf("kept.jscope")});
    QVERIFY2(kept.code == 0, kept.describe());
    QCOMPARE(
        runProgram({"query", pathOf("kept.jscope"),
                    "SELECT sum(events), (SELECT value FROM device WHERE name = 'events_read') FROM import_account"})
            .out,
        QString("12\t12\n"));
    const Outcome again = runProgram({"convert", pathOf("kept.jscope"), pathOf("kept.csv")});
    QVERIFY2(again.out.contains("events: 12 read, 10 shown, 2 left out"), again.describe());
    // What is no trace is refused by name, and nothing is written.
    QFile layers(pathOf("layers.json"));
    QVERIFY(layers.open(QIODevice::WriteOnly) && layers.write(R"({"Layers":["conv"],"Bindings":["images"]})") > 0);
    layers.close();
    const Outcome refused = runProgram({"convert", layers.fileName(), pathOf("layers.jscope")});
    QVERIFY2(refused.code == 1 && refused.oneSentence() && refused.err.contains("--exportTimes"), refused.describe());
    QVERIFY(!QFile::exists(pathOf("layers.jscope")));
    // A capture has frames of its own.
    const Outcome own = runProgram({"convert", m_capture, pathOf("own.csv"), "--frames-by", "step"});
    QVERIFY2(own.code == 0 && own.out.contains("frames of its own"), own.describe());
}

void TestTraceFileCommands::convertsToATableOfFrames()
{
    const Outcome outcome = runProgram({"convert", m_capture, pathOf("frames.csv")});
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QFile file(pathOf("frames.csv"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll().count('\n'), 401);
}

void TestTraceFileCommands::convertsTegrastats()
{
    QFile log(pathOf("tegrastats.log"));
    QVERIFY(log.open(QIODevice::WriteOnly));
    log.write("RAM 1/2MB GR3D_FREQ 10%@76\nRAM 1/2MB GR3D_FREQ 30%@76\n");
    log.close();
    const QString out = pathOf("tegrastats.jscope");
    const Outcome outcome = runProgram({"convert", log.fileName(), out, "--log-interval", "0.5", "--json"});
    QVERIFY2(outcome.code == 0 && outcome.json()["counters"].toInt() == 4, outcome.describe());
    QCOMPARE(outcome.json()["notes"].toArray().size(), 0);
    const QString values = "SELECT time_ns, value FROM counters WHERE name = 'GPU load' AND value IS NOT NULL";
    QCOMPARE(runProgram({"query", out, values}).out, QString("0\t10.0\n500000000\t30.0\n"));
}

void TestTraceFileCommands::addsTegrastatsToACapture()
{
    const QString out = pathOf("both.jscope");
    const Outcome outcome =
        runProgram({"convert", m_capture, out, "--with", pathOf("tegrastats.log"), "--with-offset", "-0.25", "--json"});
    QVERIFY2(outcome.code == 0 && outcome.json()["frames"].toInt() == 400, outcome.describe());
    QCOMPARE(runProgram({"query", out,
                         "SELECT (SELECT min(start_ns) FROM spans) - min(time_ns) FROM counters WHERE name = 'memory "
                         "used' OR name = 'memory used (tegrastats)' AND value = 1048576"})
                 .out,
             QString("250000000\n"));
    for (const QStringList &wrong : QList<QStringList>{{"--with-offset", "3"},
                                                       {"--with", m_capture},
                                                       {"--with", pathOf("missing")},
                                                       {"--log-interval", "0"},
                                                       {"--with", pathOf("tegrastats.log"), "--with-offset", "soon"}}) {
        const Outcome refused = runProgram(QStringList{"convert", m_capture, pathOf("none.jscope")} + wrong);
        QVERIFY2(refused.code != 0 && refused.oneSentence(), refused.describe());
    }
    QVERIFY(!QFile::exists(pathOf("none.jscope")));
}

void TestTraceFileCommands::convertRefuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char *name, const QStringList &arguments, int code, const char *mentions) {
        QTest::newRow(name) << arguments << code << mentions;
    };
    row("nothing", {"convert"}, 2, "needs IN … OUT");
    row("no out", {"convert", "a.json"}, 2, "needs IN … OUT");
    row("too much", {"convert", "a.json", "b.json", "c.json"}, 2, "is to be .tar");
    row("no format", {"convert", m_capture, pathOf("out.txt")}, 2, ".jscope or .json or .csv");
    row("missing", {"convert", pathOf("missing.jscope"), pathOf("out.json")}, 1, "does not exist");
    row("no trace", {"convert", "/proc/self/status", pathOf("out.json")}, 1, "jetscope:");
    row("out exists", {"convert", m_capture, m_capture}, 1, "exists already");
    row("out nowhere", {"convert", m_capture, "/nowhere/out.json"}, 1, "no such folder");
    row("other option", {"convert", m_capture, pathOf("out.json"), "--frames", "5"}, 2, "--frames");
}

void TestTraceFileCommands::convertRefuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, mentions);
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.finished && outcome.code == code, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.err.contains(mentions), outcome.describe());
    QVERIFY(!QFile::exists(pathOf("out.json")));
}

void TestTraceFileCommands::queryPrintsRows()
{
    QCOMPARE(query("SELECT 1, 'a' || char(9) || 'b', NULL, 2.5 UNION ALL SELECT 2, '', x'00ff', -1"),
             QString("1\ta\\tb\t\t2.5\n2\t\tx'00ff'\t-1\n"));
    QCOMPARE(query("SELECT 1 WHERE 0"), QString());
    QCOMPARE(query("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 50000) SELECT i FROM r")
                 .count('\n'),
             50000);
    const Outcome full = runShell("exec \"$0\" query '" + m_capture + "' 'SELECT * FROM spans' > /dev/full");
    QVERIFY2(full.code == 1 && full.oneSentence(), full.describe());
}

void TestTraceFileCommands::queryRefuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::newRow("nothing") << QStringList{"query"} << 2;
    QTest::newRow("no SQL") << QStringList{"query", m_capture} << 2;
    QTest::newRow("no file") << QStringList{"query", pathOf("missing.jscope"), "SELECT 1"} << 1;
    QTest::newRow("nonsense") << QStringList{"query", m_capture, "nonsense"} << 1;
    QTest::newRow("writes") << QStringList{"query", m_capture, "DELETE FROM span_rows"} << 1;
    QTest::newRow("attaches") << QStringList{"query", m_capture, "ATTACH '/tmp/x' AS x"} << 1;
}

void TestTraceFileCommands::queryRefuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.finished && outcome.code == code, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.out.isEmpty(), outcome.describe());
}

void TestTraceFileCommands::queryStopsOnInterrupt()
{
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"query", m_capture,
                   "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i FROM r WHERE i < 20000"});
    QVERIFY(process.waitForStarted());
    QVERIFY(process.waitForReadyRead(60'000)); // The program is certainly working now.
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.err.contains("interrupted"), outcome.describe());
}

void TestTraceFileCommands::queryPrintsJson()
{
    const QString sql =
        "SELECT frame, lane, name, duration_ns / 1e6 AS ms FROM spans WHERE category = 'kernel' ORDER BY "
        "start_ns";
    const Outcome outcome = runProgram({"query", m_capture, sql, "--json"});
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.err.toUtf8());
    const QJsonObject json = outcome.json();
    QCOMPARE(json.keys(), (QStringList{"columns", "complete", "rows"})); // Stable keys, on which other programs rely.
    QCOMPARE(json["columns"].toArray(), (QJsonArray{"frame", "lane", "name", "ms"}));
    QVERIFY(json["complete"].toBool());
    const QJsonArray rows = json["rows"].toArray();
    const QStringList lines = query(sql).split('\n', Qt::SkipEmptyParts); // The same rows as in plain text.
    QCOMPARE(rows.size(), lines.size());
    QVERIFY(rows.size() >= 400);
    for (qsizetype i = 0; i < rows.size(); i += 97) {
        const QStringList values = lines[i].split('\t');
        const QJsonArray row = rows[i].toArray();
        QCOMPARE(row[0].toInt(-1), values[0].toInt());
        QCOMPARE(row[2].toString(), values[2]);
        QVERIFY(qAbs(row[3].toDouble() - values[3].toDouble()) < 1e-9);
    }
    const Outcome refused = runProgram({"query", m_capture, "SELECT nothing FROM spans", "--json"});
    QVERIFY2(refused.code == 1 && refused.oneSentence() && refused.out.isEmpty(), refused.describe());
    const Outcome broken = runProgram({"query", m_capture, "SELECT abs(-9223372036854775807 - 1)", "--json"});
    QVERIFY2(broken.code == 1 && broken.oneSentence(), broken.describe());
    QVERIFY(broken.json().contains("complete") && !broken.json()["complete"].toBool());
}

void TestTraceFileCommands::convertKeepsTheNewest()
{
    NoProgress progress;
    const Trace large = largeTrace(2'100'000);
    QVERIFY(saveTrace(large, pathOf("large.jscope").toStdString(), progress).ok());
    const Outcome outcome =
        runProgram({"convert", pathOf("large.jscope"), pathOf("newest.csv"), "--most-spans", "2M", "--json"});
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["left_out"].toInt(), 1'000'000);
    QCOMPARE(outcome.json()["spans"].toInt(), static_cast<int>(large.spanCount()) - 1'000'000);
    QFile table(pathOf("newest.csv"));
    QVERIFY(table.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = table.readAll().trimmed().split('\n');
    QCOMPARE(lines.size() - 1, qsizetype(outcome.json()["frames"].toInt()));
    const auto newest = QByteArray::number(large.frames().at(large.frames().endIndex() - 1).frame);
    QVERIFY(lines.back().startsWith(newest + ','));
}

/// For the window without a display. Distributions build Qt without sanitizers, so leaks of its plugins are ignored.
static QProcessEnvironment windowEnvironment()
{
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("QT_QPA_PLATFORM", "offscreen");
    environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
    environment.insert("TSAN_OPTIONS", environment.value("TSAN_OPTIONS") + " ignore_noninstrumented_modules=1");
    return environment;
}

void TestTraceFileCommands::theWindowRecordsFromTheStart()
{
    const QProcessEnvironment environment = windowEnvironment();
    const QString path = pathOf("window.jscope");
    const Outcome outcome = runProgram({"--source", "synthetic:?size=96x64&fps=60", "--device", "soft:orin", "--record",
                                        path, "--screenshot", pathOf("window.png"), "--after-frames", "30"},
                                       environment);
    if (outcome.code == 2 && outcome.err.contains("no window"))
        QSKIP("This build has no window.");
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const Outcome frames =
        runProgram({"query", path, "SELECT min(frame), max(frame) >= 20, count(*) >= 20 FROM frames"});
    QVERIFY2(frames.out == "0\t1\t1\n", frames.describe());
    QVERIFY(!QFile::exists(path + "-wal")); // One complete file.
}

void TestTraceFileCommands::theWindowClosesOnTermination()
{
    QProcessEnvironment environment = windowEnvironment();
    environment.insert("XDG_CONFIG_HOME", pathOf("config"));
    const QString path = pathOf("terminated.jscope");
    QProcess process;
    process.setProcessEnvironment(environment);
    process.start(JETSCOPE_PROGRAM,
                  {"--source", "synthetic:?size=96x64&fps=60", "--device", "soft:orin", "--memory", "zero-copy",
                   "--record", path});
    QVERIFY(process.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(process.state() == QProcess::NotRunning || QFile(path + "-wal").size() > 100'000, 60'000);
    if (process.state() == QProcess::NotRunning && process.exitCode() == 2)
        QSKIP("This build has no window.");
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QVERIFY(!QFile::exists(path + "-wal"));
    QCOMPARE(runProgram({"query", path, "SELECT count(*) > 10 FROM frames"}).out, QString("1\n"));
    QFile settings(pathOf("config/jetscope/jetscope.ini"));
    QVERIFY(settings.open(QIODevice::ReadOnly) && settings.readAll().contains("memory=zero-copy"));
}

void TestTraceFileCommands::theWindowRefusesAFileThatIsThere()
{
    const QProcessEnvironment environment = windowEnvironment();
    const QByteArray before = [this] {
        QFile file(m_capture);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }();
    for (const QString &path : {m_capture, QString("/nowhere/a.jscope")}) {
        const Outcome outcome = runProgram({"--device", "soft:orin", "--record", path}, environment);
        if (outcome.code == 2 && outcome.err.contains("no window"))
            QSKIP("This build has no window.");
        QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
    }
    QFile file(m_capture);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), before);
}

void TestTraceFileCommands::aPictureOfACaptureIsTaken()
{
    const QProcessEnvironment environment = windowEnvironment();
    const QString picture = pathOf("capture.png");
    const Outcome taken = runProgram({m_capture, "--screenshot", picture}, environment);
    if (taken.code == 2 && taken.err.contains("no window"))
        QSKIP("This build has no window.");
    QVERIFY2(taken.finished && taken.code == 0 && taken.err.isEmpty(), taken.describe());
    QFile file(picture);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    QVERIFY(before.startsWith("\x89PNG"));
    for (const QString &place : {picture, QString("/nowhere/a.png")}) {
        const Outcome refused = runProgram({m_capture, "--screenshot", place}, environment);
        QVERIFY2(refused.finished && refused.code == 1 && refused.oneSentence(), refused.describe());
    }
    QVERIFY(file.seek(0));
    QCOMPARE(file.readAll(), before);
    const Outcome missing = runProgram({pathOf("missing.jscope"), "--screenshot", pathOf("none.png")}, environment);
    QVERIFY2(missing.code == 1 && missing.oneSentence() && missing.err.contains("does not exist"), missing.describe());
    QVERIFY(!QFile::exists(pathOf("none.png")));
}

JETSCOPE_TEST(TestTraceFileCommands)
#include "tst_tracefilecommands.moc"
