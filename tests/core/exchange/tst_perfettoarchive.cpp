// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"
#include "core/exchange/opentrace.h"
#include "core/exchange/perfettoarchive.h"
#include "tests/core/comparetraces.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

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
    QCOMPARE(files.size(), 2);
    QCOMPARE(files[0].toObject()["path"].toString(), QString("left__one_.json"));
    QCOMPARE(files[0].toObject()["machine"].toObject()["name"].toString(), QString("left"));
    // The earlier one is what the other is placed against, so that nothing is before the begin.
    QVERIFY(!files[1].toObject().contains("clocks"));
    const QJsonObject clocks = files[0].toObject()["clocks"].toObject();
    QCOMPARE(clocks["sync_to"].toObject()["file"].toString(), QString("right.json"));
    QVERIFY(!clocks.contains("clock")); // A Chrome trace has none that Perfetto knows.
    const std::int64_t later = chromeBaseNs(late) + kUnix + 250'000'000 - chromeBaseNs(early) - kUnix;
    QCOMPARE(clocks["offset_ns"].toVariant().toLongLong(), qlonglong(later));
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
    const QJsonObject placed = manifest["perfetto_manifest"]["files"].toArray()[1].toObject();
    QCOMPARE(placed["clocks"]["offset_ns"].toVariant().toLongLong(),
             qlonglong(chromeBaseNs(second) - chromeBaseNs(first) + apart + (isPlaced ? 0 : wrong)));
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
    QCOMPARE(names.size(), 4);
    QCOMPARE(QSet<QString>(names.begin(), names.end()).size(), 4);
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
