// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/hazards/rulestext.h"
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>

using namespace jetscope;

namespace {

QString text(std::string_view from)
{
    return QString::fromUtf8(from.data(), qsizetype(from.size()));
}

} // namespace

/// `jetscope rules` as started by a user.
class TestRulesCommand : public QObject {
    Q_OBJECT

private slots:
    void listsEveryRule();
    void explainsOneRule();
    void refusesUnknownRules_data();
    void refusesUnknownRules();
    void addsTheCoverageOfADevice();
    void coverageFollowsTheDevice();
    void printsJson();
    void refusesUnknownDevices();
};

void TestRulesCommand::listsEveryRule()
{
    const Outcome outcome = runProgram({"rules"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QStringList lines = outcome.out.split('\n');
    for (const Rule &rule : rules()) {
        const QStringList words{text(rule.name), text(nameOf(rule.level)), text(rule.title)};
        const auto shows = [&words](const QString &line) { return line.simplified() == words.join(' '); };
        QCOMPARE(std::count_if(lines.begin(), lines.end(), shows), 1);
    }
    for (const char *heading : {"O: Order of accesses", "A: Memory", "H: Measurements"})
        QVERIFY2(lines.contains(heading), heading);
    for (const QString &line : lines)
        QVERIFY2(line.size() <= 110, qPrintable(line));
    QVERIFY(!outcome.out.contains("checked"));
}

void TestRulesCommand::explainsOneRule()
{
    const Outcome outcome = runProgram({"rules", "b5"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.out, QString::fromStdString(rulesText({RuleId::B5, std::nullopt})));
    for (const Rule &rule : rules()) {
        const QString printed = QString::fromStdString(rulesText({rule.id, std::nullopt}));
        QVERIFY(printed.startsWith(text(rule.name) + "  " + text(rule.title) + "\n"));
        for (const std::string_view part : {nameOf(rule.level), rule.condition, rule.sentence, rule.fix, rule.source})
            QVERIFY2(printed.simplified().contains(text(part)), qPrintable(printed));
        QVERIFY(!printed.contains("\n  Device "));
    }
}

void TestRulesCommand::refusesUnknownRules_data()
{
    QTest::addColumn<QString>("id");
    for (const char *id : {"A99", "A", "rule A1", "A1;", "-", "Ä1", "\x1b[31m"})
        QTest::newRow(id) << QString::fromUtf8(id);
    QTest::newRow("long") << QString(10'000, 'A');
}

void TestRulesCommand::refusesUnknownRules()
{
    QFETCH(QString, id);
    const Outcome outcome = runProgram({"rules", id});
    QVERIFY2(outcome.finished && outcome.code == 2, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.err.size() < 700 && !outcome.err.contains('\x1b'), outcome.describe());
    QVERIFY2(outcome.err.contains("there is no rule") && outcome.err.contains("\"jetscope rules\" lists them"),
             outcome.describe());
    QVERIFY(outcome.out.isEmpty());
}

void TestRulesCommand::addsTheCoverageOfADevice()
{
    const Outcome all = runProgram({"rules", "--device", "soft:orin"});
    QVERIFY2(all.finished && all.code == 0, all.describe());
    QCOMPARE(all.out.count("checked\n") + all.out.count("cannot be checked here: ") + all.out.count("does not apply: "),
             qsizetype(rules().size()));
    QVERIFY(all.out.contains(QString("\nOf %1 rules ").arg(rules().size())));

    const Outcome one = runProgram({"rules", "A1", "--device", "soft:orin"});
    QVERIFY2(one.finished && one.code == 0 && one.out.contains("soft:orin: checked\n"), one.describe());
}

void TestRulesCommand::coverageFollowsTheDevice()
{
    const Outcome outcome = runProgram({"rules", "A1", "--device", "soft:thor"});
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QVERIFY2(outcome.out.simplified().contains("soft:thor: does not apply: with concurrentManagedAccess = 1"),
             outcome.describe());
}

void TestRulesCommand::printsJson()
{
    const QJsonObject all = runProgram({"rules", "--json"}).json();
    QCOMPARE(all.keys(), QStringList{"rules"});
    QCOMPARE(all["rules"].toArray().size(), qsizetype(rules().size()));

    const QJsonObject one = runProgram({"rules", "A14", "--json", "--device", "soft:orin"}).json();
    QCOMPARE(one["rules"].toArray().size(), 1);
    const QJsonObject rule = one["rules"].toArray()[0].toObject();
    QCOMPARE(rule["id"].toString(), QString("A14"));
    QCOMPARE(rule["level"].toString(), QString("cost"));
    for (const char *key : {"title", "condition", "sentence", "fix", "source"})
        QVERIFY2(!rule[key].toString().isEmpty(), key);
    QCOMPARE(rule["coverage"].toObject()["state"].toString(), QString("does_not_apply"));
    QVERIFY(!rule["coverage"].toObject()["reason"].toString().isEmpty());
    QCOMPARE(one["device"].toString(), QString("soft:orin"));
    QCOMPARE(one["checked"].toInt() + one["cannot_check"].toInt() + one["does_not_apply"].toInt(),
             static_cast<int>(rules().size()));
}

void TestRulesCommand::refusesUnknownDevices()
{
    const Outcome outcome = runProgram({"rules", "--device", "soft:foo"});
    QVERIFY2(outcome.finished && outcome.code == 2 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains("soft:orin"), outcome.describe());
}

JETSCOPE_TEST(TestRulesCommand)
#include "tst_rulescommand.moc"
