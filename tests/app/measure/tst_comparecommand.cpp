// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepfile.h"
#include "core/tracefile/savetrace.h"
#include "tests/app/program.h"
#include "tests/app/settingkeys.h"
#include "tests/core/comparetraces.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace jetscope;
using jetscope::test::runTrace;

/// `jetscope compare` with the real program.
class TestCompareCommand : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    bool record(const QString &name, const QStringList &more = {}) const;
    bool save(const QString &name, const Trace &trace) const;
    bool saveSweep(const QString &name, double stretchMs, bool measured = true,
                   const std::string &source = "synthetic:",
                   const std::vector<SyncMode> &modes = {SyncMode::Finish, SyncMode::Stream}) const;

private slots:
    void initTestCase();
    void comparesRecordedCaptures();
    void printsATable();
    void failsOnWorse();
    void differentWorkIsRefused();
    void differentWorkIsComparedOnRequest();
    void differencesStandBesideTheirNoise();
    void severalCapturesASide();
    void comparesTracesOfOthers();
    void comparesSweeps();
    void refuses_data();
    void refuses();
};

bool TestCompareCommand::record(const QString &name, const QStringList &more) const
{
    const Outcome outcome = runProgram(QStringList{"run", "--source", "synthetic:?size=320x240", "--device",
                                                   "soft:orin", "--frames", "120", "--record", pathOf(name)}
                                       + more);
    return outcome.finished && outcome.code == 0;
}

bool TestCompareCommand::save(const QString &name, const Trace &trace) const
{
    NoProgress progress;
    return saveTrace(trace, pathOf(name).toStdString(), progress).ok();
}

bool TestCompareCommand::saveSweep(const QString &name, double stretchMs, bool measured, const std::string &source,
                                   const std::vector<SyncMode> &modes) const
{
    SweepPlan plan;
    for (const SyncMode sync : modes) {
        SweepCell cell;
        cell.config.sync = sync;
        plan.cells.push_back(cell);
    }
    const SweepConditions conditions{"soft:orin", "a device", source, false, 1, "Jetscope 0.1.0"};
    Result<SweepFile> file = SweepFile::create(pathOf(name).toStdString(), TraceFileHeader{{}, {}}, conditions, plan);
    bool good = file.ok();
    for (std::size_t round = 0; good && measured && round < 6; ++round)
        for (std::size_t cell = 0; cell < 2; ++cell) {
            KeptStretch kept;
            kept.stretch = {cell, round};
            kept.figures.batches[static_cast<std::size_t>(Figure::Period)] = {
                (cell == 0 ? 5 : stretchMs) + 0.01 * static_cast<double>((round * 7) % 5)};
            good = good && file.value().add(kept).ok();
        }
    return good;
}

void TestCompareCommand::initTestCase()
{
    QVERIFY(record("a.jscope"));
    QVERIFY(record("b.jscope"));
    QVERIFY(record("long.jscope",
                   {"--filters", "gaussian5,sobel,gaussian5,sobel,gaussian5,sobel"})); // Three times the default.
    jetscope::test::RunOfFrames slower;
    slower.kernelMs *= 1.2;
    for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
        QVERIFY(save(QString("equal%1.jscope").arg(seed), runTrace(seed)));
        QVERIFY(save(QString("slower%1.jscope").arg(seed), runTrace(seed + 10, slower)));
    }
    jetscope::test::RunOfFrames one;
    one.frames = 1;
    QVERIFY(save("one.jscope", runTrace(1, one)));
    QVERIFY(save("nothing.jscope", Trace()));
    jetscope::test::RunOfFrames frameless;
    frameless.withFrames = false;
    QVERIFY(save("frameless.jscope", runTrace(1, frameless)));
    QVERIFY(saveSweep("sweep1.jscope", 6) && saveSweep("sweep2.jscope", 6.6));
    QVERIFY(saveSweep("sweep0.jscope", 6, false));
    QFile whole(pathOf("a.jscope"));
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    for (const auto &[name, content] : {std::pair<QString, QByteArray>{"empty.jscope", {}},
                                        {"cut.jscope", bytes.left(bytes.size() / 2)},
                                        {"text.jscope", "not a trace\n"}}) {
        QFile file(pathOf(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
}

void TestCompareCommand::comparesRecordedCaptures()
{
    const Outcome outcome = runProgram({"compare", pathOf("a.jscope"), pathOf("b.jscope"), "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QJsonObject json = outcome.json();
    // Stable keys, on which other programs rely.
    QCOMPARE(json.keys(),
             (QStringList{"a", "b", "kind", "metrics", "no_verdict", "notes", "other_work", "path", "per",
                          "run_to_run_noise", "settings", "spans", "spans_left_out", "summary"}));
    QCOMPARE(json["kind"].toString(), QString("captures"));
    QVERIFY(json["no_verdict"].isNull() && json["settings"].isNull() && !json["run_to_run_noise"].toBool(true));
    const QJsonObject side = json["a"].toArray()[0].toObject();
    QCOMPARE(side["frame_size"].toString(), QString("320x240"));
    QCOMPARE(side["frames"].toInt(), 120);
    const QJsonObject choices = side["choices"].toObject();
    QCOMPARE(missingSettings(choices), QStringList());
    QCOMPARE(choices["memory"].toString(), QString("pinned"));
    QVERIFY(choices["gpu_time"].isNull()); // A capture has where the times came from.
    const QJsonObject period = json["metrics"].toArray()[0].toObject();
    QCOMPARE(period.keys(),
             (QStringList{"a", "at_least", "at_most", "b", "change", "estimate", "name", "unit", "verdict"}));
    QVERIFY(period["a"].toDouble() > 0 && period["b"].toDouble() > 0);
    QCOMPARE(json["metrics"].toArray().size(), 10);
    bool kernel = false;
    for (const QJsonValue &row : json["spans"].toArray())
        kernel = kernel
            || (row["category"] == "kernel" && row["role"] == "device-stream" && row["median_ms"]["a"].toDouble() > 0
                && row["total_ms"]["b"].toDouble() > 0);
    QVERIFY2(kernel, outcome.describe());
    QVERIFY(json["path"].toArray().size() > 2);
}

void TestCompareCommand::printsATable()
{
    const Outcome outcome = runProgram({"compare", pathOf("equal1.jscope"), pathOf("slower1.jscope")});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QStringList lines = outcome.out.split('\n');
    QVERIFY2(lines[0].startsWith("Result    B is worse than A: Period +"), outcome.describe());
    QVERIFY2(outcome.out.simplified().contains("critical path: kernel sobel"), outcome.describe());
    QVERIFY2(outcome.out.simplified().contains("does not contain the noise from run to run: give several captures"),
             outcome.describe());
    for (const char *head : {"Frames", "Critical path, a frame", "Spans, a frame"})
        QVERIFY2(outcome.out.contains(QString("\n") + head), head);
    const QStringList periods = lines.filter("Period  ");
    QVERIFY2(periods.size() == 1 && periods[0].endsWith("worse"), outcome.describe());
}

void TestCompareCommand::failsOnWorse()
{
    const auto codeOf = [&](const char *a, const char *b, const char *percent) {
        const Outcome outcome = runProgram({"compare", pathOf(a), pathOf(b), "--fail-on-worse", percent, "--json"});
        const bool whole =
            outcome.finished && !outcome.json().isEmpty() && (outcome.code == 0) == outcome.err.isEmpty();
        return whole ? outcome.code : -1;
    };
    QCOMPARE(codeOf("equal1.jscope", "slower1.jscope", "5"), 1);
    QCOMPARE(codeOf("equal1.jscope", "slower1.jscope", "17.5"), 1);
    QCOMPARE(codeOf("equal1.jscope", "slower1.jscope", "40"), 0);
    QCOMPARE(codeOf("slower1.jscope", "equal1.jscope", "0"), 0);
    QCOMPARE(codeOf("equal1.jscope", "equal2.jscope", "0"), 0);
    QCOMPARE(codeOf("one.jscope", "equal2.jscope", "5"), 3); // No verdict is no success.
}

/// By the table of settings, and all that differs at once.
void TestCompareCommand::differentWorkIsRefused()
{
    const QStringList words{"compare", pathOf("a.jscope"), pathOf("long.jscope")};
    for (const QStringList &more : {QStringList(), QStringList{"--json"}, QStringList{"--fail-on-worse", "5"}}) {
        const Outcome refused = runProgram(words + more);
        const int code = more.contains("--fail-on-worse") ? 3 : 1;
        QVERIFY2(refused.code == code && refused.oneSentence() && refused.out.isEmpty(), refused.describe());
        QVERIFY2(refused.err.contains("the filters differ ("), refused.describe());
        QVERIFY2(refused.err.contains("--anyway"), refused.describe());
    }
    QVERIFY(record("other.jscope", {"--source", "synthetic:?size=64x48", "--filters", "invert"}));
    const Outcome both = runProgram({"compare", pathOf("a.jscope"), pathOf("other.jscope")});
    for (const char *part : {"the source differs (", "the frame size differs (320x240 in ", "the filters differ ("})
        QVERIFY2(both.code == 1 && both.err.contains(part), both.describe());
}

void TestCompareCommand::differentWorkIsComparedOnRequest()
{
    const QStringList words{"compare", pathOf("a.jscope"), pathOf("long.jscope"), "--anyway"};
    const Outcome plain = runProgram(words);
    QVERIFY2(plain.code == 0 && plain.out.startsWith("Result    Different work is compared: the filters differ ("),
             plain.describe());
    QVERIFY2(plain.out.contains(" to ") && !plain.out.contains("not comparable"), plain.describe());
    const Outcome json = runProgram(words + QStringList{"--json"});
    QVERIFY2(json.json()["no_verdict"].isNull(), json.describe());
    QVERIFY2(json.json()["other_work"].toString().startsWith("the filters differ ("), json.describe());
    QVERIFY2(runProgram({"compare", pathOf("a.jscope"), pathOf("b.jscope"), "--json"}).json()["other_work"].isNull(),
             "");
}

/// In the sentence and in each row; without noise there is no difference.
void TestCompareCommand::differencesStandBesideTheirNoise()
{
    const Outcome whole = runProgram({"compare", pathOf("equal1.jscope"), pathOf("slower1.jscope")});
    const QRegularExpression stated(
        "Period \\+\\d+\\.\\d+ ms \\(\\+\\d+\\.\\d %; \\+\\d+\\.\\d+ to \\+\\d+\\.\\d+ ms\\)");
    QVERIFY2(stated.match(whole.out.simplified()).hasMatch(), whole.describe());
    QVERIFY2(whole.out.contains("difference (of A)"), whole.describe());
    int rows = 0;
    // An interval excludes 0 where there is a verdict, and only there.
    const QRegularExpression interval(
        "([+-]\\d+\\.\\d+)( \\w+)? to ([+-]\\d+\\.\\d+) (ms|points|MB|kB) +(better|worse|unchanged)");
    for (const QString &line : whole.out.split('\n'))
        if (line.contains(QRegularExpression("[+-]\\d+\\.\\d+ (ms|points).*(better|worse|unchanged)"))) {
            ++rows;
            const QRegularExpressionMatch match = interval.match(line);
            QVERIFY2(match.hasMatch(), qPrintable(line));
            const double least = match.captured(1).toDouble();
            const double most = match.captured(3).toDouble();
            QVERIFY2(match.captured(5) == "unchanged" || least * most >= 0, qPrintable(line));
        }
    QVERIFY2(rows > 5, whole.describe());
    const Outcome brief = runProgram({"compare", pathOf("one.jscope"), pathOf("equal2.jscope"), "--json"});
    const QJsonArray metrics = brief.json()["metrics"].toArray();
    for (const QJsonValue &row : metrics)
        QVERIFY2(row["change"].isNull() || !row["at_least"].isNull(), brief.describe());
    QVERIFY2(metrics[0]["change"].isNull(), brief.describe());
}

void TestCompareCommand::severalCapturesASide()
{
    const Outcome outcome =
        runProgram({"compare", "--a", pathOf("equal1.jscope"), pathOf("equal2.jscope"), pathOf("equal3.jscope"), "--b",
                    pathOf("slower1.jscope"), pathOf("slower2.jscope"), pathOf("slower3.jscope"), "--json"});
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["a"].toArray().size(), 3);
    QCOMPARE(json["b"].toArray().size(), 3);
    QVERIFY(json["run_to_run_noise"].toBool());
    QCOMPARE(json["metrics"].toArray()[0].toObject()["verdict"].toString(), QString("worse"));
}

void TestCompareCommand::comparesTracesOfOthers()
{
    for (const char *name : {"equal1", "slower1"})
        QVERIFY(runProgram({"convert", pathOf(name) + ".jscope", pathOf(name) + ".json"}).code == 0);
    const Outcome outcome = runProgram({"compare", pathOf("equal1.json"), pathOf("slower1.json"), "--json"});
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QJsonObject first = outcome.json()["spans"].toArray()[0].toObject();
    const QString verdict = first["total_ms"].toObject()["verdict"].toString();
    QVERIFY2(verdict == "worse", outcome.describe());
}

void TestCompareCommand::comparesSweeps()
{
    const QStringList words{"compare", pathOf("sweep1.jscope"), pathOf("sweep2.jscope")};
    const Outcome outcome = runProgram(words + QStringList{"--json"});
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json().keys(),
             (QStringList{"a", "b", "cells", "kind", "metric", "no_verdict", "only_a", "only_b", "other_work",
                          "summary", "unit"}));
    const QJsonArray cells = outcome.json()["cells"].toArray();
    QCOMPARE(cells.size(), 2);
    QCOMPARE(cells[0].toObject()["settings"].toString(), QString("stream"));
    QCOMPARE(missingSettings(cells[0].toObject()["choices"].toObject()), QStringList());
    QCOMPARE(cells[0].toObject()["choices"].toObject()["sync"].toString(), QString("stream"));
    QCOMPARE(cells[0].toObject()["verdict"].toString(), QString("worse"));
    QCOMPARE(cells[1].toObject()["verdict"].toString(), QString("unchanged"));
    QCOMPARE(runProgram(words + QStringList{"--fail-on-worse", "5"}).code, 1);
    QCOMPARE(runProgram(words + QStringList{"--fail-on-worse", "15"}).code, 0);
    const Outcome other = runProgram(words + QStringList{"--metric", "latency"});
    QVERIFY2(other.code == 0 && other.out.startsWith("Result    No verdict"), other.describe());
    QVERIFY(saveSweep("others.jscope", 6.6, true, "synthetic:", {SyncMode::Event, SyncMode::Poll}));
    const QStringList others{"compare", pathOf("sweep1.jscope"), pathOf("others.jscope"), "--json"};
    const Outcome nothing = runProgram(others); // Nothing was compared.
    QVERIFY2(nothing.code == 1, nothing.describe());
    QCOMPARE(nothing.json()["no_verdict"].toString(), QString("no combination was measured by both sweeps"));
    QCOMPARE(runProgram(others + QStringList{"--fail-on-worse", "5"}).code, 3);
    QVERIFY(saveSweep("elsewhere.jscope", 6.6, true, "synthetic:?size=64x48"));
    const QStringList elsewhere{"compare", pathOf("sweep1.jscope"), pathOf("elsewhere.jscope")};
    const Outcome refused = runProgram(elsewhere);
    QVERIFY2(refused.code == 1 && refused.oneSentence() && refused.err.contains("the source differs ("),
             refused.describe());
    const Outcome anyway = runProgram(elsewhere + QStringList{"--anyway"});
    QVERIFY2(anyway.code == 0 && anyway.out.startsWith("Result    Different work is compared: the source differs ("),
             anyway.describe());
}

void TestCompareCommand::refuses_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mention");
    const auto row = [this](const char *name, QStringList words, int code, const char *mention) {
        for (QString &word : words)
            if (word.endsWith(".jscope"))
                word = pathOf(word);
        QTest::newRow(name) << words << code << QString(mention);
    };
    row("nothing", {}, 2, "needs two sides");
    row("one file", {"a.jscope"}, 2, "needs two sides");
    row("three files", {"a.jscope", "b.jscope", "one.jscope"}, 2, "one word too many");
    row("side A alone", {"--a", "a.jscope", "b.jscope"}, 2, "needs two sides");
    row("side without files", {"--a", "--b", "b.jscope"}, 2, "--a needs FILE");
    row("files twice", {"a.jscope", "b.jscope", "--a", "one.jscope"}, 2, "both alone and behind");
    row("empty name", {"--a", "", "--b", "b.jscope"}, 2, "--a");
    row("the same file", {"a.jscope", "a.jscope"}, 2, "is given twice");
    row("the same file in a side", {"--a", "a.jscope", "a.jscope", "--b", "b.jscope"}, 2, "is given twice");
    row("missing", {"a.jscope", "missing.jscope"}, 1, "does not exist");
    row("empty", {"a.jscope", "empty.jscope"}, 1, "is empty");
    row("cut", {"cut.jscope", "a.jscope"}, 1, "damaged or cut short");
    row("no trace", {"text.jscope", "a.jscope"}, 1, "is not a trace");
    row("no spans", {"nothing.jscope", "a.jscope"}, 1, "neither spans nor frames");
    row("frames on one side", {"frameless.jscope", "a.jscope"}, 1, "--frames-by");
    row("sweep and capture", {"sweep1.jscope", "a.jscope"}, 1, "is a sweep and");
    row("two sweeps a side", {"--a", "sweep1.jscope", "--b", "sweep2.jscope", "sweep0.jscope"}, 2, "one a side");
    row("sweep without results", {"sweep1.jscope", "sweep0.jscope"}, 1, "no results yet");
    row("metric of captures", {"a.jscope", "b.jscope", "--metric", "period"}, 2, "--metric");
    row("unknown metric", {"sweep1.jscope", "sweep2.jscope", "--metric", "speed"}, 2, "frame-p50");
    row("frames of sweeps", {"sweep1.jscope", "sweep2.jscope", "--frames-by", "x"}, 2, "--frames-by");
    for (const char *percent : {"-1", "x", "", "nan", "inf", "1e3", "2000", "5%"})
        row(qPrintable(QString("percent '%1'").arg(percent)), {"a.jscope", "b.jscope", "--fail-on-worse", percent}, 2,
            "percent");
}

void TestCompareCommand::refuses()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    QFETCH(QString, mention);
    const Outcome outcome = runProgram(QStringList{"compare"} + words);
    QVERIFY2(outcome.finished && outcome.code == code, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.out.isEmpty() && outcome.err.contains(mention), outcome.describe());
}

JETSCOPE_TEST(TestCompareCommand)
#include "tst_comparecommand.moc"
