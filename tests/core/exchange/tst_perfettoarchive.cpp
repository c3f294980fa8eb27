// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/exchange/perfettoarchive.h"
#include "tests/core/comparetraces.h"
#include "tests/core/exchange/mergedtraces.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <set>
#include <tuple>

using namespace jetscope;

namespace {

/// The present time of day, which captures have; not a second that a test depends on.
constexpr std::int64_t kUnix = 1'795'000'000'000'000'000;

Trace traceAt(std::uint32_t seed, std::int64_t offsetNs)
{
    Trace trace = test::runTrace(seed);
    TraceOrigin origin = trace.origin();
    origin.wallClockOffsetNs = offsetNs;
    trace.setOrigin(origin);
    return trace;
}

} // namespace

/// The archive by Perfetto's documents; the tar by the system's own program.
class TestPerfettoArchive : public QObject {
    Q_OBJECT

    QTemporaryDir m_place;

    std::string pathOf(const char *name) const { return m_place.filePath(name).toStdString(); }
    bool unpack(const char *archive) const
    {
        return QProcess::execute("tar", {"-x", "-f", m_place.filePath(archive), "-C", m_place.path()}) == 0;
    }
    QByteArray content(const QString &name) const
    {
        QFile file(m_place.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

private slots:
    void tracesOfTwoBoards();
    void boardsThatMetTheSameClockArePlacedByIt_data();
    void boardsThatMetTheSameClockArePlacedByIt();
    void perfettoPlacesEverySpan_data();
    void perfettoPlacesEverySpan();
    void aWrongArchiveIsRefused_data();
    void aWrongArchiveIsRefused();
    void namesAreUniqueAndShort();
    void withoutTheTimeOfDayThereIsNoPlace();
    void anArchiveThatFailsIsNotThere();
};

void TestPerfettoArchive::tracesOfTwoBoards()
{
    NoProgress progress;
    const Trace late = traceAt(1, kUnix + 250'000'000);
    const Trace early = traceAt(2, kUnix);
    Result<PerfettoArchive> archive = PerfettoArchive::create(pathOf("boards.tar"));
    QVERIFY(archive.ok());
    QVERIFY(archive.value().add(late, "left \"one\"", "left", progress).ok());
    QVERIFY(archive.value().add(early, "right", "right", progress).ok());
    QVERIFY(archive.value().finish().ok());
    QVERIFY(unpack("boards.tar"));
    const QByteArray manifest = content("perfetto_manifest.json");
    QVERIFY2(manifest.startsWith("{\"perfetto_manifest\""), manifest.constData()); // It is known by these bytes.
    const QJsonObject root = QJsonDocument::fromJson(manifest).object()["perfetto_manifest"].toObject();
    QCOMPARE(root["version"].toInt(), 1);
    const QJsonArray files = root["files"].toArray();
    QCOMPARE(files.size(), 3);
    // All are placed against an empty trace that begins with the earliest, so that nothing is before the begin.
    QVERIFY(!files[0].toObject().contains("clocks"));
    QCOMPARE(files[1].toObject()["path"].toString(), QString("left__one_.json"));
    QCOMPARE(files[1].toObject()["machine"].toObject()["name"].toString(), QString("left"));
    const QJsonObject clocks = files[1].toObject()["clocks"].toObject();
    QCOMPARE(clocks["sync_to"].toObject()["file"], files[0].toObject()["path"]);
    QVERIFY(!clocks.contains("clock")); // A Chrome trace has none that Perfetto knows.
    const std::int64_t later = chromeBaseNs(late) + kUnix + 250'000'000 - chromeBaseNs(early) - kUnix;
    QCOMPARE(clocks["offset_ns"].toVariant().toLongLong(), qlonglong(later));
    QCOMPARE(files[2].toObject()["clocks"].toObject()["offset_ns"].toInt(-1), 0);
    // Each member is the trace.
    OpenedTrace again = [&] {
        class Opening : public OpenProgress {
        public:
            bool advance(double) override { return true; }
        } opening;
        return openTrace(pathOf("right.json"), opening).value();
    }();
    QCOMPARE(again.trace.spanCount(), early.spanCount());
    QCOMPARE(again.trace.frames().endIndex(), early.frames().endIndex());
}

void TestPerfettoArchive::boardsThatMetTheSameClockArePlacedByIt_data()
{
    QTest::addColumn<QString>("clock");
    QTest::addColumn<qlonglong>("wrong"); // How far the second board's time of day is off.
    QTest::addColumn<bool>("isPlaced");
    QTest::newRow("a time of day 40 ms off") << "laptop" << 40'000'000LL << true;
    QTest::newRow("another clock") << "another laptop" << 40'000'000LL << false;
    QTest::newRow("a clock that was started anew") << "laptop" << 3'600'000'000'000LL << false;
}

void TestPerfettoArchive::boardsThatMetTheSameClockArePlacedByIt()
{
    QFETCH(QString, clock);
    QFETCH(qlonglong, wrong);
    QFETCH(bool, isPlaced);
    const std::int64_t apart = 250'000'000; // The truth, by the laptop's clock.
    const auto board = [&](std::uint32_t seed, std::int64_t unixNs, const std::string &other, std::int64_t offsetNs) {
        Trace trace = traceAt(seed, unixNs);
        TraceOrigin origin = trace.origin();
        origin.clocks = {{0, other, offsetNs + 9'000'000, 10'000'000}, {5, other, offsetNs, 100'000}};
        trace.setOrigin(origin);
        return trace;
    };
    NoProgress progress;
    const Trace first = board(1, kUnix, "laptop", 1'000);
    const Trace second = board(2, kUnix + apart + wrong, clock.toStdString(), 1'000 - apart);
    const std::string path = pathOf(QTest::currentDataTag()) + ".tar";
    Result<PerfettoArchive> archive = PerfettoArchive::create(path);
    QVERIFY(archive.value().add(first, "first", "first", progress).ok());
    QVERIFY(archive.value().add(second, "second", "second", progress).ok());
    QVERIFY(archive.value().finish().ok());
    QVERIFY(unpack((QTest::currentDataTag() + std::string(".tar")).c_str()));
    const QJsonObject manifest = QJsonDocument::fromJson(content("perfetto_manifest.json")).object();
    const QJsonArray files = manifest["perfetto_manifest"]["files"].toArray();
    const auto offsetOf = [&files](int i) {
        return files[i].toObject()["clocks"].toObject()["offset_ns"].toVariant().toLongLong();
    };
    QCOMPARE(offsetOf(2) - offsetOf(1),
             qlonglong(chromeBaseNs(second) - chromeBaseNs(first) + apart + (isPlaced ? 0 : wrong)));
}

void TestPerfettoArchive::perfettoPlacesEverySpan_data()
{
    QTest::addColumn<QStringList>("names");
    QTest::addColumn<QStringList>("machines");
    QTest::newRow("the earliest is the last by name") << QStringList{"a", "b", "c"} << QStringList{"x", "y", "z"};
    QTest::newRow("all of one machine") << QStringList{"a", "b", "c"} << QStringList{"x", "x", "x"};
    QTest::newRow("names that would hide a file") << QStringList{".a", "..b", ""} << QStringList{"x", "y", "z"};
    QTest::newRow("names like those of the archive")
        << QStringList{"+begin", "perfetto_manifest", "-"} << QStringList{"x", "y", "z"};
}

/// By a reader that keeps to what Perfetto's source says: every span of every capture is where it was, by the time of
/// day, and on a process of its own.
void TestPerfettoArchive::perfettoPlacesEverySpan()
{
    QFETCH(QStringList, names);
    QFETCH(QStringList, machines);
    NoProgress progress;
    const std::string path = pathOf(QTest::currentDataTag()) + ".tar";
    Result<PerfettoArchive> archive = PerfettoArchive::create(path);
    std::multiset<std::tuple<QString, std::int64_t, std::int64_t>> expected; // Name, time of day, duration.
    std::int64_t firstNs = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < names.size(); ++i) {
        const Trace trace = traceAt(static_cast<std::uint32_t>(i + 1), kUnix + (2 - i) * 250'000'003);
        QVERIFY(archive.value().add(trace, names[i].toStdString(), machines[i].toStdString(), progress).ok());
        const std::int64_t offset = *trace.unixOffsetNs();
        firstNs = std::min(firstNs, chromeBaseNs(trace) + offset);
        for (const SpanTrack &track : trace.tracks())
            for (std::uint64_t each = track.firstIndex(); each < track.endIndex(); ++each) {
                const TraceSpan span = track.at(each);
                expected.emplace(QString::fromStdString(trace.names().text(span.name)), span.startNs + offset,
                                 span.durationNs);
            }
        const FrameTable &frames = trace.frames();
        for (std::uint64_t each = frames.firstIndex(); each < frames.endIndex(); ++each)
            expected.emplace(QString("frame %1").arg(trace.frameNumber(frames.at(each).frame)),
                             frames.at(each).startNs + offset, frames.at(each).periodNs());
    }
    QVERIFY(archive.value().finish().ok());
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const test::MergedTraces merged = test::mergeAsPerfetto(file.readAll());
    QVERIFY2(merged.trouble.isEmpty(), qPrintable(merged.trouble));
    QCOMPARE(merged.dropped, 0);
    QCOMPARE(merged.sharedProcesses, 0);
    std::multiset<std::tuple<QString, std::int64_t, std::int64_t>> placed;
    QSet<QString> seen;
    for (const test::MergedEvent &event : merged.events) {
        placed.emplace(event.name, event.startNs + firstNs, event.durationNs);
        seen.insert(event.machine);
    }
    QVERIFY(!placed.empty());
    QCOMPARE(placed.size(), expected.size());
    QVERIFY(placed == expected);
    QCOMPARE(seen, QSet<QString>(machines.begin(), machines.end()));
}

void TestPerfettoArchive::aWrongArchiveIsRefused_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to"); // Of the same length, so that the sizes hold.
    QTest::newRow("another tar") << QByteArray("ustar\0"
                                               "00",
                                               8)
                                 << QByteArray("ustar  \0", 8);
    QTest::newRow("a version") << QByteArray("\"version\":1") << QByteArray("\"version\":2");
    QTest::newRow("a machine") << QByteArray("\"machine\"") << QByteArray("\"machina\"");
    QTest::newRow("a file") << QByteArray("\"path\":\"one.json\"") << QByteArray("\"path\":\"own.json\"");
    QTest::newRow("a clock") << QByteArray("\"file\":\"+begin") << QByteArray("\"file\":\"-begin");
    QTest::newRow("a manifest that is none") << QByteArray("{\"perfetto_m") << QByteArray("{\"perfetto_M");
}

/// That the reader above can refuse.
void TestPerfettoArchive::aWrongArchiveIsRefused()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    NoProgress progress;
    const std::string path = pathOf(QTest::currentDataTag()) + ".tar";
    Result<PerfettoArchive> archive = PerfettoArchive::create(path);
    QVERIFY(archive.value().add(traceAt(1, kUnix), "one", "x", progress).ok());
    QVERIFY(archive.value().finish().ok());
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray tar = file.readAll();
    QVERIFY(test::mergeAsPerfetto(tar).trouble.isEmpty());
    QVERIFY(tar.contains(from));
    QVERIFY(!test::mergeAsPerfetto(tar.replace(from, to)).trouble.isEmpty());
    QVERIFY(!test::mergeAsPerfetto(tar.left(tar.size() - 512)).trouble.isEmpty());
}

void TestPerfettoArchive::namesAreUniqueAndShort()
{
    NoProgress progress;
    Result<PerfettoArchive> archive = PerfettoArchive::create(pathOf("names.tar"));
    const Trace trace = traceAt(1, kUnix);
    const std::string longName(200, 'x');
    for (int i = 0; i < 3; ++i)
        QVERIFY(archive.value().add(trace, longName, "board", progress).ok());
    QVERIFY(archive.value().finish().ok());
    QProcess list;
    list.start("tar", {"-t", "-f", m_place.filePath("names.tar")});
    QVERIFY(list.waitForFinished() && list.exitCode() == 0);
    const QStringList names = QString::fromUtf8(list.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts);
    QCOMPARE(names.size(), 5);
    QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), 5);
    for (const QString &name : names)
        QVERIFY2(name.size() <= 99 && name.endsWith(".json"), qPrintable(name));
}

void TestPerfettoArchive::withoutTheTimeOfDayThereIsNoPlace()
{
    NoProgress progress;
    Result<PerfettoArchive> archive = PerfettoArchive::create(pathOf("none.tar"));
    const Status added = archive.value().add(traceAt(1, 0), "a", "a", progress);
    QVERIFY(!added.ok() && added.error().text.find("time of day") != std::string::npos);
}

void TestPerfettoArchive::anArchiveThatFailsIsNotThere()
{
    {
        NoProgress progress;
        Result<PerfettoArchive> archive = PerfettoArchive::create(pathOf("half.tar"));
        QVERIFY(archive.value().add(traceAt(1, kUnix), "a", "a", progress).ok());
    }
    QVERIFY(!QFile::exists(m_place.filePath("half.tar")));
    QVERIFY(!QFile::exists(m_place.filePath("half.tar.part")));
}

JETSCOPE_TEST(TestPerfettoArchive)
#include "tst_perfettoarchive.moc"
