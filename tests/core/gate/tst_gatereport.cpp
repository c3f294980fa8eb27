// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/gate/baseline.h"
#include "core/gate/gatereport.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <limits>

using namespace jetscope;

namespace {

GateRow gateRow(const char *metric, GateVerdict verdict)
{
    GateRow row;
    row.metric = metric;
    row.label = std::string("The ") + metric;
    row.unit = "ms";
    row.a = 10;
    row.b = 10.5;
    row.texts[0] = "10.00 ms";
    row.texts[1] = "10.50 ms";
    row.change = "+0.500 ms (+5.0 %)";
    row.range = "+0.400 to +0.600 ms";
    row.verdict = verdict;
    if (verdict == GateVerdict::None)
        row.reason = "too few frames";
    return row;
}

/// A report of which every text is hostile.
GateReport hostileReport()
{
    GateReport report;
    const std::string bad = "<b>&\"'|`*\n\x1b[31m\xff{}\\";
    report.words = report.nameA = report.nameB = bad;
    report.notes = {bad};
    GateRow row = gateRow("period", GateVerdict::None);
    row.group = row.metric = row.label = row.unit = row.reason = row.change = row.range = bad;
    report.rows = {row, row};
    report.rows[1].verdict = GateVerdict::Worse;
    report.worse = bad;
    report.noVerdict = bad;
    report.hazards = {{bad, bad, bad, bad, "error", bad, {}, 0, 3}};
    return report;
}

/// The attributes of the elements of a name; empty if the text is no XML.
std::vector<QXmlStreamAttributes> elementsOf(const std::string &xml, const char *name)
{
    std::vector<QXmlStreamAttributes> found;
    QXmlStreamReader reader(QByteArray::fromStdString(xml));
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String(name))
            found.push_back(reader.attributes());
    return reader.hasError() ? std::vector<QXmlStreamAttributes>() : found;
}

QJsonDocument jsonOf(const std::string &text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text));
}

/// Each line is a comment or "name{labels} value"; in labels, quotation marks and backslashes are escaped.
bool isPrometheus(const std::string &text)
{
    const QRegularExpression line("^(#.*|[a-z_]+([{]([a-z]+=\"([^\"\\\\]|\\\\.)*\",?)*[}])? -?[0-9.e+-]+)$");
    const QStringList lines = QString::fromStdString(text).split('\n');
    for (const QString &each : lines.mid(0, lines.size() - 1))
        if (!line.match(each).hasMatch())
            return false;
    return lines.size() > 3 && lines.last().isEmpty();
}

} // namespace

/// The files for a CI, and baselines.
class TestGateReport : public QObject {
    Q_OBJECT
private slots:
    void exitCodes();
    void summaries();
    void junit();
    void benchmarkLists();
    void prometheusText();
    void sarif();
    void placesOfHazards();
    void hostileTexts();
    void numbersThatAreNone();
    void baselinesKeepCopies();
    void baselinesThatChangedAreRefused();
    void namesOfBaselines();
};

void TestGateReport::exitCodes()
{
    GateReport report;
    report.rows = {gateRow("period", GateVerdict::Unchanged)};
    QCOMPARE(report.exitCode(), 0);
    QCOMPARE(report.line(), std::string("not worse: 1 figure compared, 0 better"));
    report.noVerdict = "too few frames";
    QCOMPARE(report.exitCode(), 3);
    QCOMPARE(report.line(), std::string("no verdict: too few frames"));
    report.worse = "Period +1 ms"; // What is known to be worse is worse, whatever is not known.
    QCOMPARE(report.exitCode(), 1);
    QCOMPARE(report.line(), std::string("worse: Period +1 ms"));
    report.accepted = "a new filter";
    QCOMPARE(report.exitCode(), 0);
    QCOMPARE(report.line(), std::string("worse, and accepted (a new filter): Period +1 ms"));
}

void TestGateReport::summaries()
{
    GateReport report;
    report.words = "B is not worse.";
    report.rows = {gateRow("period", GateVerdict::Unchanged), gateRow("latency", GateVerdict::None)};
    const QString text = QString::fromStdString(gateSummary(report));
    QVERIFY2(text.startsWith("### Jetscope: not worse: 1 figure compared, 0 better, 1 without a verdict\n"),
             qPrintable(text));
    QVERIFY(text.contains("| The latency | 10.00 ms | 10.50 ms |") && text.contains("no verdict: too few frames |"));
    report.rows.clear();
    QVERIFY(!QString::fromStdString(gateSummary(report)).contains("|")); // No table without rows.
}

void TestGateReport::junit()
{
    GateReport report;
    report.rows = {gateRow("period", GateVerdict::Unchanged), gateRow("latency", GateVerdict::None),
                   gateRow("blocked", GateVerdict::Worse)};
    report.worse = "blocked";
    std::string xml = gateJunit(report);
    const auto suites = elementsOf(xml, "testsuite");
    QCOMPARE(suites.size(), std::size_t{1});
    QCOMPARE(suites[0].value("tests").toInt(), 3);
    QCOMPARE(suites[0].value("failures").toInt(), 1);
    QCOMPARE(suites[0].value("skipped").toInt(), 1);
    QCOMPARE(elementsOf(xml, "testcase").size(), std::size_t{3});
    QCOMPARE(elementsOf(xml, "skipped").at(0).value("message").toString(), QString("too few frames"));
    QVERIFY(elementsOf(xml, "failure").at(0).value("message").toString().contains("+0.500 ms"));
    // Nothing at all is a case, too, that says why.
    GateReport none;
    none.noVerdict = "nothing was recorded";
    xml = gateJunit(none);
    QCOMPARE(elementsOf(xml, "testcase").size(), std::size_t{1});
    QCOMPARE(elementsOf(xml, "skipped").at(0).value("message").toString(), QString("no verdict: nothing was recorded"));
    report.accepted = "a reason";
    QCOMPARE(elementsOf(gateJunit(report), "failure").size(), std::size_t{0});
}

void TestGateReport::benchmarkLists()
{
    GateReport report;
    report.rows = {gateRow("period", GateVerdict::Unchanged), gateRow("overlap", GateVerdict::Better)};
    report.rows[1].higherIsBetter = true; // It would be an alarm when it rises.
    report.rows[0].group = "tegra234";
    const QJsonArray list = jsonOf(gateBenchmark(report)).array();
    QCOMPARE(list.size(), 1);
    QCOMPARE(list[0]["name"].toString(), QString("The period of tegra234"));
    QCOMPARE(list[0]["unit"].toString(), QString("ms"));
    QCOMPARE(list[0]["value"].toDouble(), 10.5);
    QVERIFY(jsonOf(gateBenchmark({})).isArray());
}

void TestGateReport::prometheusText()
{
    GateReport report;
    report.rows = {gateRow("period", GateVerdict::Worse), gateRow("latency", GateVerdict::None)};
    report.worse = "period";
    const std::string text = gatePrometheus(report);
    QVERIFY2(isPrometheus(text), text.c_str());
    QVERIFY(text.find("\njetscope_gate_code 1\n") != std::string::npos);
    QVERIFY(text.find("jetscope_figure{metric=\"period\",group=\"\",unit=\"ms\",side=\"b\"} 10.5\n")
            != std::string::npos);
    QVERIFY(text.find("jetscope_verdict{metric=\"latency\",group=\"\",verdict=\"no verdict\"} 1\n")
            != std::string::npos);
}

void TestGateReport::sarif()
{
    GateReport report;
    report.hazards = {{"A1", "CPU access", "the CPU reads", "wait first", "error", "b.jscope", "src/main.cpp", 42, 7},
                      {"A1", "CPU access", "the CPU writes", "", "luck", "b.jscope", "", 0, 1}};
    const QJsonObject run = jsonOf(gateSarif(report, "0.1.0")).object()["runs"].toArray()[0].toObject();
    QCOMPARE(run["tool"]["driver"]["rules"].toArray().size(), 1);
    const QJsonArray results = run["results"].toArray();
    QCOMPARE(results.size(), 2);
    const QJsonValue place = results[0]["locations"][0]["physicalLocation"];
    QCOMPARE(place["artifactLocation"]["uri"].toString(), QString("src/main.cpp"));
    QCOMPARE(place["region"]["startLine"].toInt(), 42);
    QVERIFY(results[0]["message"]["text"].toString().contains("(7 times). Smallest fix: wait first"));
    QCOMPARE(results[1]["level"].toString(), QString("warning"));
    QCOMPARE(results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].toString(), QString("b.jscope"));
    QVERIFY(jsonOf(gateSarif({}, "0.1.0")).object()["runs"].toArray()[0].toObject()["results"].isArray());
}

void TestGateReport::placesOfHazards()
{
    GateHazard hazard;
    findPlace(hazard, "cudaMemcpyAsync at src/copy.cu:118 (libapp.so)");
    QVERIFY(hazard.file == "src/copy.cu" && hazard.line == 118);
    GateHazard none;
    findPlace(none, "cudaMemcpyAsync at .cpp: nothing, time 3:20");
    QVERIFY(none.file.empty());
}

void TestGateReport::hostileTexts()
{
    const GateReport report = hostileReport();
    QCOMPARE(elementsOf(gateJunit(report), "testcase").size(), std::size_t{3});
    QCOMPARE(jsonOf(gateBenchmark(report)).array().size(), 2);
    QVERIFY(jsonOf(gateSarif(report, "1")).isObject());
    QVERIFY2(isPrometheus(gatePrometheus(report)), gatePrometheus(report).c_str());
    const std::string summary = gateSummary(report);
    QVERIFY(summary.find("<b>") == std::string::npos && summary.find('\x1b') == std::string::npos);
    // Each row of a table has as many cells as its head.
    qsizetype cells = 0;
    for (const QString &line : QString::fromStdString(summary).split('\n')) {
        const qsizetype here = QString(line).remove("\\|").count('|');
        if (line.startsWith("|"))
            QVERIFY2(cells == 0 || here == cells, qPrintable(line));
        cells = line.startsWith("|") ? here : 0;
    }
}

void TestGateReport::numbersThatAreNone()
{
    GateReport report;
    report.rows = {gateRow("period", GateVerdict::None)};
    report.rows[0].a = std::numeric_limits<double>::quiet_NaN();
    report.rows[0].b = std::numeric_limits<double>::infinity();
    QCOMPARE(jsonOf(gateBenchmark(report)).array().size(), 0);
    QVERIFY(isPrometheus(gatePrometheus(report)));
    QVERIFY(gatePrometheus(report).find("nan") == std::string::npos);
}

namespace {

bool put(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

void TestGateReport::baselinesKeepCopies()
{
    QTemporaryDir folder;
    const std::string a = folder.filePath("a.jscope").toStdString();
    const std::string b = folder.filePath("b.jscope").toStdString();
    QVERIFY(put(folder.filePath("a.jscope"), "first") && put(folder.filePath("b.jscope"), "second"));
    const Baselines baselines(folder.filePath("kept").toStdString());
    QVERIFY(baselines.names().empty());
    QVERIFY(baselines.set("main", {a, b}, {}).ok());
    QVERIFY(QFile::remove(folder.filePath("a.jscope")));
    const Baseline kept = baselines.find("main").value();
    QVERIFY(kept.captures.size() == 2 && kept.reasons.empty());
    QFile copy(QString::fromStdString(kept.captures[0]));
    QVERIFY(copy.open(QIODevice::ReadOnly) && copy.readAll() == "first");
    // Another one replaces the copies, and its reason is kept for good.
    QVERIFY(baselines.set("main", {b}, "a \"new\" filter").ok());
    QVERIFY(baselines.set("main", {b}, {}).ok());
    QCOMPARE(baselines.find("main").value().reasons, std::vector<std::string>{"a \"new\" filter"});
    QCOMPARE(QDir(folder.filePath("kept/main")).entryList({"*.jscope"}).size(), 1);
    QCOMPARE(baselines.names(), std::vector<std::string>{"main"});
}

void TestGateReport::baselinesThatChangedAreRefused()
{
    QTemporaryDir folder;
    QVERIFY(put(folder.filePath("a.jscope"), "first"));
    const Baselines baselines(folder.path().toStdString());
    QVERIFY(baselines.set("main", {folder.filePath("a.jscope").toStdString()}, {}).ok());
    const QString copy = QString::fromStdString(baselines.find("main").value().captures[0]);
    QVERIFY(put(copy, "other"));
    QVERIFY(baselines.find("main").error().text.find("was changed since it became the baseline") != std::string::npos);
    QVERIFY(QFile::remove(copy));
    QVERIFY(!baselines.find("main").ok());
    for (const QByteArray &damaged :
         {QByteArray(), QByteArray("{"), QByteArray("{\"format\":\"other\",\"captures\":[],\"reasons\":[]}"),
          QByteArray("{\"format\":\"jetscope-baseline-1\",\"captures\":[{\"file\":\"../"
                     "a.jscope\",\"sha256\":\"\"}],\"reasons\":[]}")}) {
        QVERIFY(put(folder.filePath("main/baseline.json"), damaged));
        QVERIFY2(baselines.find("main").error().text.find("is no baseline of this version") != std::string::npos
                     || damaged.isEmpty(),
                 damaged.constData());
        QVERIFY(!baselines.find("main").ok());
    }
}

void TestGateReport::namesOfBaselines()
{
    QTemporaryDir folder;
    QVERIFY(put(folder.filePath("a.jscope"), "first"));
    const Baselines baselines(folder.path().toStdString());
    for (const char *name : {"", ".", "..", "a/b", "../x", "a b"})
        QVERIFY2(!baselines.set(name, {folder.filePath("a.jscope").toStdString()}, {}).ok()
                     && !baselines.find(name).ok(),
                 name);
    const auto missing = baselines.find("nothing");
    QVERIFY(!missing.ok() && missing.error().text.find("jetscope baseline set nothing CAPTURE") != std::string::npos);
}

JETSCOPE_TEST(TestGateReport)
#include "tst_gatereport.moc"
