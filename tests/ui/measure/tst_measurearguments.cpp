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
    wish.choices.lists["memory"].named = {"pinned", "zero-copy"};
    wish.choices.lists["sync"].named = {"event", "none"};
    wish.choices.lists["wait"].named = {"spin"};
    wish.choices.sizes = {{640, 480}, {1280, 720}};
    wish.seconds = 30;
    wish.file = QStringLiteral("/tmp/a.jscope");
    const Options sweep = parsed(sweepArguments(wish));
    QCOMPARE(sweep.command, Command::Sweep);
    QVERIFY(sweep.json && sweep.sweep.progress);
    for (const char *key : {"memory", "sync", "wait"})
        QCOMPARE(sweep.sweep.choices.of(key).named, wish.choices.of(key).named);
    QCOMPARE(sweep.sweep.choices.of("filters").named, std::vector<std::string>{"gaussian5+threshold"});
    QCOMPARE(sweep.sweep.choices.of("frames-in-flight").named, std::vector<std::string>{"3"});
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
    const Options verify = parsed(verifyArguments("soft:orin"));
    QCOMPARE(verify.command, Command::Verify);
    QVERIFY(verify.json && verify.sweep.progress && verify.deviceId == "soft:orin");
    QVERIFY(!parsed(verifyArguments({})).deviceId);
    const Options tune = parsed(tuneArguments(wish.on, wish.choices.base, 20));
    QCOMPARE(tune.command, Command::Tune);
    const PipelineConfig from = tune.sweep.from.over({});
    QCOMPARE(from.filters, wish.choices.base.filters);
    QVERIFY(from == wish.choices.base);
}

JETSCOPE_TEST(TestMeasureArguments)
#include "tst_measurearguments.moc"
