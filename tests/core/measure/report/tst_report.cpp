// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Reports of sweeps and captures: complete, equal to the figures, self-contained, and safe with hostile texts.
#include "core/measure/report/capturereport.h"
#include "core/measure/report/devicebanner.h"
#include "core/measure/report/report.h"
#include "core/measure/report/reporttext.h"
#include "core/measure/sweep/stretchbytes.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/measure/sweep/sweepsummary.h"
#include "core/settings/capabilitytable.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/sampletrace.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr const char *kHostile = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;\x1b[31m\xff\xe2\x80\xae|`";

DeviceFacts orin(const std::string &name = "software iGPU (orin rules)")
{
    DeviceFacts facts;
    facts.id = "soft:orin";
    facts.name = name;
    facts.software = true;
    facts.integrated = true;
    facts.computeMajor = 8;
    facts.computeMinor = 7;
    facts.managedMemory = Capability::yes();
    facts.mapHostMemory = Capability::yes();
    facts.eglImage = Capability::yes();
    facts.eglSync = Capability::yes();
    return facts;
}

SweepPlan plan(const std::vector<SweepSize> &sizes = {})
{
    SweepChoices choices;
    choices.base = nearestLegal({}, orin());
    choices.lists["memory"].named = {"pageable", "pinned", "nvbuf"};
    choices.lists["sync"].named = {"stream", "eglsync"};
    choices.sizes = sizes;
    return planSweep(choices, orin()).value();
}

KeptStretch stretchOf(std::size_t cell, std::size_t round, double ms)
{
    KeptStretch kept;
    kept.stretch = {cell, round};
    kept.startNs = 1'000'000'000;
    kept.tookNs = 300'000'000;
    for (int i = 0; i < 4; ++i)
        kept.figures.batches[static_cast<std::size_t>(Figure::Period)].push_back(ms * (1 + 0.001 * i));
    for (int i = 0; i < 40; ++i)
        kept.figures.frameMs.push_back(static_cast<float>(ms * (1 + 0.01 * (i % 7))));
    return kept;
}

/// The bytes of a small capture with hostile texts.
std::vector<std::byte> sample(const QTemporaryDir &folder)
{
    Trace trace = sampleTrace();
    trace.setLanes({{0, LaneRole::Pipeline, kHostile, "CPU"}, {1, LaneRole::DeviceStream, "CUDA stream 0", ""}});
    const std::string path = folder.filePath("sample.jscope").toStdString();
    NoProgress progress;
    QFile::remove(QString::fromStdString(path));
    if (!saveTrace(trace, path, progress).ok())
        return {};
    const QByteArray bytes = readFile(QString::fromStdString(path));
    const auto *first = reinterpret_cast<const std::byte *>(bytes.data());
    return {first, first + bytes.size()};
}

/// Text of all elements with this name and a class that begins with `prefix`.
QStringList elements(const std::string &html, const QString &name, const QString &prefix)
{
    QStringList texts;
    QXmlStreamReader xml(QString::fromStdString(html));
    while (!xml.atEnd())
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == name
            && xml.attributes().value("class").startsWith(prefix))
            texts += xml.readElementText(QXmlStreamReader::IncludeChildElements);
    return texts;
}

/// Empty if the page is well-formed and refers to nothing outside itself.
QString faultOf(const std::string &html)
{
    QXmlStreamReader xml(QString::fromStdString(html));
    const QStringList allowed{"html", "head", "meta", "title",   "style",   "body",   "header",    "main",  "footer",
                              "h1",   "h2",   "h3",   "p",       "dl",      "div",    "dt",        "dd",    "ul",
                              "ol",   "li",   "i",    "section", "pre",     "code",   "table",     "thead", "tbody",
                              "tr",   "th",   "td",   "b",       "small",   "span",   "strong",    "br",    "svg",
                              "rect", "path", "text", "desc",    "caption", "figure", "figcaption"};
    const QRegularExpression attributes("^(lang|charset|name|content|class|role|tabindex|aria-label|scope|title|"
                                        "viewBox|x|y|width|height|rx|d|text-anchor"
                                        "|preserveAspectRatio)$");
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement)
            continue;
        if (!allowed.contains(xml.name().toString()))
            return "element " + xml.name().toString();
        for (const QXmlStreamAttribute &attribute : xml.attributes())
            if (!attributes.match(attribute.name().toString()).hasMatch())
                return "attribute " + attribute.name().toString();
        if (xml.name() == QLatin1String("th") && xml.attributes().value("scope").isEmpty())
            return "a head without scope";
    }
    if (html.find("@import") != std::string::npos || html.find("url(") != std::string::npos)
        return "a reference";
    return xml.hasError() ? xml.errorString() + " in line " + QString::number(xml.lineNumber()) : QString();
}

std::vector<QStringList> csvRows(const std::string &csv)
{
    std::vector<QStringList> rows(1, QStringList(QString()));
    bool quoted = false;
    const QString text = QString::fromStdString(csv);
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text[i];
        if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
            rows.back().back() += text[i++];
        else if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            rows.back().append(QString());
        else if (c == '\n' && !quoted)
            rows.emplace_back(QString());
        else
            rows.back().back() += c;
    }
    rows.pop_back();
    return rows;
}

} // namespace

class TestReport : public QObject {
    Q_OBJECT

private slots:
    void everyCellIsInTheHeatMapWithItsFigure();
    void thePageIsWellFormedAndRefersToNothing();
    void hostileTextsStayTexts();
    void sizesAreNotComparedWithEachOther();
    void theTableIsReadAgain();
    void markdownHasTheResult();
    void theCommandMakesTheSamePlan();
    void failedAndUnfinishedSweepsSaySo();
    void anUnknownMetricIsSaid();
    void theBestIsOneWithEnoughRounds();
    void aDamagedSampleIsSaid();
    void otherFilesAreRefused();
    void capabilitiesSurviveACapture();
    void aCaptureHasAReport();
    void anEmptyCaptureHasAReport();
    void textsAreEscaped();
    void aThousandCellsAreFast();

private:
    std::string pathOf(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    struct Wanted {
        SweepPlan cells = plan();
        std::size_t rounds = 6;
        std::string device = "software iGPU (orin rules)";
        bool complete = true;
        std::string failure; ///< Of cell 1.
    };
    /// A sweep whose cell n has about n + 1 ms.
    std::string written(const char *name, const Wanted &wanted) const
    {
        const std::string path = pathOf(name);
        const DeviceFacts facts = orin(wanted.device);
        Result<SweepFile> file = SweepFile::create(
            path, traceFileHeader({facts.name, "synthetic:", "test", {}, 1'700'000'000'000'000'000}, facts, {}),
            {"soft:orin", facts.name, "synthetic:", false, 7, "Jetscope 0"}, wanted.cells);
        if (!file.ok())
            return {};
        bool good = true;
        for (std::size_t cell = 0; cell < wanted.cells.cells.size(); ++cell)
            for (std::size_t round = 0; round < wanted.rounds; ++round)
                good &= file.value().add(stretchOf(cell, round, static_cast<double>(cell) + 1)).ok();
        if (wanted.complete)
            good &= file.value().setRemark("state", "complete").ok();
        if (!wanted.failure.empty())
            good &= file.value().addFailure(1, wanted.failure).ok();
        good &= file.value().addSample(0, sample(m_folder)).ok();
        return good ? path : std::string();
    }
    static std::string html(const std::string &path, Figure metric = Figure::Period)
    {
        const Result<std::string> report = reportOf(path, ReportFormat::Html, metric);
        return report.ok() ? report.value() : "error: " + report.error().message();
    }

    QTemporaryDir m_folder;
};

void TestReport::everyCellIsInTheHeatMapWithItsFigure()
{
    const std::string path = written("a.jscope", {});
    const StoredSweep sweep = readSweep(path).value();
    const std::string page = html(path);
    const QStringList cells = elements(page, "td", "h");
    QCOMPARE(static_cast<std::size_t>(cells.size()), sweep.plan.cells.size());
    for (std::size_t cell = 0; cell < sweep.plan.cells.size(); ++cell) {
        const double central = sweep.result.summary(cell, Figure::Period)->central;
        const QString text = QString::fromStdString(figureText(Figure::Period, central));
        QCOMPARE(cells.filter(QRegularExpression("^" + QRegularExpression::escape(text))).size(), 1);
    }
    QVERIFY(cells[0].contains(QString::fromUtf8("★ best")));
    QCOMPARE(static_cast<std::size_t>(elements(page, "td", "none").size()), sweep.plan.leftOut.size());
    QVERIFY(elements(page, "p", "verdict")[0].startsWith("The best period is 1.00"));
    QVERIFY(page.find("The default combination, pinned, eglsync, has 4.0") != std::string::npos);
    QVERIFY(page.find("2023-11-14 22:13 UTC") != std::string::npos);
}

void TestReport::thePageIsWellFormedAndRefersToNothing()
{
    const std::string page = html(written("b.jscope", {}));
    QCOMPARE(faultOf(page), QString());
    QVERIFY(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    for (const char *reference : {"<script", "href=", "http:", "https:"})
        QVERIFY2(page.find(reference) == std::string::npos, reference);
    QVERIFY(page.find("Lanes from top to bottom") != std::string::npos); // The sample's timeline.
    QVERIFY(page.find("Frame times, Best") != std::string::npos);
}

void TestReport::hostileTextsStayTexts()
{
    Wanted wanted;
    wanted.device = kHostile;
    wanted.failure = kHostile;
    const std::string path = written("hostile.jscope", wanted);
    const std::string page = html(path);
    QCOMPARE(faultOf(page), QString());
    QVERIFY(page.find("<script") == std::string::npos);
    QVERIFY(page.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
    QVERIFY(page.find('\x1b') == std::string::npos);
    const std::string markdown = reportOf(path, ReportFormat::Markdown).value();
    QVERIFY(markdown.find("<script") == std::string::npos);
    QVERIFY(markdown.find("\\|\\`") != std::string::npos);
    const std::vector<QStringList> rows = csvRows(reportOf(path, ReportFormat::Csv).value());
    for (const QStringList &row : rows)
        QCOMPARE(row.size(), rows[0].size());
}

void TestReport::sizesAreNotComparedWithEachOther()
{
    Wanted wanted;
    wanted.cells = plan({{640, 480}, {1280, 720}});
    const std::string page = html(written("sizes.jscope", wanted));
    const QStringList verdicts = elements(page, "p", "verdict");
    QCOMPARE(verdicts.size(), 2);
    QVERIFY(verdicts[0].startsWith("The best period is 1.00"));
    QVERIFY(verdicts[1].startsWith("The best period is 5.00"));
    QCOMPARE(elements(page, "td", "h0 best").size(), 2);
    QCOMPARE(faultOf(page), QString());
}

void TestReport::theTableIsReadAgain()
{
    const std::string path = written("table.jscope", {});
    const StoredSweep sweep = readSweep(path).value();
    const std::vector<QStringList> rows = csvRows(reportOf(path, ReportFormat::Csv).value());
    QCOMPARE(rows.size(), sweep.plan.cells.size() + 1);
    const qsizetype period = rows[0].indexOf("period_ms");
    const qsizetype noise = rows[0].indexOf("period_ms_noise");
    for (const Figure figure : sweepFigures()) {
        QString column = QString::fromUtf8(rowOf(figure).name.data());
        column.replace(u'-', u'_');
        QVERIFY2(rows[0].indexOf(QRegularExpression(column + "(_.*)?")) > 0, qPrintable(column));
    }
    QVERIFY(period > 0 && noise == period + 1 && rows[0].contains("bytes_copied_p99") && rows[0].contains("energy_mJ"));
    for (std::size_t i = 1; i < rows.size(); ++i) {
        QCOMPARE(rows[i].size(), rows[0].size());
        const Summary summary = *sweep.result.summary(rows[i][0].toULongLong(), Figure::Period);
        QCOMPARE(rows[i][period].toDouble(), summary.central);
        QCOMPARE(rows[i][noise].toDouble(), summary.noise);
        QCOMPARE(rows[i][rows[0].indexOf("rank")].toULongLong(), i);
        QCOMPARE(rows[i][rows[0].indexOf("best")], i == 1 ? "1" : "0");
        QCOMPARE(rows[i][rows[0].indexOf("energy_mJ")], QString());
    }
}

void TestReport::markdownHasTheResult()
{
    const std::string text = reportOf(written("m.jscope", {}), ReportFormat::Markdown).value();
    QVERIFY(text.find("**The best period is 1.00") != std::string::npos);
    QVERIFY(text.find("| ★ | pageable | stream | 1.00") != std::string::npos);
    QVERIFY(text.find("```sh\njetscope sweep --source synthetic: --device soft:orin --memory pageable,pinned,nvbuf "
                      "--output eglimage --sync stream,eglsync --wait auto --rounds 6 --seed 7 --out again.jscope\n```")
            != std::string::npos);
}

/// The values of the printed command give the plan of the file.
void TestReport::theCommandMakesTheSamePlan()
{
    SweepChoices choices;
    choices.base = nearestLegal({}, orin());
    QVERIFY(setSweepChoice(choices, "memory", "pageable,pinned,nvbuf").ok());
    QVERIFY(setSweepChoice(choices, "output", "eglimage").ok());
    QVERIFY(setSweepChoice(choices, "sync", "stream,eglsync").ok());
    const SweepPlan again = planSweep(choices, orin()).value();
    QVERIFY(again.cells == plan().cells);
    QCOMPARE(again.leftOut.size(), plan().leftOut.size());
}

void TestReport::failedAndUnfinishedSweepsSaySo()
{
    Wanted unmeasured;
    unmeasured.rounds = 0;
    unmeasured.complete = false;
    const std::string nothing = html(written("nothing.jscope", unmeasured));
    QCOMPARE(faultOf(nothing), QString());
    QVERIFY(nothing.find("No round is complete") != std::string::npos);
    QVERIFY(nothing.find("The sweep is unfinished") != std::string::npos);

    Wanted one;
    one.failure = "the device was lost";
    const std::string failed = html(written("failed.jscope", one));
    QCOMPARE(elements(failed, "td", "failed").size(), 1);
    QVERIFY(failed.find("<h2>Failed</h2>") != std::string::npos);

    Wanted all;
    all.cells.cells.resize(1);
    const std::string path = written("all.jscope", all);
    QVERIFY(SweepFile::resume(path).value().addFailure(0, "it hung").ok());
    const std::string page = html(path);
    QCOMPARE(faultOf(page), QString());
    QCOMPARE(elements(page, "p", "verdict"), QStringList("The only combination failed."));

    Wanted single;
    single.cells.cells.resize(1);
    QVERIFY(elements(html(written("one.jscope", single)), "p", "verdict")[0].contains("the only combination"));
}

void TestReport::anUnknownMetricIsSaid()
{
    const std::string page = html(written("energy.jscope", {}), Figure::Energy);
    QVERIFY(elements(page, "p", "verdict")[0].startsWith("Energy is not known of any combination: take another"));
}

/// A combination that was measured in fewer rounds than a comparison needs is neither best nor tie.
void TestReport::theBestIsOneWithEnoughRounds()
{
    const std::string path = written("few.jscope", {});
    Database database = Database::open(path, Database::Access::ReadWrite).value();
    QVERIFY(database.run("DELETE FROM sweep_stretches WHERE cell = 1 AND round > 0").ok());
    const std::string page = html(path);
    const QStringList verdict = elements(page, "p", "verdict");
    QVERIFY(verdict[0].startsWith("No verdict: a verdict needs 4 rounds"));
    QCOMPARE(elements(page, "td", "h").filter("too few rounds").size(), 1);
    QCOMPARE(elements(page, "td", "h").filter("best").size(), 0);
}

void TestReport::aDamagedSampleIsSaid()
{
    const std::string path = written("sample-damaged.jscope", {});
    const std::string garbage = "no capture";
    QVERIFY(SweepFile::resume(path).value().addSample(0, std::as_bytes(std::span(garbage))).ok());
    const std::string page = html(path);
    QCOMPARE(faultOf(page), QString());
    QVERIFY(page.find("The sample trace in the file is damaged.") != std::string::npos);
    QVERIFY(page.find("No sample trace was kept.") != std::string::npos); // Of the default combination.
}

void TestReport::otherFilesAreRefused()
{
    QVERIFY(reportOf(pathOf("missing"), ReportFormat::Html).error().text.ends_with("check the path"));
    QVERIFY(writeFile(m_folder.filePath("text"), "just text"));
    QVERIFY(!reportOf(pathOf("text"), ReportFormat::Html).ok());
    QVERIFY(writeFile(m_folder.filePath("trace.json"), "[]"));
    QVERIFY(reportOf(pathOf("trace.json"), ReportFormat::Html).error().text.find("convert") != std::string::npos);
    Wanted none;
    none.cells.cells.clear();
    none.cells.leftOut.clear();
    const std::string empty = written("none.jscope", none);
    QVERIFY(reportOf(empty, ReportFormat::Csv).error().text.find("without combinations") != std::string::npos);
    const std::string path = written("cut.jscope", {});
    const QByteArray bytes = readFile(QString::fromStdString(path));
    for (const int part : {1, 10, 50, 90}) {
        QVERIFY(writeFile(QString::fromStdString(path), bytes.left(bytes.size() * part / 100)));
        for (const ReportFormat format : {ReportFormat::Html, ReportFormat::Markdown, ReportFormat::Csv})
            QVERIFY(!reportOf(path, format).ok());
    }
}

void TestReport::aCaptureHasAReport()
{
    const std::string path = pathOf("capture.jscope");
    NoOpenProgress progress;
    QVERIFY(saveTrace(sampleTrace(), path, progress).ok());
    const std::string page = html(path);
    QCOMPARE(faultOf(page), QString());
    for (const char *part : {"Critical path", "Longest frames", "Timeline", "A1", "managed memory, 64 bytes",
                             "wait for the event", "CPU read &quot;buffer&quot;", "sobel&lt;&quot;float&quot;&gt;"})
        QVERIFY2(page.find(part) != std::string::npos, part);
    const CaptureReport report = readCaptureReport(path, progress).value();
    QCOMPARE(report.hazards.size(), std::size_t{1});
    const std::string markdown = captureMarkdown(report);
    QVERIFY(markdown.find("Hazard A1 (1 time)") != std::string::npos);
    const std::vector<QStringList> rows = csvRows(reportOf(path, ReportFormat::Csv).value());
    QCOMPARE(rows.size(), report.frameCount() + 1);
}

void TestReport::anEmptyCaptureHasAReport()
{
    const std::string path = pathOf("empty.jscope");
    NoProgress progress;
    QVERIFY(saveTrace(Trace(), path, progress).ok());
    const std::string page = html(path);
    QCOMPARE(faultOf(page), QString());
    QVERIFY(page.find("The capture has no spans.") != std::string::npos);
    QVERIFY(page.find("no complete frame") != std::string::npos);
}

void TestReport::textsAreEscaped()
{
    QCOMPARE(htmlText("a<b>&\"'"), std::string("a&lt;b&gt;&amp;&quot;&#39;"));
    QCOMPARE(cleanText("a\nb\x07\xff"), std::string("a b\xef\xbf\xbd\xef\xbf\xbd"));
    QCOMPARE(csvText("=1+1"), std::string("'=1+1"));
    QCOMPARE(csvText("a,\"b\""), std::string("\"a,\"\"b\"\"\""));
    QCOMPARE(markdownText("a|b*"), std::string("a\\|b\\*"));
    QCOMPARE(shellWord("a b'c; rm -rf"), std::string("'a b'\\''c; rm -rf'"));
    QCOMPARE(shellWord("pinned,zero-copy"), std::string("pinned,zero-copy"));
    QCOMPARE(shortenedText("größer als", 4), std::string("größ…"));
    QCOMPARE(dateText(0), std::string());
    QCOMPARE(exactText(0.1), std::string("0.1"));
}

void TestReport::aThousandCellsAreFast()
{
    SweepPlan large;
    for (int i = 0; i < 1000; ++i)
        large.cells.push_back({plan().cells[static_cast<std::size_t>(i) % 4].config, 2 + i / 4, 2});
    Wanted wanted;
    wanted.cells = large;
    wanted.rounds = 0;
    const std::string path = written("large.jscope", wanted);
    {
        Database database = Database::open(path, Database::Access::ReadWrite).value();
        QVERIFY(database.run("BEGIN").ok());
        Statement row = database
                            .prepare("INSERT INTO sweep_stretches(cell, round, start_ns, took_ns, hazards, figures) "
                                     "VALUES(?, ?, 0, 1, 0, ?)")
                            .value();
        for (std::int64_t i = 0; i < 5000; ++i) {
            const std::vector<std::byte> bytes = bytesOf(stretchOf(0, 0, 1 + static_cast<double>(i % 4) / 10).figures);
            row.bind(1, 1 + i % 1000);
            row.bind(2, i / 1000);
            row.bind(3, std::span<const std::byte>(bytes));
            QVERIFY(row.run());
        }
        QVERIFY(database.run("COMMIT").ok());
    }
    QElapsedTimer timer;
    timer.start();
    const StoredSweep sweep = readSweep(path).value();
    QCOMPARE(summariseSweep(sweep).rows.size(), std::size_t{1000});
    const auto reference = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    timer.restart();
    const std::string page = html(path);
    const auto seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    qInfo("report in %.2f s, reading and ranking in %.2f s", seconds, reference);
    QCOMPARE(elements(page, "td", "h").size(), 1000);
    QVERIFY(seconds < 20 * reference);
}

/// One missing at a time, with its reason.
void TestReport::capabilitiesSurviveACapture()
{
    for (const CapabilityRow &missing : capabilityTable()) {
        DeviceFacts facts;
        for (const CapabilityRow &row : capabilityTable())
            facts.*row.value = &row == &missing ? Capability::no("it is not there") : Capability::yes();
        const DeviceRows rows = traceFileHeader({}, facts, {}).facts;
        const DeviceFacts read = factsOfRows(rows);
        for (const CapabilityRow &row : capabilityTable())
            QVERIFY2((read.*row.value).available == (&row != &missing), row.key.data());
        const auto banner = bannerRows(rows);
        QVERIFY2(std::any_of(banner.begin(), banner.end(),
                             [](const auto &shown) { return shown.second == "no: it is not there"; }),
                 missing.key.data());
    }
    QVERIFY(factsOfRows({}).graphs.available); // Of an older capture, which does not have the row.
}

JETSCOPE_TEST(TestReport)
#include "tst_report.moc"
