// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "jetscope probe" and "jetscope experiment" as users run them.
#include "tests/app/program.h"

#include "app/measure/probesource.h"
#include "core/measure/probe/probejson.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>

#include <csignal>

using namespace jetscope;

namespace {

/// A camera that has its frames written into memory that it is lent, or copies them.
class LendingSource final : public FrameSource {
public:
    LendingSource(std::string uri, std::size_t buffers) : m_buffers(buffers)
    {
        m_info.uri = std::move(uri);
        m_info.layout = makeImageLayout(PixelFormat::Yuyv, 320, 240);
    }
    const SourceInfo &info() const override { return m_info; }
    Result<std::optional<CapturedFrame>> read(std::byte *) override { return std::optional<CapturedFrame>(); }
    void cancel() override {}
    std::size_t buffersWanted() const override { return m_buffers; }

private:
    SourceInfo m_info;
    std::size_t m_buffers;
};

} // namespace

class TestProbeCommand : public QObject {
    Q_OBJECT

private slots:
    void aProbeIsWrittenKeptAndExplained();
    void wrongUseIsSaid_data();
    void wrongUseIsSaid();
    void anUnwritableFileIsSaid();
    void interruptedNothingIsKept();
    void hostileTablesAreRefused();
    void aPublishedTableNamesItsOrigin();
    void aSourceDecidesTheUses();
    void whoWritesIsKnown_data();
    void whoWritesIsKnown();
    void experimentsAreListed();
    void anExperimentConcludes();
    void anImpossibleExperimentSaysWhy();

private:
    QString pathOf(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    QProcessEnvironment environment() const
    {
        QProcessEnvironment environment = plainEnvironment();
        environment.insert("XDG_DATA_HOME", m_folder.filePath("data"));
        return environment;
    }
    Outcome run(const QStringList &arguments) const { return runProgram(arguments, environment()); }
    QStringList keptFiles() const { return QDir(m_folder.filePath("data/jetscope/probes")).entryList(QDir::Files); }

    QTemporaryDir m_folder;
};

void TestProbeCommand::aProbeIsWrittenKeptAndExplained()
{
    const QString out = pathOf("table.json");
    const Outcome probe = run({"probe", "--device", "soft:orin", "--time", "1", "--out", out, "--json"});
    QVERIFY2(probe.code == 0, probe.describe());
    // As a sweep does: figures need four rounds, for which the time is too short.
    QCOMPARE(probe.err.count(QStringLiteral("4 rounds are expected to take about")), 1);
    const QJsonObject json = probe.json();
    QCOMPARE(json["format"].toString(), QStringLiteral("jetscope-probe-1"));
    QVERIFY(json["device"]["name"].toString().contains(QStringLiteral("software iGPU")));
    QVERIFY(!json["date"].toString().isEmpty() && !json["method"].toString().isEmpty());
    QCOMPARE(json["frame"]["width"].toInt(), 1280);
    QCOMPARE(static_cast<std::size_t>(json["figures"].toArray().size()), probeKeys().size());
    QCOMPARE(json["advice"].toArray().size(), 6);
    for (const QJsonValue &advice : json["advice"].toArray()) {
        QVERIFY(advice["label"].toString().contains(QStringLiteral("never of a board")));
        QVERIFY(!advice["ranked"].toArray().isEmpty());
    }
    QVERIFY(readProbe(out.toStdString()).ok());
    QCOMPARE(keptFiles().size(), 1);

    const Outcome explained = run({"probe", "--from", out});
    QVERIFY2(explained.code == 0, explained.describe());
    for (const char *part : {"Memory, GB/s", "Copies, GB/s", "Costs, microseconds", "Which memory kind", "not tried"})
        QVERIFY2(explained.out.contains(QString::fromLatin1(part)), part);
    const Outcome doctor = run({"doctor", "--json"});
    bool named = false;
    for (const QJsonValue &device : doctor.json()["devices"].toArray())
        if (device["id"] == QStringLiteral("soft:orin"))
            named = device["probed"].toString().contains(json["date"].toString());
        else
            QVERIFY(device["probed"].isNull() || device["probed"].isUndefined());
    QVERIFY2(named, doctor.describe());
}

void TestProbeCommand::wrongUseIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("device") << QStringList{"probe", "--device", "soft:mars"} << "soft:mars";
    QTest::newRow("time") << QStringList{"probe", "--time", "0"} << "1 to 120";
    QTest::newRow("long time") << QStringList{"probe", "--time", "121"} << "1 to 120";
    QTest::newRow("operand") << QStringList{"probe", "x"} << "x";
    QTest::newRow("option") << QStringList{"probe", "--memory", "pinned"} << "memory";
    QTest::newRow("experiment") << QStringList{"experiment", "alchemy"} << "--list";
    QTest::newRow("experiment device") << QStringList{"experiment", "wait-policy", "--device", "x"} << "x";
}

void TestProbeCommand::wrongUseIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    const Outcome outcome = run(arguments);
    QVERIFY2(outcome.code == 2 && outcome.oneSentence() && outcome.err.contains(part), outcome.describe());
}

void TestProbeCommand::anUnwritableFileIsSaid()
{
    QFile there(pathOf("there.json"));
    QVERIFY(there.open(QIODevice::WriteOnly));
    there.write("mine");
    there.close();
    const Outcome outcome = run({"probe", "--device", "soft:orin", "--time", "4", "--out", there.fileName()});
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains(QStringLiteral("there.json")), outcome.describe());
    QVERIFY(there.open(QIODevice::ReadOnly));
    QCOMPARE(there.readAll(), QByteArray("mine"));
}

void TestProbeCommand::interruptedNothingIsKept()
{
    const QStringList before = keptFiles();
    const QString out = pathOf("interrupted.json");
    QProcess process;
    process.setProcessEnvironment(environment());
    process.start(JETSCOPE_PROGRAM, {"probe", "--device", "soft:nano", "--time", "120", "--out", out});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += process.readAllStandardError()).contains("measured"), 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome ended = outcomeOf(process);
    QVERIFY2(ended.finished && ended.code <= 1, ended.describe());
    QVERIFY2(ended.err.contains(QStringLiteral("interrupted after")), ended.describe());
    QVERIFY(!QFile::exists(out));
    QCOMPARE(keptFiles(), before);
}

void TestProbeCommand::hostileTablesAreRefused()
{
    for (const char *text : {"", "{}", "[1,2]", "{\"format\":\"jetscope-probe-1\"}", "\xff\xfe", "nonsense"}) {
        QFile file(pathOf("hostile.json"));
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(text);
        file.close();
        const Outcome outcome = run({"probe", "--from", file.fileName()});
        QVERIFY2(outcome.code == 1 && outcome.oneSentence(), outcome.describe());
        QVERIFY2(outcome.err.contains(QStringLiteral("no table of a probe")), outcome.describe());
    }
    QCOMPARE(run({"probe", "--from", pathOf("absent.json")}).code, 1);
    QCOMPARE(run({"probe", "--from", m_folder.path()}).code, 1);
}

void TestProbeCommand::aPublishedTableNamesItsOrigin()
{
    QFile file(pathOf("published.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"json({"format":"jetscope-probe-1","device":{"name":"made-up board (test data)",
        "compute_capability":"5.3","software":false,"integrated":true,"concurrent_managed_access":false,
        "pageable_memory_access":false},"origin":"a made-up table","frame":{"width":640,"height":480},"figures":[
        {"key":"pageable.cpu_read","unit":"GB/s","value":4},
        {"key":"zero-copy.cpu_write","unit":"GB/s","value":3},
        {"key":"zero-copy.cpu_read","unit":"GB/s","value":0.4},
        {"key":"zero-copy.gpu_read","unit":"GB/s","value":10}]})json");
    file.close();
    const Outcome outcome = run({"probe", "--from", file.fileName()});
    QVERIFY2(outcome.code == 0, outcome.describe());
    QVERIFY2(outcome.out.contains(QStringLiteral("a made-up table")), outcome.describe());
    QVERIFY2(outcome.out.contains(QStringLiteral("10.0 times slower than pageable memory")), outcome.describe());
    QVERIFY2(outcome.out.contains(QStringLiteral("zero-copy")), outcome.describe());
    QVERIFY2(outcome.out.contains(QStringLiteral("no prediction")), outcome.describe());
}

void TestProbeCommand::aSourceDecidesTheUses()
{
    const QString table = pathOf("table.json"); // Of the first test.
    const QStringList words{"probe", "--from", table, "--source", "synthetic:?size=640x480&format=nv12"};
    const Outcome outcome = run(words);
    QVERIFY2(outcome.code == 0, outcome.describe());
    const QString said = outcome.out.simplified();
    QVERIFY2(said.contains("whose frames the CPU writes: the source makes its frames by the CPU."), qPrintable(said));
    QVERIFY2(said.contains("frames of 640x480") && !said.contains("written by DMA"), qPrintable(said));
    const QJsonObject json = run(words + QStringList{"--json"}).json();
    QCOMPARE(json["advice"].toArray().size(), 4);
    QCOMPARE(json["source"]["writer"].toString(), QStringLiteral("cpu"));
    QCOMPARE(json["source"]["frame_bytes"].toInt(), 640 * 480 * 3 / 2);
    const Outcome absent = run({"probe", "--from", table, "--source", "file:" + pathOf("absent.avi")});
    QVERIFY2(absent.code == 1 && absent.oneSentence(), absent.describe());
}

void TestProbeCommand::whoWritesIsKnown_data()
{
    QTest::addColumn<QString>("uri");
    QTest::addColumn<QString>("driver");
    QTest::addColumn<int>("buffers");
    QTest::addColumn<int>("writer");
    const char *const usual = "v4l2:/dev/video10?size=320x240";
    QTest::newRow("copies") << usual << "tegra-video" << 0 << static_cast<int>(FrameWriter::Cpu);
    QTest::newRow("lent memory") << usual << "tegra-video" << 4 << static_cast<int>(FrameWriter::Dma);
    QTest::newRow("USB") << usual << "uvcvideo" << 4 << static_cast<int>(FrameWriter::Cpu);
    QTest::newRow("virtual") << usual << "vivid" << 4 << static_cast<int>(FrameWriter::Cpu);
    QTest::newRow("the first one") << "v4l2:"
                                   << "uvcvideo" << 4 << static_cast<int>(FrameWriter::Cpu);
    QTest::newRow("a longer number") << "v4l2:/dev/video1"
                                     << "uvcvideo" << 4 << static_cast<int>(FrameWriter::Dma);
}

void TestProbeCommand::whoWritesIsKnown()
{
    QFETCH(QString, uri);
    QFETCH(QString, driver);
    QFETCH(int, buffers);
    QFETCH(int, writer);
    const LendingSource source(uri.toStdString(), static_cast<std::size_t>(buffers));
    CameraInfo other; // Cannot be used.
    other.path = "/dev/video1";
    CameraInfo camera;
    camera.path = "/dev/video10";
    camera.usable = Capability::yes();
    camera.driver = driver.toStdString();
    const ProbeSource found = describeSource(source, {other, camera});
    QCOMPARE(static_cast<int>(found.writer), writer);
    QVERIFY(!found.why.empty());
    for (const FrameUse &use : usesOf(found)) {
        QCOMPARE(static_cast<int>(use.writer), writer);
        QCOMPARE(use.bytes(), source.info().layout.bytes);
    }
}

void TestProbeCommand::experimentsAreListed()
{
    const Outcome plain = run({"experiment"});
    QVERIFY2(plain.code == 0 && plain.out.contains(QStringLiteral("fence-flush")), plain.describe());
    QCOMPARE(run({"experiment", "--list"}).out, plain.out);
    QCOMPARE(run({"experiment", "--list", "--json"}).json()["experiments"].toArray().size(), 16);
}

void TestProbeCommand::anExperimentConcludes()
{
    const Outcome outcome = run({"experiment", "wait-policy", "--device", "soft:orin", "--json"});
    QVERIFY2(outcome.code == 0, outcome.describe());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["experiment"].toString(), QStringLiteral("wait-policy"));
    QCOMPARE(json["variants"].toArray().size(), 3);
    QCOMPARE(json["conclusions"].toArray().size(), 4);
    // A thread that blocks uses less CPU time than one that spins for a millisecond.
    const QJsonValue last = json["conclusions"].toArray().last();
    QCOMPARE(last["b"].toString(), QStringLiteral("a wait that blocks"));
    QVERIFY2(last["ratio"].toDouble() < 0.7, outcome.describe());
}

void TestProbeCommand::anImpossibleExperimentSaysWhy()
{
    const Outcome outcome = run({"experiment", "launch-attached", "--device", "soft:thor"});
    QVERIFY2(outcome.code == 2 && outcome.out.contains(QStringLiteral("Unavailable")), outcome.describe());
    QVERIFY(!run({"experiment", "launch-attached", "--device", "soft:thor", "--json"}).json()["unavailable"].isNull());
}

JETSCOPE_TEST(TestProbeCommand)
#include "tst_probecommand.moc"
