// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetopening.h"
#include "core/fleet/fleetsql.h"
#include "core/fleet/reducedfleet.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using test::SyntheticFleet;

/// The lines between an engine and the method: those of all parts give the verdict of the whole.
class TestReducedFleet : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;

    FleetFolder folder() const { return FleetFolder::open(m_place.filePath("fleet").toStdString()).value(); }
    static FleetBoards none(const char *a = "commit=old")
    {
        return {FleetSelection::parse(a).value(), FleetSelection::parse("commit=new").value()};
    }
    QString linesOf(const FleetPart &part, bool byDuckDb) const;
    QString textOfParts(std::size_t count, bool byDuckDb) const;
    QString errorOf(const QString &text, FleetBoards boards = none()) const;
    QString fileOf(const QString &text) const;

private slots:
    void initTestCase();
    void partsAreTheWhole_data();
    void partsAreTheWhole();
    void daysAreInOnePart();
    void whatIsNoWholeReduction_data();
    void whatIsNoWholeReduction();
    void partsAreRead();
};

void TestReducedFleet::initTestCase()
{
    SyntheticFleet fleet;
    fleet.boards = 30;
    fleet.strata = 2;
    fleet.runs = 4;
    fleet.slowerStrata = {{1, 1.05}};
    fleet.slowerBoards = {{4, 1.5}};
    const FleetFolder to = FleetFolder::create(m_place.filePath("fleet").toStdString()).value();
    QVERIFY(fleet.addTo(to, [](FleetRow &row) {
        const std::size_t kind = std::hash<std::string>()(row.run) % 40;
        row.date = "2026-11-" + std::to_string(10 + kind % 7);
        row.throttled = kind == 0;
        if (kind == 1)
            row.clocksLocked = false;
        if (row.board == "board7")
            row.commit = "it's {a} \"other\"";
        if (row.metric == "blocked")
            row.scale = kByDifference;
    }));
}

QString TestReducedFleet::linesOf(const FleetPart &part, bool byDuckDb) const
{
    QString text;
    const auto take = [&](std::string_view line) {
        text += QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size()));
        return Status();
    };
    FleetBoards boards = none();
    const FleetFolder share = folder().part(part);
    if (byDuckDb) {
        DuckDb database = DuckDb::open(share.path()).value();
        text += QString::fromStdString(reducedBegin(boards, part, 0));
        const Status done = reduceFleet(database, share, std::as_const(boards),
                                        [&](std::string_view line) { return take(std::string(line) + "\n"); });
        return done.ok() ? text + QString::fromStdString(reducedEnd(part)) : QString::fromStdString(done.error().text);
    }
    NoProgress progress;
    std::size_t unfinished = 0;
    const Status read = readFleet(share, boards, unfinished, progress);
    return read.ok() && writeReduced(boards, part, unfinished, take).ok() ? text : QString();
}

QString TestReducedFleet::textOfParts(std::size_t count, bool byDuckDb) const
{
    QString text;
    for (std::size_t i = count; i-- > 0;) // Their order does not matter.
        text += linesOf({i, count}, byDuckDb);
    return text;
}

QString TestReducedFleet::fileOf(const QString &text) const
{
    QFile file(m_place.filePath("lines"));
    return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0 ? file.fileName() : QString();
}

QString TestReducedFleet::errorOf(const QString &text, FleetBoards boards) const
{
    const Result<std::size_t> read = readReduced(fileOf(text).toStdString(), boards);
    return read.ok() ? QString() : QString::fromStdString(read.error().text);
}

void TestReducedFleet::partsAreTheWhole_data()
{
    QTest::addColumn<bool>("byDuckDb");
    QTest::addColumn<int>("parts");
    for (const bool byDuckDb : {false, true})
        for (const int parts : {1, 3, 7})
            QTest::addRow("%s, %d", byDuckDb ? "DuckDB" : "built-in", parts) << byDuckDb << parts;
}

void TestReducedFleet::partsAreTheWhole()
{
    QFETCH(bool, byDuckDb);
    QFETCH(int, parts);
    if (byDuckDb && !DuckDb::version().ok())
        QSKIP(DuckDb::version().error().text.c_str());
    FleetBoards whole = none();
    std::size_t unfinished = 0;
    NoProgress progress;
    QVERIFY(readFleet(folder(), whole, unfinished, progress).ok());
    FleetBoards joined = none();
    const QString text = textOfParts(static_cast<std::size_t>(parts), byDuckDb);
    const Result<std::size_t> read = readReduced(fileOf(text).toStdString(), joined);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const FleetComparison a = compareFleet(whole);
    const FleetComparison b = compareFleet(joined);
    QVERIFY(a.isWorse());
    QCOMPARE(fleetWords(b), fleetWords(a));
    QCOMPARE(b.notes, a.notes);
    QCOMPARE(joined.commits(), whole.commits());
    QCOMPARE(b.results.size(), a.results.size());
    for (std::size_t i = 0; i < a.results.size(); ++i) {
        QCOMPARE(b.results[i].q, a.results[i].q);
        QCOMPARE(b.results[i].change, a.results[i].change);
        QCOMPARE(b.results[i].fellOut.size(), a.results[i].fellOut.size());
    }
}

void TestReducedFleet::daysAreInOnePart()
{
    std::map<std::string, std::size_t> days;
    std::size_t files = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const FleetListing listing = folder().part({i, 3}).list().value();
        for (const FleetFile &file : listing.files) {
            ++files;
            QVERIFY(days.try_emplace(file.date, i).first->second == i);
        }
    }
    QCOMPARE(days.size(), std::size_t{7});
    QCOMPARE(files, folder().list().value().files.size());
}

void TestReducedFleet::whatIsNoWholeReduction_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mention");
    QTest::newRow("nothing") << ""
                             << "this is no reduced fleet";
    QTest::newRow("a part is missing") << "missing"
                                       << "of 3 parts of the fleet 2 came whole";
    QTest::newRow("a part is cut short") << "cut"
                                         << "of 3 parts of the fleet 2 came whole";
    QTest::newRow("a part is there twice") << "twice"
                                           << "part 1 is there twice";
    QTest::newRow("other sides") << "sides"
                                 << "and not for \"commit=x and commit=new\"";
    QTest::newRow("another schema") << "schema"
                                    << "by another version";
    QTest::newRow("a foreign line") << "foreign"
                                    << "this is no line of a reduced fleet";
    QTest::newRow("NaN") << "nan"
                         << "this is no line of a reduced fleet";
}

void TestReducedFleet::whatIsNoWholeReduction()
{
    QFETCH(QString, what);
    QFETCH(QString, mention);
    const QString first = linesOf({0, 3}, false);
    const QString second = linesOf({1, 3}, false);
    QString third = linesOf({2, 3}, false);
    if (what == "cut")
        third.truncate(third.lastIndexOf("{"));
    if (what == "schema")
        third.replace("\"schema\":1", "\"schema\":2");
    if (what == "foreign")
        third += "run;board\n";
    if (what == "nan")
        third.replace(third.indexOf("\"a\":["), 5, "\"a\":[NaN,");
    const QString text = what.isEmpty() ? QString()
                                        : first + second
            + (what == "missing"     ? QString()
                   : what == "twice" ? second
                                     : third);
    const QString error = errorOf(text, what == "sides" ? none("commit=x") : none());
    QVERIFY2(error.contains(mention), qPrintable(error));
    QVERIFY(!error.contains('\n'));
}

void TestReducedFleet::partsAreRead()
{
    QCOMPARE(FleetPart::parse("2/3").value().index, std::size_t{2});
    for (const char *wrong : {"", "1", "3/3", "0/0", "-1/2", "1/2/3", "a/b", "0/1000000"})
        QVERIFY2(!FleetPart::parse(wrong).ok(), wrong);
}

JETSCOPE_TEST(TestReducedFleet)
#include "tst_reducedfleet.moc"
