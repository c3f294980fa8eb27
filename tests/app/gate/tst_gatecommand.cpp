// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/savetrace.h"
#include "tests/app/program.h"
#include "tests/core/comparetraces.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>

using namespace jetscope;

/// `jetscope compare` as the gate of a CI, and `jetscope baseline`: what others' gates got wrong.
class TestGateCommand : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    bool save(const QString &name, const Trace &trace) const
    {
        NoProgress progress;
        return saveTrace(trace, pathOf(name).toStdString(), progress).ok();
    }
    QByteArray textOf(const QString &name) const
    {
        QFile file(pathOf(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    Outcome gate(const QString &a, const QString &b, const QStringList &more = {}) const
    {
        return runProgram(QStringList{"compare", pathOf(a), pathOf(b), "--summary", pathOf("s.md")} + more);
    }

private slots:
    void initTestCase();
    void withoutAGateAllIsAsBefore();
    void worseIsOneAndBetterIsNot();
    void anEmptyCaptureIsNotFaster();
    void aCopyOfACaptureIsUnchanged();
    void anotherDeviceIsNoVerdict();
    void aFigureThatIsGoneIsNoVerdict();
    void jitterDoesNotFlipAVerdict();
    void nothingRecordedIsAnError();
    void noVerdictIsWrittenEverywhere();
    void changesHaveOneSign();
    void hazardsAreSarif();
    void filesAreReplaced();
    void againstABaseline();
    void acceptedReasonsAreKept();
    void wrongUsage_data();
    void wrongUsage();
};

void TestGateCommand::initTestCase()
{
    test::RunOfFrames slower;
    slower.kernelMs *= 1.2;
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        QVERIFY(save(QString("equal%1.jscope").arg(seed), test::runTrace(seed)));
        QVERIFY(save(QString("slower%1.jscope").arg(seed), test::runTrace(seed + 10, slower)));
    }
    QVERIFY(save("nothing.jscope", Trace()));
    test::RunOfFrames one;
    one.frames = 1;
    QVERIFY(save("one.jscope", test::runTrace(1, one)));
}

void TestGateCommand::withoutAGateAllIsAsBefore()
{
    const Outcome worse = runProgram({"compare", pathOf("equal1.jscope"), pathOf("slower1.jscope")});
    QVERIFY2(worse.code == 0 && worse.err.isEmpty(), worse.describe());
}

void TestGateCommand::worseIsOneAndBetterIsNot()
{
    const Outcome worse = gate("equal1.jscope", "slower1.jscope");
    QVERIFY2(worse.code == 1 && worse.oneSentence() && worse.err.startsWith("jetscope: worse: Period +"),
             worse.describe());
    QVERIFY(textOf("s.md").startsWith("### Jetscope: worse: Period"));
    const Outcome better = gate("slower1.jscope", "equal1.jscope");
    QVERIFY2(better.code == 0 && better.err.isEmpty(), better.describe());
    QVERIFY(textOf("s.md").startsWith("### Jetscope: not worse: "));
    // The limit counts.
    QCOMPARE(gate("equal1.jscope", "slower1.jscope", {"--fail-on-worse", "40"}).code, 0);
}

void TestGateCommand::anEmptyCaptureIsNotFaster()
{
    for (const char *empty : {"nothing.jscope", "one.jscope"}) {
        const Outcome outcome = gate("equal1.jscope", empty);
        QVERIFY2(outcome.code == 3 && outcome.oneSentence() && outcome.err.startsWith("jetscope: no verdict: "),
                 outcome.describe());
    }
}

void TestGateCommand::aCopyOfACaptureIsUnchanged()
{
    QVERIFY(QFile::copy(pathOf("equal1.jscope"), pathOf("copy.jscope")));
    const Outcome outcome = gate("equal1.jscope", "copy.jscope", {"--json"});
    QVERIFY2(outcome.code == 0, outcome.describe());
    int rows = 0;
    for (const QJsonValue &metric : outcome.json()["metrics"].toArray())
        if (!metric["a"].isNull()) {
            rows += metric["verdict"] == "unchanged" ? 1 : 0;
            QVERIFY2(metric["verdict"] == "unchanged" || metric["verdict"] == "too few frames", outcome.describe());
        }
    QVERIFY(rows > 3);
}

void TestGateCommand::anotherDeviceIsNoVerdict()
{
    Trace other = test::runTrace(5);
    TraceOrigin origin = other.origin();
    origin.device = "another device";
    other.setOrigin(origin);
    QVERIFY(save("device.jscope", other));
    const Outcome outcome = gate("slower1.jscope", "device.jscope");
    QVERIFY2(outcome.code == 3 && outcome.err.contains("the device differs"), outcome.describe());
    // Other work, too: it is refused.
    origin = test::runTrace(5).origin();
    origin.source = "v4l2:/dev/video0";
    other.setOrigin(origin);
    QVERIFY(save("source.jscope", other));
    const Outcome source = gate("slower1.jscope", "source.jscope");
    QVERIFY2(source.code == 3 && source.err.contains("the source differs"), source.describe());
}

/// As the latency of a build that lost its display.
void TestGateCommand::aFigureThatIsGoneIsNoVerdict()
{
    Trace without = test::runTrace(6);
    std::vector<FrameFigures> frames;
    for (std::uint64_t i = without.frames().firstIndex(); i < without.frames().endIndex(); ++i) {
        frames.push_back(without.frames().at(i));
        frames.back().latencyNs = 0;
    }
    without.replaceFrames(frames, {});
    QVERIFY(save("without.jscope", without));
    const Outcome outcome = gate("equal1.jscope", "without.jscope");
    QVERIFY2(outcome.code == 3 && outcome.err.contains("Latency: A has this figure, and B has not"),
             outcome.describe());
    QVERIFY(textOf("s.md").contains("no verdict: A has this figure, and B has not"));
}

void TestGateCommand::jitterDoesNotFlipAVerdict()
{
    test::RunOfFrames slower;
    slower.kernelMs *= 1.1;
    for (std::uint32_t repeat = 0; repeat < 20; ++repeat) {
        QVERIFY(save(QString("j%1.jscope").arg(repeat), test::runTrace(100 + repeat)));
        QVERIFY(save(QString("k%1.jscope").arg(repeat), test::runTrace(200 + repeat, slower)));
        const Outcome equal = gate("equal1.jscope", QString("j%1.jscope").arg(repeat));
        QVERIFY2(equal.code == 0, equal.describe());
        const Outcome worse = gate("equal1.jscope", QString("k%1.jscope").arg(repeat));
        QVERIFY2(worse.code == 1, worse.describe());
    }
}

void TestGateCommand::nothingRecordedIsAnError()
{
    const Outcome outcome =
        runProgram({"compare", pathOf("equal1.jscope"), pathOf("missing.jscope"), "--junit", pathOf("j.xml")});
    QVERIFY2(outcome.code == 3 && outcome.oneSentence() && outcome.err.contains("does not exist"), outcome.describe());
    QVERIFY(textOf("j.xml").contains("<skipped message=\"no verdict: "));
}

void TestGateCommand::noVerdictIsWrittenEverywhere()
{
    const Outcome outcome = gate("one.jscope", "equal1.jscope",
                                 {"--junit", pathOf("j.xml"), "--benchmark", pathOf("b.json"), "--prom",
                                  pathOf("p.prom"), "--sarif", pathOf("x.sarif")});
    QVERIFY2(outcome.code == 3, outcome.describe());
    QVERIFY(textOf("s.md").startsWith("### Jetscope: no verdict: "));
    QVERIFY(textOf("j.xml").contains("<skipped ") && !textOf("j.xml").contains("<failure "));
    QVERIFY(textOf("p.prom").contains("jetscope_gate_code 3\n"));
    QVERIFY(QJsonDocument::fromJson(textOf("x.sarif")).isObject());
    QVERIFY(!textOf("b.json").contains("nan") && QJsonDocument::fromJson(textOf("b.json")).isArray());
}

/// "Faster by -46 ms" can be read both ways: a change is new minus old, and a word says whether that is better.
void TestGateCommand::changesHaveOneSign()
{
    const Outcome outcome = gate("slower1.jscope", "equal1.jscope");
    QVERIFY2(outcome.out.startsWith("Result    B is better than A: Period -"), outcome.describe());
    QVERIFY(textOf("s.md").contains("| better |"));
    for (const char *word : {"faster", "by -", "by +"})
        QVERIFY2(!outcome.out.contains(word) && !textOf("s.md").contains(word), word);
}

void TestGateCommand::hazardsAreSarif()
{
    Trace trace = test::runTrace(1);
    for (int i = 0; i < 3; ++i)
        trace.add(TraceMark{TraceMark::Kind::Hazard, trace.oldestNs() + i, 1,
                            "the CPU reads at src/main.cpp:42 too soon", "A1", "wait first"});
    QVERIFY(save("hazard.jscope", trace));
    QCOMPARE(gate("equal1.jscope", "hazard.jscope", {"--sarif", pathOf("x.sarif")}).code, 0);
    const QJsonObject run = QJsonDocument::fromJson(textOf("x.sarif")).object()["runs"].toArray()[0].toObject();
    const QJsonArray results = run["results"].toArray();
    QCOMPARE(results.size(), 1);
    QCOMPARE(results[0]["ruleId"].toString(), QString("A1"));
    QCOMPARE(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"].toInt(), 42);
    QVERIFY(textOf("s.md").contains("| A1 | 3 |"));
}

void TestGateCommand::filesAreReplaced()
{
    QFile file(pathOf("s.md"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("before") == 6);
    file.close();
    QCOMPARE(gate("equal1.jscope", "equal2.jscope").code, 0);
    QVERIFY(textOf("s.md").startsWith("### Jetscope"));
    const Outcome outcome =
        runProgram({"compare", pathOf("equal1.jscope"), pathOf("equal2.jscope"), "--summary", pathOf("nowhere/s.md")});
    QVERIFY2(outcome.code == 1 && outcome.oneSentence(), outcome.describe());
}

void TestGateCommand::againstABaseline()
{
    const QStringList kept{"--baselines", pathOf("kept")};
    const Outcome set = runProgram(QStringList{"baseline", "set", "main", pathOf("equal1.jscope"),
                                               pathOf("equal2.jscope"), pathOf("equal3.jscope")}
                                   + kept);
    QVERIFY2(set.code == 0 && set.out == "3 captures kept as baseline main\n", set.describe());
    const auto against = [&](const QStringList &files, const char *name = "baseline:main") {
        return runProgram(QStringList{"compare", "--against", name, "--b"} + files + kept);
    };
    const QStringList equal{pathOf("equal1.jscope"), pathOf("equal2.jscope"), pathOf("equal3.jscope")};
    const QStringList slower{pathOf("slower1.jscope"), pathOf("slower2.jscope"), pathOf("slower3.jscope")};
    QVERIFY2(against(equal).code == 0, against(equal).describe());
    QVERIFY2(against(slower).code == 1, against(slower).describe());
    const Outcome missing = against(equal, "baseline:other");
    QVERIFY2(missing.code == 3 && missing.err.contains("there is no baseline \"other\""), missing.describe());
    QCOMPARE(runProgram(QStringList{"baseline", "list"} + kept).out, QString("main\n"));
    const Outcome none = runProgram({"baseline", "list", "--baselines", "/nonexistent/folder"});
    QVERIFY2(none.code == 1 && none.oneSentence() && none.err.contains("is no folder"), none.describe());
    const QString copy = QDir(pathOf("kept/main")).entryInfoList({"*.jscope"}).first().filePath();
    QVERIFY(QFile::remove(copy) && QFile::copy(pathOf("slower1.jscope"), copy));
    const Outcome changed = against(equal);
    QVERIFY2(changed.code == 3 && changed.err.contains("was changed since it became the baseline"), changed.describe());
}

void TestGateCommand::acceptedReasonsAreKept()
{
    const QStringList kept{"--baselines", pathOf("accepted")};
    QCOMPARE(runProgram(QStringList{"baseline", "set", "main", pathOf("equal1.jscope")} + kept).code, 0);
    const QStringList words{"compare",   "--against",   "baseline:main", pathOf("slower1.jscope"),
                            "--summary", pathOf("s.md")};
    QCOMPARE(runProgram(words + kept).code, 1);
    const Outcome accepted = runProgram(words + kept + QStringList{"--accept", "the new filter"});
    QVERIFY2(accepted.code == 0, accepted.describe());
    QVERIFY(textOf("s.md").startsWith("### Jetscope: worse, and accepted "));
    const Outcome show = runProgram(QStringList{"baseline", "show", "main", "--json"} + kept);
    QVERIFY2(show.json()["reasons"].toArray()[0].toString().startsWith("the new filter (Period +"), show.describe());
    QCOMPARE(runProgram(words + kept).code, 0); // It is the baseline now.
    QCOMPARE(
        runProgram(QStringList{"compare", "--against", "baseline:main", pathOf("equal1.jscope"), "--accept", "none"}
                   + kept)
            .code,
        0);
    QCOMPARE(runProgram(QStringList{"baseline", "show", "main", "--json"} + kept).json()["reasons"].toArray().size(),
             1);
}

void TestGateCommand::wrongUsage_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("mention");
    QTest::newRow("accept alone") << QStringList{"compare", "a", "b", "--accept", "x"} << "add --against";
    QTest::newRow("no kind") << QStringList{"compare", "a", "--against", "main"} << "write baseline:NAME";
    QTest::newRow("a side too many") << QStringList{"compare", "--a", "a", "--against", "baseline:x"}
                                     << "leave --a out";
    QTest::newRow("no side") << QStringList{"compare", "--against", "baseline:x"} << "give them alone, or behind --b";
    QTest::newRow("no action") << QStringList{"baseline"} << "needs ACTION";
    QTest::newRow("another action") << QStringList{"baseline", "drop", "x"} << "take set, list or show";
    QTest::newRow("no captures") << QStringList{"baseline", "set", "x"} << "needs a name and captures";
    QTest::newRow("sarif of a fleet") << QStringList{"fleet", "compare", "x", "--sarif", "y"} << "has no meaning for";
}

void TestGateCommand::wrongUsage()
{
    QFETCH(QStringList, words);
    QFETCH(QString, mention);
    const Outcome outcome = runProgram(words);
    QVERIFY2(outcome.code == 2 && outcome.oneSentence() && outcome.err.contains(mention), outcome.describe());
}

JETSCOPE_TEST(TestGateCommand)
#include "tst_gatecommand.moc"
