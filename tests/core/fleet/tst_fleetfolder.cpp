// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetboards.h"
#include "core/fleet/fleetfolder.h"
#include "core/fleet/fleetreader.h"
#include "core/fleet/gziplines.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <set>
#include <thread>

using namespace jetscope;
using test::SyntheticFleet;

namespace {

FleetRun runOf(int board, const std::string &commit, int number)
{
    FleetRun run;
    for (const char *metric : SyntheticFleet::kMetrics) {
        FleetRow row = SyntheticFleet().rowOf(board, commit, number);
        row.metric = metric;
        row.value = 10 + number;
        run.rows.push_back(row);
    }
    FrameFigures frame;
    frame.overlap.periodNs = 5;
    run.frames = {frame, frame};
    return run;
}

QStringList filesIn(const QString &folder)
{
    QStringList files;
    QDirIterator it(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (it.hasNext())
        files += QDir(folder).relativeFilePath(it.next());
    files.sort();
    return files;
}

Result<std::vector<FleetRow>> rowsIn(const QString &path, std::uint64_t most = FleetReader::kMaxRows)
{
    JETSCOPE_TRY_ASSIGN(const FleetFolder folder, FleetFolder::open(path.toStdString()));
    std::vector<FleetRow> rows;
    FleetReader reader(most);
    JETSCOPE_TRY(reader.readAll(
        folder, [&] { rows.clear(); },
        [&](const FleetRow &row, std::string_view) -> Status {
            rows.push_back(row);
            return {};
        }));
    return rows;
}

/// The error of reading a folder.
QString errorIn(const QString &path)
{
    const auto rows = rowsIn(path);
    return rows.ok() ? QString() : QString::fromStdString(rows.error().message());
}

bool writeFile(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly)
        && file.write(bytes) == bytes.size();
}

bool writeLinesTo(const QString &path, const std::string &lines)
{
    if (!QDir().mkpath(QFileInfo(path).path()))
        return false;
    Result<GzipFile> file = GzipFile::create(path.toStdString());
    if (!file.ok())
        return false;
    file.value().write(lines);
    return file.value().finish().ok();
}

const char *const kDay = "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25";

} // namespace

class TestFleetFolder : public QObject {
    Q_OBJECT
private slots:
    void everyFieldComesBack();
    void aParserRemembersNoWrongThing();
    void theLayoutIsHives();
    void aRunIsAddedOnce();
    void twoWritersAtOnce();
    void compactingKeepsEachRowOnce();
    void compactingWhileOthersAdd();
    void whatAKillLeavesIsNotRead();
    void moreRowsThanTheReaderTakes();
    void badFiles_data();
    void badFiles();
    void badRows_data();
    void badRows();
    void foldersThatAreNoFleet();
    void awkwardNames();
};

void TestFleetFolder::everyFieldComesBack()
{
    FleetRow row = SyntheticFleet().rowOf(1, "a \"quoted\" ü", 1);
    // Each field gets a value of its own.
    int number = 1;
    visitFleetRow(row, [&](std::string_view, auto &member, std::string_view) {
        using Member = std::remove_cvref_t<decltype(member)>;
        ++number;
        if constexpr (std::is_same_v<Member, std::string>)
            member += std::to_string(number);
        else if constexpr (std::is_same_v<Member, bool> || std::is_same_v<Member, std::optional<bool>>)
            member = true;
        else
            member = number / 7.0;
    });
    row.direction = kHigherIsBetter;
    row.scale = kByDifference;
    std::string line;
    appendFleetRow(line, row);
    QVERIFY(line.ends_with("}\n") && line.find('\n') == line.size() - 1);
    FleetRowParser parser;
    const auto isRead = [&] {
        const auto read = parser.parse(std::string_view(line).substr(0, line.size() - 1));
        return read.ok() && *read.value() == row;
    };
    QVERIFY(isRead());
    // And what is not known stays so.
    visitFleetRow(row, [&](std::string_view, auto &member, std::string_view) {
        if constexpr (requires { member.reset(); })
            member.reset();
    });
    line.clear();
    appendFleetRow(line, row);
    QVERIFY(isRead());
    QCOMPARE(fleetFields().size(), std::size_t(number - 1));
}

/// What a parser remembers of the line before changes nothing: it agrees with one that has read nothing.
void TestFleetFolder::aParserRemembersNoWrongThing()
{
    std::vector<std::string> lines;
    const auto add = [&](const FleetRow &row) -> std::string & {
        std::string line;
        appendFleetRow(line, row);
        line.pop_back();
        return lines.emplace_back(std::move(line));
    };
    const auto replace = [](std::string &text, const std::string &from, const std::string &to) {
        const std::size_t at = text.find(from);
        QVERIFY2(at != std::string::npos, from.c_str());
        text.replace(at, from.size(), to);
    };
    FleetRow row = SyntheticFleet().rowOf(3, "old", 1);
    for (const char *board : {"metric", "a \"metric\":1", ",metric:", "plain"}) {
        row.board = board;
        for (int i = 0; i < 3; ++i) {
            row.metric = "m" + std::to_string(i);
            row.value = i;
            add(row);
        }
        replace(add(row), "\"metric\":", "\"metric\" : ");
        replace(add(row), "\"metric\":", "\"metric\" :\"other\",\"metric\":");
        replace(add(row), "{\"run\":", "{ \"run\":");
        replace(add(row), "\"capture_sha256\":\"\",\"metric\":\"m2\",", "\"metric\":\"m9\",\"capture_sha256\":\"\",");
        replace(add(row), "\"metric\":\"m2\",", "");
        replace(add(row), "\"value\":2", "\"value\":\"2\"");
        replace(add(row), "\"unit\":\"ms\"", "\"unit\":{\"metric\":1}");
        add(row).pop_back();
        lines.push_back("{\"metric\":\"m\"}");
    }
    std::mt19937 random(1);
    FleetRowParser warm;
    int good = 0;
    for (int i = 0; i < 20'000; ++i) {
        const std::string &line = lines[random() % lines.size()];
        const int times = 1 + static_cast<int>(random() % 3); // Several of one run, as files have them.
        for (int each = 0; each < times; ++each) {
            FleetRowParser fresh;
            const auto other = fresh.parse(line);
            const auto read = warm.parse(line);
            QVERIFY2(read.ok() == other.ok(), line.c_str());
            QVERIFY2(!read.ok() || *read.value() == *other.value(), line.c_str());
            QVERIFY2(read.ok() || read.error().text == other.error().text, line.c_str());
            good += read.ok() ? 1 : 0;
        }
    }
    QVERIFY(good > 10'000);
}

void TestFleetFolder::theLayoutIsHives()
{
    QTemporaryDir folder;
    const FleetFolder fleet = FleetFolder::create(folder.path().toStdString()).value();
    QVERIFY(fleet.add(runOf(3, "old", 1)).value());
    const QString name = "/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/board3-board3old1.jsonl.gz";
    QCOMPARE(filesIn(folder.path()), (QStringList{"frames" + name, "runs" + name}));
    QCOMPARE(rowsIn(folder.path()).value().size(), std::size(SyntheticFleet::kMetrics));
    int frames = 0;
    const Status read = readGzipLines((folder.path() + "/frames" + name).toStdString(), [&](std::string_view line) {
        ++frames;
        return line.starts_with("{\"run\":\"board3old1\",") && line.find("\"period_ns\":5") != std::string_view::npos
            ? Status()
            : sentence("wrong");
    });
    QVERIFY(read.ok() && frames == 2);
}

void TestFleetFolder::aRunIsAddedOnce()
{
    QTemporaryDir folder;
    const FleetFolder fleet = FleetFolder::create(folder.path().toStdString()).value();
    QVERIFY(fleet.add(runOf(3, "old", 1)).value());
    QVERIFY(!fleet.add(runOf(3, "old", 1)).value());
    QVERIFY(fleet.add(runOf(3, "old", 2)).value());
    QCOMPARE(rowsIn(folder.path()).value().size(), 2 * std::size(SyntheticFleet::kMetrics));
}

void TestFleetFolder::twoWritersAtOnce()
{
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    constexpr int kRuns = 40;
    std::vector<std::thread> writers;
    std::atomic<int> added = 0;
    std::atomic<int> failed = 0;
    for (int writer = 0; writer < 4; ++writer)
        writers.emplace_back([&] {
            const Result<FleetFolder> fleet = FleetFolder::create(path);
            for (int run = 0; fleet.ok() && run < kRuns; ++run) {
                const Result<bool> isNew = fleet.value().add(runOf(1, "old", run));
                added += isNew.ok() && isNew.value() ? 1 : 0;
                failed += isNew.ok() ? 0 : 1;
            }
        });
    for (std::thread &writer : writers)
        writer.join();
    QCOMPARE(failed, 0);
    QCOMPARE(added, kRuns);
    QCOMPARE(rowsIn(folder.path()).value().size(), kRuns * std::size(SyntheticFleet::kMetrics));
    QCOMPARE(filesIn(folder.path() + "/runs").size(), kRuns); // No part is left.
}

void TestFleetFolder::compactingKeepsEachRowOnce()
{
    QTemporaryDir folder;
    const FleetFolder fleet = FleetFolder::create(folder.path().toStdString()).value();
    for (int run = 0; run < 6; ++run)
        QVERIFY(fleet.add(runOf(run, "old", run)).value());
    // The same run in a second file, as a crash between writing and removing leaves it.
    const QStringList files = filesIn(folder.path() + kDay);
    QVERIFY(QFile::copy(folder.path() + kDay + "/" + files[0], folder.path() + kDay + "/again.jsonl.gz"));
    const auto before = rowsIn(folder.path()).value();
    QCOMPARE(before.size(), 6 * std::size(SyntheticFleet::kMetrics));
    NoProgress progress;
    const FleetCompaction done = fleet.compact(progress).value();
    QCOMPARE(done.folders, std::size_t{1});
    QCOMPARE(done.filesBefore, std::size_t{7});
    QCOMPARE(done.repeated, std::uint64_t{std::size(SyntheticFleet::kMetrics)});
    QCOMPARE(filesIn(folder.path() + kDay).size(), 1);
    const auto after = rowsIn(folder.path()).value();
    QCOMPARE(after.size(), before.size());
    const auto keysOf = [](const std::vector<FleetRow> &rows) {
        std::set<std::string> keys;
        for (const FleetRow &row : rows)
            keys.insert(row.run + row.metric + std::to_string(row.value));
        return keys;
    };
    QCOMPARE(keysOf(after), keysOf(before));
    QCOMPARE(fleet.compact(progress).value().folders, std::size_t{0}); // One file stays.
}

void TestFleetFolder::compactingWhileOthersAdd()
{
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    const FleetFolder fleet = FleetFolder::create(path).value();
    std::atomic<bool> over = false;
    std::atomic<int> failed = 0;
    std::jthread writer([&] { // Also joined if an assertion fails.
        for (int run = 0; run < 60; ++run)
            failed += fleet.add(runOf(2, "old", run)).ok() ? 0 : 1;
        over = true;
    });
    NoProgress progress;
    while (!over) {
        QVERIFY(fleet.compact(progress).ok());
        QCOMPARE(errorIn(folder.path()), QString());
    }
    writer.join();
    QCOMPARE(failed, 0);
    QCOMPARE(rowsIn(folder.path()).value().size(), 60 * std::size(SyntheticFleet::kMetrics));
}

void TestFleetFolder::whatAKillLeavesIsNotRead()
{
    QTemporaryDir folder;
    const FleetFolder fleet = FleetFolder::create(folder.path().toStdString()).value();
    QVERIFY(fleet.add(runOf(3, "old", 1)).value());
    const QString whole = folder.path() + kDay + "/board3-board3old1.jsonl.gz";
    QFile file(whole);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(writeFile(folder.path() + kDay + "/board4-x.jsonl.gz.part", file.readAll().left(100)));
    QCOMPARE(rowsIn(folder.path()).value().size(), std::size(SyntheticFleet::kMetrics));
    QCOMPARE(fleet.list().value().unfinished, std::size_t{1});
}

void TestFleetFolder::moreRowsThanTheReaderTakes()
{
    QTemporaryDir folder;
    const FleetFolder fleet = FleetFolder::create(folder.path().toStdString()).value();
    QVERIFY(fleet.add(runOf(3, "old", 1)).value());
    const auto few = rowsIn(folder.path(), 7);
    QVERIFY(!few.ok());
    QCOMPARE(few.error().message(),
             std::string("the folder has more than 7 rows, which the built-in reader does not "
                         "take: move the folders of older days away"));
    QVERIFY(rowsIn(folder.path(), 8).ok());
    QCOMPARE(FleetReader::kMaxRows, std::uint64_t{1'000'000});
}

void TestFleetFolder::badFiles_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mention");
    QTest::newRow("half a file") << "half"
                                 << "is cut short: remove it, and add its captures again";
    QTest::newRow("damaged") << "damaged"
                             << "is damaged";
    QTest::newRow("not packed") << "plain"
                                << "is damaged";
    QTest::newRow("empty") << "empty"
                           << "is cut short";
    QTest::newRow("half a line") << "line"
                                 << "ends within a line";
    QTest::newRow("another schema") << "schema"
                                    << "has rows of schema \"2\", and this program reads schema 1";
    QTest::newRow("a foreign file") << "foreign"
                                    << "does not belong into the folder of a fleet: move it away";
    QTest::newRow("a foreign folder") << "folder"
                                      << "does not belong into the folder of a fleet";
    QTest::newRow("rows of another board's folder") << "moved"
                                                    << "lies in the folder of another chip, JetPack or day";
}

void TestFleetFolder::badFiles()
{
    QFETCH(QString, what);
    QFETCH(QString, mention);
    QTemporaryDir folder;
    const QString path = folder.path();
    const FleetFolder fleet = FleetFolder::create(path.toStdString()).value();
    QVERIFY(fleet.add(runOf(3, "old", 1)).value());
    QFile whole(path + kDay + "/board3-board3old1.jsonl.gz");
    QVERIFY(whole.open(QIODevice::ReadOnly));
    const QByteArray bytes = whole.readAll();
    const QString bad = path + kDay + "/zzz.jsonl.gz";
    QByteArray damaged = bytes;
    for (qsizetype i = bytes.size() / 2; i < bytes.size() / 2 + 20; ++i)
        damaged[i] = static_cast<char>(~damaged[i]);
    std::string row;
    appendFleetRow(row, SyntheticFleet().rowOf(5, "old", 1));
    if (what == "half")
        QVERIFY(writeFile(bad, bytes.left(bytes.size() - 9)));
    else if (what == "damaged")
        QVERIFY(writeFile(bad, damaged));
    else if (what == "plain")
        QVERIFY(writeFile(bad, "{\"run\":1}\n"));
    else if (what == "empty")
        QVERIFY(writeFile(bad, {}));
    else if (what == "line")
        QVERIFY(writeLinesTo(bad, "{\"run\":\"x\""));
    else if (what == "schema")
        QVERIFY(QDir().mkpath(path + "/runs/schema=2/soc=x"));
    else if (what == "foreign")
        QVERIFY(writeFile(path + kDay + "/notes.txt", "x"));
    else if (what == "folder")
        QVERIFY(QDir().mkpath(path + "/runs/schema=1/board=x"));
    else
        QVERIFY(QDir().mkpath(path + "/runs/schema=1/soc=tegra194/jetpack=6.2.1/date=2026-11-25")
                && whole.copy(path + "/runs/schema=1/soc=tegra194/jetpack=6.2.1/date=2026-11-25/zzz.jsonl.gz"));
    const QString error = errorIn(path);
    QVERIFY2(error.contains(mention) && !error.contains('\n'), qPrintable(error));
    QVERIFY2(error.contains(path), qPrintable(error));
}

void TestFleetFolder::badRows_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("mention");
    QTest::newRow("NaN") << "\"value\":11"
                         << "\"value\":NaN"
                         << "line 1: this is no row of JSON";
    QTest::newRow("null") << "\"value\":11"
                          << "\"value\":null"
                          << "line 1: \"value\" is missing";
    QTest::newRow("huge") << "\"value\":11"
                          << "\"value\":1e999"
                          << "line 1: ";
    QTest::newRow("a text for a number") << "\"value\":11"
                                         << "\"value\":\"11\""
                                         << "\"value\" is missing, or of a type";
    QTest::newRow("a number for a text") << "\"board\":\"board3\""
                                         << "\"board\":3"
                                         << "\"board\" is missing";
    QTest::newRow("no board") << "\"board\":\"board3\","
                              << ""
                              << "\"board\" is missing";
    QTest::newRow("empty board") << "\"board\":\"board3\""
                                 << "\"board\":\"\""
                                 << "run, board or metric is empty";
    QTest::newRow("direction") << "\"direction\":\"lower\""
                               << "\"direction\":\"down\""
                               << "neither lower nor higher";
    QTest::newRow("scale") << "\"scale\":\"ratio\""
                           << "\"scale\":\"log\""
                           << "neither ratio nor difference";
    QTest::newRow("foreign") << "{"
                             << "["
                             << "this is no row of JSON";
}

void TestFleetFolder::badRows()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, mention);
    QTemporaryDir folder;
    QVERIFY(FleetFolder::create(folder.path().toStdString()).ok());
    std::string line;
    appendFleetRow(line, runOf(3, "old", 1).rows.front());
    QString changed = QString::fromStdString(line);
    QVERIFY2(changed.contains(from), line.c_str());
    changed.replace(changed.indexOf(from), from.size(), to);
    QVERIFY(writeLinesTo(folder.path() + kDay + "/x.jsonl.gz", changed.toStdString()));
    const QString error = errorIn(folder.path());
    QVERIFY2(error.contains(mention) && error.contains("x.jsonl.gz"), qPrintable(error));
}

void TestFleetFolder::foldersThatAreNoFleet()
{
    QTemporaryDir folder;
    QVERIFY(writeFile(folder.path() + "/picture.png", "x"));
    const auto other = FleetFolder::create(folder.path().toStdString());
    QVERIFY(!other.ok() && other.error().text.find("has other things in it") != std::string::npos);
    const auto missing = FleetFolder::open((folder.path() + "/nothing").toStdString());
    QVERIFY(!missing.ok() && missing.error().text.find("is no folder of a fleet") != std::string::npos);
}

/// No name leads out of the folder, and each comes back.
void TestFleetFolder::awkwardNames()
{
    QTemporaryDir folder;
    const FleetFolder fleet = FleetFolder::create(folder.path().toStdString() + "/fleet").value();
    const std::vector<std::string> names{"../../out", "a/b", "..", "50 %", "ü=1", "x%41"};
    for (const std::string &name : names) {
        FleetRun run = runOf(1, name, 1);
        for (FleetRow &row : run.rows)
            row.board = row.soc = row.jetpack = row.run = name;
        QVERIFY(fleet.add(run).value());
    }
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden),
             QStringList("fleet"));
    std::set<std::string> boards;
    const auto rows = rowsIn(folder.path() + "/fleet");
    QVERIFY(rows.ok());
    for (const FleetRow &row : rows.value())
        boards.insert(row.board);
    QCOMPARE(boards, (std::set<std::string>{names.begin(), names.end()}));
}

JETSCOPE_TEST(TestFleetFolder)
#include "tst_fleetfolder.moc"
