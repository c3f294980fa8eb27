// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
// What a shell offers behind `jetscope`.
#include "app/commandline/commandtable.h"
#include "app/commandline/help.h"
#include "core/settings/choices.h"
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

using namespace jetscope;

class TestCompletion : public QObject {
    Q_OBJECT

private slots:
    void offersWhatFits_data();
    void offersWhatFits();
    void everyCommandIsOffered();
    void everyMemoryKindIsOffered();
    void bashOffersTheSame();
};

namespace {

QString completed(const QStringList &words)
{
    std::vector<std::string> texts;
    for (const QString &word : words)
        texts.push_back(word.toStdString());
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    return QString::fromStdString(completionsOf(views));
}

} // namespace

void TestCompletion::offersWhatFits_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("offered");
    QTest::newRow("nothing typed at all") << QStringList() << "";
    QTest::newRow("a command") << QStringList{"swe"} << "sweep\n";
    QTest::newRow("no command twice") << QStringList{"run", "swe"} << "";
    QTest::newRow("an option of the command") << QStringList{"run", "--check"} << "--checksum\n";
    QTest::newRow("not of another command") << QStringList{"query", "--check"} << "";
    QTest::newRow("hidden options") << QStringList{"--ma"} << "";
    QTest::newRow("a value") << QStringList{"run", "--sync", "fin"} << "finish\n";
    QTest::newRow("the last value of a list") << QStringList{"run", "--streams", ""} << "1\n2\n3\n4\n";
    QTest::newRow("no words about a default") << QStringList{"run", "--frames", ""} << "";
    QTest::newRow("a file") << QStringList{"run", "--record", ""} << "";
    QTest::newRow("an unknown option") << QStringList{"run", "--nonsense", "x"} << "";
    QTest::newRow("behind a switch") << QStringList{"run", "--json", "--check"} << "--checksum\n";
    QTest::newRow("only dashes") << QStringList{"query", "--", "--j"} << "--json\n";
}

void TestCompletion::offersWhatFits()
{
    QFETCH(const QStringList, words);
    QTEST(completed(words), "offered");
}

void TestCompletion::everyCommandIsOffered()
{
    const QStringList offered = completed({""}).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(static_cast<std::size_t>(offered.size()), commandTable().size() - 1); // The window has no name.
}

void TestCompletion::everyMemoryKindIsOffered()
{
    QString expected;
    for (const Choice<MemoryKind> &kind : choices<MemoryKind>())
        expected += QString::fromUtf8(kind.name.data(), static_cast<int>(kind.name.size())) + "\n";
    QCOMPARE(completed({"run", "--memory", ""}), expected);
}

void TestCompletion::bashOffersTheSame()
{
    const QString words = R"(COMP_WORDS=(jetscope run --memory pi) COMP_CWORD=3; _jetscope jetscope)";
    const Outcome outcome = runShell("exec bash -c 'PATH=$(dirname \"$0\"):$PATH; . \"" JETSCOPE_COMPLETION "\"; "
                                     + words + "; printf \"%s\\n\" \"${COMPREPLY[@]}\"' \"$0\"");
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.out, "pinned\n");
}

JETSCOPE_TEST(TestCompletion)
#include "tst_completion.moc"
