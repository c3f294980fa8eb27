// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commandline.h"
#include "tests/support/testprogram.h"
#include "ui/measure/measurearguments.h"

#include <QTest>

using namespace jetscope;

/// The arguments that the window gives to its child processes: window and command line must not drift apart.
class TestMeasureArguments : public QObject {
    Q_OBJECT
private slots:
    void theProgramUnderstandsTheArguments();
};

void TestMeasureArguments::theProgramUnderstandsTheArguments()
{
    const auto parsed = [](const QStringList &words) {
        std::vector<std::string> texts;
        for (const QString &word : words)
            texts.push_back(word.toStdString());
        const std::vector<std::string_view> views(texts.begin(), texts.end());
        const Result<Options> options = parseCommandLine(views);
        if (!options.ok())
            qFatal("%s", options.error().text.c_str());
        return options.value();
    };
    SweepWish wish;
    wish.on = {"v4l2:/dev/video0?size=640x480", "soft:orin"};
    wish.choices.base.filters = {Filter::Gaussian5, Filter::Threshold};
    wish.choices.base.framesInFlight = 3;
    wish.choices.memories.named = {MemoryKind::Pinned, MemoryKind::ZeroCopy};
    wish.choices.syncs.named = {SyncMode::Event, SyncMode::None};
    wish.choices.waits.named = {WaitPolicy::Spin};
    wish.choices.sizes = {{640, 480}, {1280, 720}};
    wish.seconds = 30;
    wish.file = QStringLiteral("/tmp/a.jscope");
    const Options sweep = parsed(sweepArguments(wish));
    QCOMPARE(sweep.command, Command::Sweep);
    QVERIFY(sweep.json && sweep.sweep.progress);
    QCOMPARE(sweep.sweep.choices.memories.named, wish.choices.memories.named);
    QCOMPARE(sweep.sweep.choices.syncs.named, wish.choices.syncs.named);
    QCOMPARE(sweep.sweep.choices.chains.named, std::vector<std::vector<Filter>>{wish.choices.base.filters});
    QCOMPARE(sweep.sweep.choices.framesInFlight.named, std::vector<int>{3});
    QVERIFY(sweep.sweep.choices.sizes == wish.choices.sizes);
    QCOMPARE(*sweep.sweep.seconds, std::uint64_t{30});
    QVERIFY(parsed(resumeArguments(wish.file, {})).sweep.resume);
    const Options allowed = parsed(resumeArguments(wish.file, "gst:videotestsrc"));
    QVERIFY(allowed.sweep.resume);
    QCOMPARE(allowed.source.value_or(""), std::string("gst:videotestsrc"));
    const Options experiment = parsed(experimentArguments(QStringLiteral("fence-flush"), "soft:orin"));
    QCOMPARE(experiment.command, Command::Experiment);
    QCOMPARE(experiment.operands, std::vector<std::string>{"fence-flush"});
    QVERIFY(experiment.json && experiment.sweep.progress && experiment.deviceId == "soft:orin");
    const Options tune = parsed(tuneArguments(wish.on, wish.choices.base, 20));
    QCOMPARE(tune.command, Command::Tune);
    PipelineConfig from;
    for (const auto &[key, value] : tune.sweep.from)
        QVERIFY(applySetting(from, key, value).ok());
    QCOMPARE(from.filters, wish.choices.base.filters);
    QVERIFY(from == wish.choices.base);
}

JETSCOPE_TEST(TestMeasureArguments)
#include "tst_measurearguments.moc"
