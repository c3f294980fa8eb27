// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// run --try: which candidates are tried, the printed outcome, and the error if trials are not possible.
#include "app/commandline/options.h"
#include "app/run/adviceoutput.h"
#include "app/run/tryadvice.h"
#include "gpu/device/backends.h"
#include "tests/app/jsonlines.h"
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>

#include <csignal>

using namespace jetscope;

class TestTryAdvice : public QObject {
    Q_OBJECT
private slots:
    void triesEachOfTheList();
    void saysThatASourceEnded();
    void anInterruptLeavesTheRestUntried();
    void aSourceThatCannotBeOpenedIsAnError();
    void nothingToTryStartsNothing();
    void theProgramSaysWhatEndedBefore();
    void untriedAdviceIsListed();

private:
    static TrialSetup setupOf(const char *source);
    static std::vector<TriedCandidate> listOf(const std::vector<std::pair<std::string, std::string>> &settings);
};

TrialSetup TestTryAdvice::setupOf(const char *source)
{
    TrialSetup setup;
    setup.deviceId = "soft:orin";
    setup.display = openHeadlessDisplay(setup.deviceId).value();
    setup.sourceUri = source;
    return setup;
}

std::vector<TriedCandidate> TestTryAdvice::listOf(const std::vector<std::pair<std::string, std::string>> &settings)
{
    std::vector<TriedCandidate> list;
    for (const auto &[key, value] : settings) {
        TriedCandidate entry;
        entry.candidate.key = key;
        entry.candidate.value = value;
        entry.candidate.atMost = 0.25;
        entry.candidate.basis = "copy to device takes 25 % of the period: it need not";
        list.push_back(entry);
    }
    return list;
}

void TestTryAdvice::triesEachOfTheList()
{
    std::vector<TriedCandidate> list = listOf({{"memory", "zero-copy"}, {"memory", "nvbuf"}, {"sync", "event"}});
    const Interrupt interrupt;
    const Status tried = tryAdvice(list, setupOf("synthetic:?size=64x48"), interrupt);
    QVERIFY2(tried.ok(), tried.ok() ? "" : tried.error().message().c_str());
    QVERIFY(list[0].tried && list[0].tried->isMeasured());
    QVERIFY(list[1].tried && list[1].tried->verdict == TrialVerdict::Refused); // The trial of the next one still runs.
    QVERIFY(list[2].tried && list[2].tried->isMeasured());

    const QJsonArray json = printed({{"advice", adviceJson(list)}})["advice"].toArray();
    QCOMPARE(json.size(), 3);
    QCOMPARE(json[0].toObject().keys(),
             QStringList({"at_most", "basis", "key", "metric", "replaces", "tried", "value"}));
    const QJsonObject outcome = json[0]["tried"].toObject();
    QVERIFY(outcome["ratio"].toDouble() > 0 && outcome["noise"].toDouble() > 0 && outcome["reason"].isNull());
    QVERIFY(QStringList({"faster", "slower", "no difference"}).contains(outcome["verdict"].toString()));
    QVERIFY(json[1]["tried"]["ratio"].isNull() && json[1]["tried"]["noise"].isNull());
    QCOMPARE(json[1]["tried"]["verdict"].toString(), QString("refused"));
    QVERIFY(!json[1]["tried"]["reason"].toString().isEmpty());
}

void TestTryAdvice::saysThatASourceEnded()
{
    std::vector<TriedCandidate> list = listOf({{"memory", "zero-copy"}, {"sync", "event"}});
    const Interrupt interrupt;
    const Status tried = tryAdvice(list, setupOf("synthetic:?size=64x48&frames=100"), interrupt);
    QVERIFY(!tried.ok());
    QVERIFY(tried.error().message().find("loop=1") != std::string::npos);
    QVERIFY(list[0].tried && list[0].tried->verdict == TrialVerdict::Unfinished);
    QVERIFY(!list[1].tried);
}

void TestTryAdvice::anInterruptLeavesTheRestUntried()
{
    std::vector<TriedCandidate> list = listOf({{"memory", "zero-copy"}});
    const Interrupt interrupt;
    std::raise(SIGINT);
    const Status tried = tryAdvice(list, setupOf("synthetic:?size=64x48"), interrupt);
    QVERIFY(!tried.ok() && !list[0].tried);
}

void TestTryAdvice::aSourceThatCannotBeOpenedIsAnError()
{
    std::vector<TriedCandidate> list = listOf({{"memory", "zero-copy"}});
    const Interrupt interrupt;
    QVERIFY(!tryAdvice(list, setupOf("synthetic:?size=0x0"), interrupt).ok());
    QVERIFY(!list[0].tried);
}

void TestTryAdvice::nothingToTryStartsNothing()
{
    std::vector<TriedCandidate> list;
    const Interrupt interrupt;
    TrialSetup setup;
    setup.deviceId = "nothing:0"; // A device that cannot be opened.
    QVERIFY(tryAdvice(list, setup, interrupt).ok());
}

void TestTryAdvice::theProgramSaysWhatEndedBefore()
{
    const Outcome outcome =
        runProgram({"run", "--device", "soft:orin", "--source", "synthetic:?size=640x360&frames=80", "--frames", "80",
                    "--memory", "pinned", "--output", "copy-back", "--frames-in-flight", "1", "--try", "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    const QJsonArray advice = outcome.json()["advice"].toArray();
    QVERIFY2(!advice.isEmpty(), outcome.describe());
    QCOMPARE(advice[0]["tried"]["verdict"].toString(), QString("unfinished"));
    QVERIFY2(outcome.oneSentence() && outcome.err.contains("loop=1"), outcome.describe());
    QVERIFY(outcome.json()["advice_trouble"].toString().contains("loop=1"));
}

void TestTryAdvice::untriedAdviceIsListed()
{
    const QStringList arguments{
        "run",      "--device", "soft:orin", "--source",  "synthetic:?size=640x360", "--frames", "120",
        "--memory", "pinned",   "--output",  "copy-back", "--frames-in-flight",      "1"};
    const Outcome json = runProgram(arguments + QStringList{"--json"});
    QVERIFY2(json.finished && json.code == 0, json.describe());
    const QJsonArray advice = json.json()["advice"].toArray();
    QVERIFY2(!advice.isEmpty(), json.describe());
    for (const QJsonValue &entry : advice) {
        QVERIFY(entry["tried"].isNull() && !entry["tried"].isUndefined());
        QVERIFY(entry["at_most"].toDouble() >= 0.03 && entry["at_most"].toDouble() <= 1);
        QCOMPARE(entry["metric"].toString(), QString("period"));
    }
    QVERIFY(!json.json().contains("advice_trouble"));
    const Outcome text = runProgram(arguments);
    QVERIFY2(text.out.contains("\nAdvice") && text.out.contains("untried"), text.describe());
}

JETSCOPE_TEST(TestTryAdvice)
#include "tst_tryadvice.moc"
