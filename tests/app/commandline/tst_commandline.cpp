// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"
#include "app/commandline/commandtable.h"
#include "app/commandline/help.h"
#include "app/commandline/optiontable.h"
#include "app/commandline/settingslist.h"
#include "app/run/runplan.h"
#include "core/settings/choices.h"
#include "core/tracefile/tracefileschema.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace jetscope;

namespace {

Result<Options> parsed(const std::vector<std::string_view> &words)
{
    return parseCommandLine(words);
}

DeviceFacts everythingBut(Capability DeviceFacts::*missing = nullptr)
{
    DeviceFacts facts;
    facts.id = "soft:test";
    for (Capability DeviceFacts::*each :
         {&DeviceFacts::mapHostMemory, &DeviceFacts::managedMemory, &DeviceFacts::hostRegister, &DeviceFacts::eglImage,
          &DeviceFacts::eglSync, &DeviceFacts::glInterop, &DeviceFacts::eglStream, &DeviceFacts::nvBuf})
        facts.*each = each == missing ? Capability::no("it was left out.") : Capability::yes();
    return facts;
}

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT

private slots:
    void emptyMeansWindow();
    void theWindowConnectsWithABoard();
    void readsEveryOption();
    void readsAProgram();
    void commandMayStandAnywhere();
    void acceptsAttachedValues();
    void takesAnyFileName();
    void sortsAndMergesChanges();
    void refuses_data();
    void refuses();
    void errorsStayShortAndOnOneLine();
    void helpCoversTheTable();
    void manPageInTheTreeIsUpToDate();
    void referenceInTheTreeIsUpToDate();
    void planTakesTheBestSafeSync();
    void planKeepsWhatWasGiven();
    void planTakesFramesWhereTheyLie();
    void planRefusesTheUnavailable();
    void planMarksTheUnsafe();
    void planSplitsAtChanges();
};

/// The window stays here, so that its words are read here.
void TestCommandLine::theWindowConnectsWithABoard()
{
    const auto options = parsed({"--host", "me@orin-lab-3"});
    QVERIFY(options.ok());
    QCOMPARE(options.value().command, Command::Window);
    QCOMPARE(options.value().hosts.size(), std::size_t(1));
    QCOMPARE(options.value().hosts.front().text(), std::string("me@orin-lab-3"));
    const auto capture = parsed({"--host", "orin", "a.jscope"}); // It lies there.
    QVERIFY(capture.ok());
    QCOMPARE(capture.value().operands, std::vector<std::string>{"a.jscope"});
    for (const std::vector<std::string_view> &more : {std::vector<std::string_view>{"a.json", "--frames-by", "frame"},
                                                      {"--screenshot", "a.png"},
                                                      {"--record", "a.jscope"}}) {
        std::vector<std::string_view> words{"--host", "orin"};
        words.insert(words.end(), more.begin(), more.end());
        QVERIFY2(!parsed(words).ok(), more.front().data());
    }
    // The board says what is legal: only it knows its stages. The order of the words does not matter.
    const auto chosen =
        parsed({"--filters", "stage:/on/the/board.so", "--memory", "any", "--host", "orin", "--source", "csi:0"});
    QVERIFY(chosen.ok());
    QCOMPARE(chosen.value().source, std::optional<std::string>("csi:0"));
    QVERIFY(chosen.value().settings.empty());
    const std::vector<std::pair<std::string, std::string>> texts{{"filters", "stage:/on/the/board.so"},
                                                                 {"memory", "any"}};
    QCOMPARE(chosen.value().boardSettings, texts);
}

void TestCommandLine::emptyMeansWindow()
{
    const auto options = parsed({});
    QVERIFY(options.ok());
    QCOMPARE(options.value().command, Command::Window);
    QVERIFY(!options.value().source && !options.value().deviceId && !options.value().frames);
    QVERIFY(options.value().settings.empty());
}

void TestCommandLine::readsAProgram()
{
    const auto bare = parsed({"attach", "--json", "a.json", "program", "--json", "--frames", "", "x"});
    QVERIFY(bare.ok());
    QCOMPARE(bare.value().operands, (std::vector<std::string>{"program", "--json", "--frames", "", "x"}));
    QCOMPARE(bare.value().attach.jsonPath.value(), std::string("a.json"));
    QVERIFY(!bare.value().json && !bare.value().frames);
    const auto dashes = parsed({"attach", "--frames", "7", "--", "--odd-name", "--help"});
    QVERIFY(dashes.ok() && dashes.value().frames == 7u && !dashes.value().help && !dashes.value().attach.paused);
    QVERIFY(parsed({"attach", "--paused", "program"}).value().attach.paused);
    QCOMPARE(dashes.value().operands, (std::vector<std::string>{"--odd-name", "--help"}));
}

void TestCommandLine::readsEveryOption()
{
    const auto options = parsed({"run",
                                 "--source",
                                 "file:a b.avi",
                                 "--device",
                                 "soft:orin",
                                 "--memory",
                                 "zero-copy",
                                 "--output",
                                 "copy-back",
                                 "--sync",
                                 "event",
                                 "--wait",
                                 "block",
                                 "--cpu-stage",
                                 "pipelined",
                                 "--cpu-work",
                                 "histogram",
                                 "--filters",
                                 "invert,sobel",
                                 "--frames-in-flight",
                                 "3",
                                 "--streams",
                                 "2",
                                 "--frames",
                                 "40",
                                 "--checksum",
                                 "--hazards",
                                 "--json",
                                 "--at",
                                 "20",
                                 "memory=pinned,filters=sobel+invert"});
    QVERIFY2(options.ok(), options.ok() ? "" : options.error().text.c_str());
    const Options &o = options.value();
    QCOMPARE(o.command, Command::Run);
    QCOMPARE(o.source.value(), std::string("file:a b.avi"));
    QCOMPARE(o.deviceId.value(), std::string("soft:orin"));
    QCOMPARE(o.frames.value(), std::uint64_t{40});
    QVERIFY(o.checksum && o.hazards && o.json);
    const PipelineConfig config = o.settings.over({});
    QCOMPARE(config.memory, MemoryKind::ZeroCopy);
    QCOMPARE(config.output, OutputKind::CopyBack);
    QCOMPARE(config.sync, SyncMode::Event);
    QCOMPARE(config.wait, WaitPolicy::Block);
    QCOMPARE(config.cpuStage, CpuStagePlacement::Pipelined);
    QCOMPARE(config.cpuWork, CpuWork::Histogram);
    QVERIFY((config.filters == std::vector{Filter::Invert, Filter::Sobel}));
    QCOMPARE(config.framesInFlight, 3);
    QCOMPARE(config.streams, 2);
    QCOMPARE(o.at.size(), std::size_t{1});
    const PipelineConfig after = o.at.front().settings.over(config);
    QCOMPARE(after.memory, MemoryKind::Pinned);
    QVERIFY((after.filters == std::vector{Filter::Sobel, Filter::Invert}));

    const auto query = parsed({"query", "a.jscope", "SELECT 1"});
    QVERIFY(query.ok());
    QCOMPARE(query.value().operands, (std::vector<std::string>{"a.jscope", "SELECT 1"}));
    const auto shown = parsed({"folder/a.json"});
    QVERIFY(shown.ok());
    QCOMPARE(shown.value().command, Command::Window);
    QCOMPARE(shown.value().operands, std::vector<std::string>{"folder/a.json"});
    QVERIFY(parsed({"convert", "--help"}).value().help);
    QCOMPARE(parsed({"run", "--record", "a.jscope"}).value().recordPath.value(), std::string("a.jscope"));

    QVERIFY(parsed({"query", "a.jscope", "SELECT 1", "--json"}).value().json);
    QCOMPARE(parsed({"--record", "a.jscope"}).value().recordPath.value(), std::string("a.jscope"));
    QCOMPARE(parsed({"--most-spans", "20M"}).value().mostSpans.value(), std::uint64_t{20'000'000});
    QCOMPARE(parsed({"--most-spans", "2000001"}).value().mostSpans.value(), std::uint64_t{2'000'001});
    QCOMPARE(parsed({"convert", "a", "b", "--most-spans=1000M"}).value().mostSpans.value(),
             std::uint64_t{1'000'000'000});

    QCOMPARE(parsed({"convert", "a", "b", "--frames-by", "step #"}).value().framesBy.value(), std::string("step #"));
    QCOMPARE(parsed({"a.json", "--frames-by=step"}).value().framesBy.value(), std::string("step"));

    const auto sides = parsed({"compare", "--a", "1", "2", "3", "--json", "--b=4", "5", "--fail-on-worse", "2.5"});
    QVERIFY(sides.ok() && sides.value().json && sides.value().operands.empty());
    QCOMPARE(sides.value().compare.a, (std::vector<std::string>{"1", "2", "3"}));
    QCOMPARE(sides.value().compare.b, (std::vector<std::string>{"4", "5"}));
    QCOMPARE(sides.value().compare.failOnWorse.value(), 2.5);
    const auto two = parsed({"compare", "x", "y", "--metric", "latency"});
    QVERIFY(two.ok() && two.value().metric == Figure::Latency);
    QCOMPARE(two.value().compare.a, std::vector<std::string>{"x"});
    QCOMPARE(two.value().compare.b, std::vector<std::string>{"y"});

    QVERIFY(parsed({"rules"}).value().operands.empty());
    const auto rule = parsed({"rules", "A1", "--device", "soft:orin", "--json"});
    QVERIFY(rule.ok());
    QCOMPARE(rule.value().operands, std::vector<std::string>{"A1"});
    QCOMPARE(rule.value().deviceId.value(), std::string("soft:orin"));

    const auto window = parsed({"--screenshot", "a.png", "--after-frames", "7"});
    QVERIFY(window.ok());
    QCOMPARE(window.value().screenshotPath.value(), std::string("a.png"));
    QCOMPARE(window.value().afterFrames.value(), std::uint64_t{7});
}

void TestCommandLine::commandMayStandAnywhere()
{
    const auto options = parsed({"--json", "doctor"});
    QVERIFY(options.ok());
    QCOMPARE(options.value().command, Command::Doctor);
    QVERIFY(options.value().json);
}

void TestCommandLine::acceptsAttachedValues()
{
    const auto options = parsed({"run", "--source=synthetic:?size=8x8&fps=5", "--at=20", "memory=pinned"});
    QVERIFY(options.ok());
    QCOMPARE(options.value().source.value(), std::string("synthetic:?size=8x8&fps=5"));
    QCOMPARE(options.value().at.front().frame, 20U);
}

void TestCommandLine::takesAnyFileName()
{
    const auto behindDashes = parsed({"convert", "--json", "--", "-a.json", "--help"});
    QVERIFY2(behindDashes.ok(), behindDashes.ok() ? "" : behindDashes.error().text.c_str());
    QCOMPARE(behindDashes.value().operands, (std::vector<std::string>{"-a.json", "--help"}));
    QVERIFY(behindDashes.value().json && !behindDashes.value().help);
    // Existing files are opened regardless of their name, but commands have priority.
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    for (const char *name : {"trace", "run"}) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const auto trace = parsed({"trace"});
    const auto run = parsed({"run"});
    QDir::setCurrent(before);
    QVERIFY(trace.ok() && trace.value().command == Command::Window);
    QCOMPARE(trace.value().operands, std::vector<std::string>{"trace"});
    QVERIFY(run.ok() && run.value().command == Command::Run);
}

void TestCommandLine::sortsAndMergesChanges()
{
    const auto options =
        parsed({"run", "--at", "20", "memory=pinned", "--at", "10", "memory=pageable", "--at", "20", "sync=event"});
    QVERIFY(options.ok());
    const auto plan = planRun(options.value(), everythingBut(), Capability::yes());
    QVERIFY(plan.ok());
    const auto &segments = plan.value().segments;
    QCOMPARE(segments.size(), std::size_t{3});
    QCOMPARE(segments[1].firstFrame, 10U);
    QCOMPARE(segments[1].config.memory, MemoryKind::Pageable);
    QCOMPARE(segments[2].firstFrame, 20U);
    QCOMPARE(segments[2].config.memory, MemoryKind::Pinned);
    QCOMPARE(segments[2].config.sync, SyncMode::Event);
}

void TestCommandLine::refuses_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions"); // Parts that the sentence must contain.

    const auto row = [](const char *name, const QStringList &words, const QStringList &mentions) {
        QTest::newRow(name) << words << mentions;
    };
    row("unknown option", {"run", "--memroy", "pinned"}, {"--memroy", "did you mean --memory?", "--help"});
    row("near to an option of others", {"doctor", "--foo"}, {"unknown option \"--foo\": see"});
    row("far from any option", {"run", "--zzzzzzzzzz"}, {"--zzzzzzzzzz", "--help"});
    row("single dash", {"run", "-m"}, {"-m", "--help"});
    row("file that looks like an option", {"convert", "a", "-x.jscope"}, {"-x.jscope", "./-x.jscope"});
    row("empty file", {"convert", "", "x.json"}, {"empty", "IN … OUT"});
    row("option behind bare dashes", {"run", "--", "--json"}, {"one word too many"});
    row("empty name", {"run", "--=x"}, {"--help"});
    row("unknown command", {"runn"}, {"no command", "no file", "run", "doctor"});
    row("later command", {"inspect"}, {"no command"});
    row("empty command", {""}, {"no command"});
    row("two commands", {"run", "doctor"}, {"doctor", "one word too many"});
    row("missing value at the end", {"run", "--memory"}, {"--memory needs KIND", "pinned"});
    row("missing value before an option", {"run", "--memory", "--json"}, {"--memory needs KIND", "pinned"});
    row("value for a switch", {"run", "--json=yes"}, {"--json takes no value"});
    row("empty value", {"run", "--memory="}, {"--memory", "pageable", "nvbuf"});
    row("unknown memory", {"run", "--memory", "fast"},
        {"--memory", "fast", "pageable", "pinned", "zero-copy", "nvbuf"});
    row("wrong case", {"run", "--memory", "Pinned"}, {"pinned"});
    row("unknown output", {"run", "--output", "x"}, {"--output", "eglimage", "copy-back"});
    row("unknown sync", {"run", "--sync", "x"}, {"--sync", "finish", "eglsync", "none"});
    row("unknown wait", {"run", "--wait", "x"}, {"--wait", "auto", "spin", "yield", "block"});
    row("unknown cpu stage", {"run", "--cpu-stage", "x"}, {"--cpu-stage", "off", "same-input"});
    row("unknown cpu work", {"run", "--cpu-work", "x"}, {"--cpu-work", "canny", "contours", "histogram"});
    row("unknown filter", {"run", "--filters", "sobel,blur"}, {"filters", "blur", "gaussian5"});
    row("empty filter", {"run", "--filters", "sobel,,invert"}, {"filters", "gaussian5"});
    row("too many filters", {"run", "--filters", QStringList(65, "invert").join(",")}, {"filters", "64"});
    row("no frames in flight", {"run", "--frames-in-flight", "0"}, {"frames-in-flight", "1", "4"});
    row("too many in flight", {"run", "--frames-in-flight", "5"}, {"frames-in-flight", "1", "4"});
    row("streams beyond an int", {"run", "--streams", "99999999999999999999"}, {"streams", "1", "4"});
    row("no frames", {"run", "--frames", "0"}, {"--frames", "1"});
    row("negative frames", {"run", "--frames", "-5"}, {"--frames", "-5", "1"});
    row("fraction of frames", {"run", "--frames", "1.5"}, {"--frames"});
    row("words for frames", {"run", "--frames", "ten"}, {"--frames"});
    row("blank before frames", {"run", "--frames", " 5"}, {"--frames"});
    row("hexadecimal frames", {"run", "--frames", "0x10"}, {"--frames"});
    row("frames beyond 64 bits", {"run", "--frames", "18446744073709551617"}, {"--frames"});
    row("empty source", {"run", "--source", ""}, {"--source"});
    row("empty device", {"run", "--device="}, {"--device"});
    row("empty screenshot", {"--screenshot="}, {"--screenshot"});
    row("one file twice", {"attach", "--record", "a", "--json", "./b/../a", "--", "true"}, {"--record", "--json"});
    row("one file for a picture", {"--record", "a.png", "--screenshot", "a.png"}, {"--record", "--screenshot"});
    row("after-frames alone", {"--after-frames", "5"}, {"--screenshot"});
    row("screenshot of another kind", {"--screenshot", "a.jpg"}, {"--screenshot", "a.jpg", ".png"});
    row("frames of a file", {"a.jscope", "--screenshot", "a.png", "--after-frames", "5"},
        {"--after-frames", "a file has none"});
    row("window option in run", {"run", "--screenshot", "x.png"}, {"--screenshot", "\"jetscope\""});
    row("too few spans", {"--most-spans", "1999999"}, {"--most-spans", "1999999", "2M"});
    row("one million spans", {"convert", "a", "b", "--most-spans", "1M"}, {"--most-spans", "2M to 1000M"});
    row("too many spans", {"--most-spans", "1001M"}, {"--most-spans", "1000M"});
    row("spans beyond 64 bits", {"--most-spans", "18446744073709551617M"}, {"--most-spans"});
    row("no spans", {"--most-spans", ""}, {"--most-spans", "2M"});
    row("only a unit of spans", {"--most-spans", "M"}, {"--most-spans", "2M"});
    row("other unit of spans", {"--most-spans", "20m"}, {"--most-spans", "20m"});
    row("spans in run", {"run", "--most-spans", "20M"}, {"--most-spans", "\"jetscope convert\""});
    row("frames of no file", {"--frames-by", "step"}, {"--frames-by", "give its file"});
    row("frames in run", {"run", "--frames-by", "step"}, {"--frames-by", "\"jetscope convert\""});
    row("frames by nothing", {"convert", "a", "b", "--frames-by", ""}, {"--frames-by"});
    row("file and record", {"a.jscope", "--record", "b.jscope"}, {"a.jscope", "--record"});
    row("run option in window", {"--json"}, {"--json", "jetscope run", "jetscope query", "jetscope doctor"});
    row("pipeline option in doctor", {"doctor", "--memory", "pinned"}, {"--memory", "jetscope run"});
    row("two rules", {"rules", "A1", "A2"}, {"A2", "one word too many"});
    row("empty rule", {"rules", ""}, {"[ID]", "leave it out"});
    row("pipeline option in rules", {"rules", "--memory", "pinned"}, {"--memory", "jetscope run"});
    row("record in doctor", {"doctor", "--record", "x.jscope"}, {"--record", "jetscope run"});
    row("record nothing", {"run", "--record", ""}, {"--record", "empty"});
    row("two files for the window", {"a.jscope", "b.jscope"}, {"b.jscope", "one word too many"});
    row("file and source", {"a.jscope", "--source", "synthetic:"}, {"a.jscope", "--source"});
    row("side of no comparison", {"run", "--a", "a"}, {"--a", "\"jetscope compare\""});
    row("side without files", {"compare", "--a", "--b", "b"}, {"--a needs FILE"});
    row("one side", {"compare", "--a", "a", "b"}, {"two sides", "--b B"});
    row("sides and files", {"compare", "a", "b", "--a", "c"}, {"alone and behind"});
    row("convert without files", {"convert"}, {"convert", "IN … OUT"});
    row("convert one file", {"convert", "a.json"}, {"convert", "IN … OUT"});
    row("query without a statement", {"query", "a.jscope"}, {"query", "FILE SQL"});
    row("pipeline option in query", {"query", "a", "b", "--memory", "pinned"}, {"--memory", "jetscope run"});
    row("at without anything", {"run", "--at"}, {"--at needs"});
    row("at without settings", {"run", "--at", "5"}, {"--at needs"});
    row("at before an option", {"run", "--at", "5", "--json"}, {"--at needs"});
    row("at zero", {"run", "--at", "0", "memory=pinned"}, {"--at", "1 or more"});
    row("at a negative frame", {"run", "--at", "-1", "memory=pinned"}, {"--at", "1 or more"});
    row("at a word", {"run", "--at", "memory=pinned", "5"}, {"--at"});
    row("at no pair", {"run", "--at", "5", "pinned"}, {"pinned", "key=value"});
    row("at nothing", {"run", "--at", "5", ""}, {"key=value"});
    row("at a trailing comma", {"run", "--at", "5", "memory=pinned,"}, {"key=value"});
    row("at an unknown key", {"run", "--at", "5", "colour=red"}, {"colour", "memory", "streams"});
    row("at an empty key", {"run", "--at", "5", "=pinned"}, {"memory"});
    row("at an unknown value", {"run", "--at", "5", "memory=red"}, {"red", "pinned"});
    row("at twice the same", {"run", "--at", "5", "sync=event,sync=finish"}, {"sync is given twice"});
    row("at twice the same frame", {"run", "--at", "5", "sync=event", "--at", "5", "streams=2,sync=finish"},
        {"sync is given twice", "frame 5"});
    row("at filters with commas", {"run", "--at", "5", "filters=sobel,invert"}, {"invert", "key=value"});
    row("at behind the end", {"run", "--frames", "10", "--at", "10", "memory=pinned"}, {"--at 10", "10 frames"});
    row("at behind the default end", {"run", "--at", "300", "memory=pinned"}, {"--at 300", "300 frames"});
}

void TestCommandLine::refuses()
{
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    std::vector<std::string> bytes;
    for (const QString &word : words)
        bytes.push_back(word.toStdString());
    const auto options = parsed({bytes.begin(), bytes.end()});
    QVERIFY(!options.ok());
    const QString sentence = QString::fromStdString(options.error().message());
    for (const QString &mention : mentions)
        QVERIFY2(sentence.contains(mention), qPrintable(sentence + " [lacks: " + mention + "]"));
}

void TestCommandLine::errorsStayShortAndOnOneLine()
{
    const std::string value = "a\nb\x1b[31m" + std::string(100'000, 'x');
    const std::string option = "--" + value;
    for (const std::vector<std::string_view> &words :
         std::vector<std::vector<std::string_view>>{{option},
                                                    {"run", option},
                                                    {value},
                                                    {"run", value},
                                                    {"run", "--frames", value},
                                                    {"run", "--memory", value},
                                                    {"run", "--at", value, "memory=pinned"},
                                                    {"run", "--at", "5", value}}) {
        const auto options = parsed(words);
        QVERIFY(!options.ok());
        const std::string sentence = options.error().message();
        QVERIFY2(sentence.size() < 700, sentence.substr(0, 200).c_str());
        QVERIFY(sentence.find('\n') == std::string::npos);
        QVERIFY(sentence.find('\x1b') == std::string::npos);
    }
}

void TestCommandLine::helpCoversTheTable()
{
    for (const CommandRow &row : commandTable()) {
        const Command command = row.command;
        const QString help = QString::fromStdString(helpText(command));
        for (const OptionSpec &option : optionTable()) {
            const QString name = "\n  --" + QString::fromUtf8(option.name.data(), qsizetype(option.name.size()));
            const bool shown = help.contains(name + " ") || help.contains(name + "\n");
            const auto isWanted = [&](const OptionSpec &other) { // Commands may have options of the same name.
                return other.name == option.name && !other.help.empty() && other.belongsTo(command);
            };
            QCOMPARE(shown, std::any_of(optionTable().begin(), optionTable().end(), isWanted));
        }
        for (const QString &line : help.split('\n'))
            QVERIFY2(line.size() <= 120, qPrintable(line));
    }
    const QString help = QString::fromStdString(helpText(Command::Run));
    for (const auto &choice : choices<MemoryKind>())
        QVERIFY(help.contains(QString::fromUtf8(choice.name.data(), qsizetype(choice.name.size()))));
    const QString tables = QString::fromUtf8(kTraceFileTableNames.data(), qsizetype(kTraceFileTableNames.size()));
    QVERIFY(QString::fromStdString(helpText(Command::Query)).simplified().contains("The tables are " + tables + "."));
    const QString window = QString::fromStdString(helpText(Command::Window));
    QVERIFY(window.contains("jetscope run"));
    QVERIFY(window.contains("jetscope doctor"));
    QVERIFY(QString::fromStdString(versionText()).startsWith("jetscope "));
}

void TestCommandLine::manPageInTheTreeIsUpToDate()
{
    QFile file(JETSCOPE_MAN_PAGE);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(file.readAll() == QByteArray::fromStdString(manPage()),
             "packaging/man/jetscope.1 differs from the options: write it anew with \"jetscope --man\"");
}

void TestCommandLine::referenceInTheTreeIsUpToDate()
{
    QFile file(JETSCOPE_SOURCE_FOLDER "/resources/docs/options.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(file.readAll() == QByteArray::fromStdString(optionReference()),
             "resources/docs/options.md differs from the options: write it anew with \"jetscope --reference\"");
}

void TestCommandLine::planTakesTheBestSafeSync()
{
    const auto syncOf = [](const std::vector<std::string_view> &words, const DeviceFacts &facts) {
        return planRun(parsed(words).value(), facts, Capability::yes()).value().segments.front().config.sync;
    };
    QCOMPARE(syncOf({"run"}, everythingBut()), SyncMode::EglSync);
    QCOMPARE(syncOf({"run"}, everythingBut(&DeviceFacts::eglSync)), SyncMode::Event);
    QCOMPARE(syncOf({"run", "--output", "gl-interop"}, everythingBut(&DeviceFacts::eglSync)), SyncMode::Implicit);
}

void TestCommandLine::planKeepsWhatWasGiven()
{
    const auto plan = planRun(parsed({"run", "--sync", "finish", "--memory", "pageable"}).value(), everythingBut(),
                              Capability::yes());
    QVERIFY(plan.ok());
    const PipelineConfig &config = plan.value().segments.front().config;
    QCOMPARE(config.sync, SyncMode::Finish);
    QCOMPARE(config.memory, MemoryKind::Pageable);
    QVERIFY((config.filters == std::vector{Filter::Gaussian5, Filter::Sobel}));
    QCOMPARE(config.cpuStage, CpuStagePlacement::Off);
    QCOMPARE(config.framesInFlight, 2);
    QCOMPARE(config.streams, 1);
    QVERIFY(plan.value().warnings.empty());
}

void TestCommandLine::planTakesFramesWhereTheyLie()
{
    const auto kinds = [](const std::vector<std::string_view> &words, const DeviceFacts &facts) {
        const Options options = parsed(words).value();
        RunPlan plan = planRun(options, everythingBut(), Capability::yes()).value();
        takeExternalBuffers(plan, options, facts);
        QStringList names;
        for (const Segment &segment : plan.segments)
            names << QString::fromStdString(std::string(nameOf(segment.config.memory)));
        return names.join(' ');
    };
    QCOMPARE(kinds({"run"}, everythingBut()), QString("nvbuf"));
    QCOMPARE(kinds({"run"}, everythingBut(&DeviceFacts::nvBuf)), QString("pinned"));
    QCOMPARE(kinds({"run", "--memory", "pinned"}, everythingBut()), QString("pinned"));
    QCOMPARE(kinds({"run", "--cpu-stage", "same-input"}, everythingBut()), QString("pinned"));
    QCOMPARE(kinds({"run", "--at", "5", "memory=unified", "--at", "9", "sync=finish"}, everythingBut()),
             QString("nvbuf unified unified"));
}

void TestCommandLine::planRefusesTheUnavailable()
{
    const auto refusal = [](const std::vector<std::string_view> &words, Capability DeviceFacts::*missing) {
        const auto plan =
            planRun(parsed(words).value(), everythingBut(missing), Capability::no("this build has none."));
        return plan.ok() ? QString() : QString::fromStdString(plan.error().text);
    };
    QCOMPARE(refusal({"run", "--memory", "registered"}, &DeviceFacts::hostRegister),
             QString("memory registered is unavailable on soft:test: it was left out."));
    QVERIFY(refusal({"run", "--sync", "eglsync"}, &DeviceFacts::eglSync).startsWith("sync eglsync is unavailable"));
    QVERIFY(refusal({"run", "--output", "eglstream"}, &DeviceFacts::eglStream)
                .startsWith("output eglstream is unavailable"));
    QVERIFY(refusal({"run", "--gpu-time", "cupti"}, &DeviceFacts::cupti).startsWith("gpu-time cupti is unavailable"));
    QVERIFY(refusal({"run", "--sync", "implicit"}, nullptr).contains("gl-interop"));
    QVERIFY(refusal({"run", "--cpu-stage", "serial"}, nullptr).endsWith("this build has none."));
    QVERIFY(
        refusal({"run", "--at", "5", "memory=nvbuf"}, &DeviceFacts::nvBuf).startsWith("from frame 5 on, memory nvbuf"));
}

void TestCommandLine::planMarksTheUnsafe()
{
    const auto plan = planRun(parsed({"run", "--sync", "none"}).value(), everythingBut(), Capability::yes());
    QVERIFY(plan.ok());
    QCOMPARE(plan.value().warnings.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(plan.value().warnings.front()).startsWith("sync none is unsafe: "));

    // Two choices that are unsafe only in combination produce one warning.
    const auto sharing = planRun(parsed({"run", "--memory", "unified", "--cpu-stage", "same-input"}).value(),
                                 everythingBut(), Capability::yes());
    QVERIFY(sharing.ok());
    QCOMPARE(sharing.value().warnings.size(), std::size_t{1});
    QVERIFY(QString::fromStdString(sharing.value().warnings.front())
                .startsWith("memory unified with cpu-stage same-input is unsafe: "));
}

void TestCommandLine::planSplitsAtChanges()
{
    const auto plan = planRun(parsed({"run", "--at", "7", "sync=stream", "--at", "9", "memory=pageable"}).value(),
                              everythingBut(), Capability::yes());
    QVERIFY(plan.ok());
    const auto &segments = plan.value().segments;
    QCOMPARE(segments.size(), std::size_t{3});
    QCOMPARE(segments[0].config.sync, SyncMode::EglSync);
    QCOMPARE(segments[1].config.sync, SyncMode::Stream);
    QCOMPARE(segments[2].config.sync, SyncMode::Stream); // A change builds on the previous one.
    QCOMPARE(segments[2].config.memory, MemoryKind::Pageable);
}

JETSCOPE_TEST(TestCommandLine)
#include "tst_commandline.moc"
