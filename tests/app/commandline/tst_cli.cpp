// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/app/settingkeys.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSet>
#include <QTemporaryDir>

namespace {

constexpr const char *kSmall = "synthetic:?size=96x64";

/// A folder of small images, the simplest source with an end.
bool writePictures(const QString &folder, int count)
{
    if (!QDir().mkpath(folder))
        return false;
    for (int i = 0; i < count; ++i) {
        QFile file(folder + QString("/picture%1.ppm").arg(i));
        if (!file.open(QIODevice::WriteOnly))
            return false;
        file.write("P6\n32 16\n255\n");
        file.write(QByteArray(32 * 16 * 3, static_cast<char>(i * 16)));
    }
    return true;
}

} // namespace

/// The real program, started as by a user.
class TestCli : public QObject {
    Q_OBJECT

private slots:
    void helpAndVersion_data();
    void helpAndVersion();
    void refuses_data();
    void refuses();
    void runPrintsText();
    void runPrintsJson();
    void everyMemoryKindGivesOneChecksum();
    void everyOutputAndSyncGivesOneChecksum();
    void segmentsFollowTheChanges();
    void unsafeRunsAndIsMarked();
    void legalRunHasNoHazards();
    void aSceneShowsItsMistake();
    void brokenRuleIsReported();
    void endOfFile();
    void damagedPictureEndsTheRun();
    void pathsMayHaveAnyCharacters();
    void doctorReports();
    void withoutEgl();
    void withOldGles();
    void withoutDisplay();
    void withoutHome_data();
    void withoutHome();
    void brokenOutput_data();
    void brokenOutput();

private:
    QTemporaryDir m_folder;
};

void TestCli::helpAndVersion_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("begins");
    QTest::newRow("help") << QStringList{"--help"} << "Jetscope inspects";
    QTest::newRow("short help") << QStringList{"-h"} << "Jetscope inspects";
    QTest::newRow("run help") << QStringList{"run", "--help"} << "Jetscope inspects";
    QTest::newRow("doctor help") << QStringList{"doctor", "--help"} << "Jetscope inspects";
    QTest::newRow("version") << QStringList{"--version"} << "jetscope " JETSCOPE_VERSION "\n";
}

void TestCli::helpAndVersion()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, begins);
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QVERIFY(outcome.out.startsWith(begins));
    QVERIFY(outcome.err.isEmpty());
}

void TestCli::refuses_data()
{
    QVERIFY(m_folder.isValid());
    const QString text = m_folder.filePath("notes.txt");
    QFile file(text);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no video\n") > 0);
    file.close();
    QVERIFY(QDir().mkpath(m_folder.filePath("empty")));

    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char *name, const QStringList &arguments, int code, const QString &mentions) {
        QTest::newRow(name) << arguments << code << mentions;
    };
    row("unknown option", {"run", "--memroy", "x"}, 2, "--memory");
    row("unknown command", {"detach"}, 2, "no command \"detach\"");
    row("unknown name", {"run", "--sync", "x"}, 2, "eglsync");
    row("unknown device", {"run", "--device", "soft:foo"}, 2, "soft:orin");
    row("unknown kind of device", {"run", "--device", "vulkan:0"}, 2, "soft:orin");
    row("GPU that is not there", {"run", "--device", "cuda:77"}, 2, "cuda:77");
    row("unavailable memory", {"run", "--device", "soft:orin", "--memory", "nvbuf"}, 2, "memory nvbuf is unavailable");
    row("unavailable output", {"run", "--device", "soft:orin", "--output", "eglstream"}, 2,
        "output eglstream is unavailable");
    row("unavailable sync", {"run", "--device", "soft:orin", "--sync", "implicit"}, 2, "sync implicit is unavailable");
    row("unavailable later", {"run", "--device", "soft:orin", "--at", "5", "memory=nvbuf"}, 2, "from frame 5 on");
    row("unavailable on the profile", {"run", "--device", "soft:nano", "--memory", "registered"}, 2,
        "memory registered");
    row("newer than the board's CUDA", {"run", "--device", "soft:nano", "--memory", "pool"}, 2, "CUDA 11.2");
    row("record over a file", {"run", "--record", text}, 1, "exists already");
    row("record over a folder", {"run", "--record", QDir::tempPath()}, 1, "is a folder: name a new file in it");
    row("record nowhere", {"run", "--record", "/nowhere/x.jscope"}, 1, "no such folder");
    row("unknown kind of source", {"run", "--source", "nonsense:1"}, 2, "synthetic:");
    row("source for later", {"run", "--source", "csi:0"}, 2, "csi");
    row("no size", {"run", "--source", "synthetic:?size=0x0"}, 2, "size");
    row("unknown key of a source", {"run", "--source", "synthetic:?colour=red"}, 2, "colour");
    if (!hasSource("file"))
        return;
    row("missing file", {"run", "--source", "file:/nowhere/clip.avi"}, 1, "/nowhere/clip.avi");
    row("no video", {"run", "--source", "file:" + text}, 1, "notes.txt");
    row("empty folder", {"run", "--source", "file:" + m_folder.filePath("empty")}, 1, "empty");
}

void TestCli::refuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, code);
    QFETCH(QString, mentions);
    const Outcome outcome = runProgram(arguments);
    QVERIFY2(outcome.finished && outcome.code == code, outcome.describe());
    QVERIFY2(outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains(mentions), outcome.describe());
    QVERIFY(outcome.out.isEmpty());
}

void TestCli::runPrintsText()
{
    const Outcome outcome =
        runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "30", "--checksum"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    for (const char *part :
         {"software iGPU (orin rules) on ", "frames/s", "Verdict", "30, 0 dropped, ended by frame limit", "Checksum"})
        QVERIFY2(outcome.out.contains(part), outcome.describe());
}

void TestCli::runPrintsJson()
{
    const Outcome outcome =
        runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "30", "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.out.count('\n'), 1);
    const QJsonObject json = outcome.json();
    QCOMPARE(json["frames"].toInt(), 30);
    QCOMPARE(json["ended"].toString(), QString("frame limit"));
    QCOMPARE(json["dropped"].toInt(-1), 0);
    QCOMPARE(json["source"].toString(), QString(kSmall));
    QVERIFY(json["device"].toString().startsWith("software iGPU (orin rules) on "));
    QVERIFY(json["fps"].toDouble() > 0);
    for (const char *key : {"frame_ms", "period_ms", "latency_ms"})
        QVERIFY2(json[key].toObject()["p50"].toDouble() > 0, key);
    QVERIFY(json["gpu_busy_ms"].toDouble() > 0);
    QVERIFY(json["cpu_busy_ms"].toDouble() > 0);
    const double parallelism = json["parallelism"].toDouble();
    QVERIFY(parallelism >= 1 && parallelism <= 2);
    QVERIFY(json["bytes_copied_per_frame"].toDouble() > 0); // Pinned memory requires a copy.
}

void TestCli::everyMemoryKindGivesOneChecksum()
{
    QSet<QString> checksums;
    for (const auto &kind : choices<MemoryKind>()) {
        if (kind.value == MemoryKind::NvBuf) // Of a camera.
            continue;
        const QString memory = QString::fromUtf8(kind.name.data(), qsizetype(kind.name.size()));
        const Outcome outcome = runProgram({"run", "--source", kSmall, "--device", "soft:thor", "--frames", "30",
                                            "--json", "--checksum", "--memory", memory});
        QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
        QCOMPARE(outcome.json()["memory"].toString(), memory);
        QCOMPARE(outcome.json()["checksum"].toString().size(), 64);
        checksums.insert(outcome.json()["checksum"].toString());
    }
    QCOMPARE(checksums.size(), 1);
    const Outcome other =
        runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "31", "--json", "--checksum"});
    QVERIFY(!checksums.contains(other.json()["checksum"].toString())); // One more frame changes the checksum.
}

void TestCli::everyOutputAndSyncGivesOneChecksum()
{
    QSet<QString> checksums;
    for (const char *output : {"eglimage", "copy-back"}) {
        for (const auto &choice : choices<SyncMode>()) {
            const QString sync = QString::fromUtf8(choice.name.data(), qsizetype(choice.name.size()));
            // The device has no semaphores, and no output that mapping would order.
            if (choice.value == SyncMode::None || choice.value == SyncMode::Implicit
                || choice.value == SyncMode::External)
                continue;
            const Outcome outcome = runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "12",
                                                "--json", "--checksum", "--output", output, "--sync", sync});
            QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
            QCOMPARE(outcome.json()["sync"].toString(), sync);
            checksums.insert(outcome.json()["checksum"].toString());
        }
    }
    QCOMPARE(checksums.size(), 1);
}

void TestCli::segmentsFollowTheChanges()
{
    const Outcome outcome =
        runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "30", "--json", "--memory",
                    "pageable", "--at", "20", "sync=finish", "--at", "10", "memory=zero-copy"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QJsonArray segments = outcome.json()["segments"].toArray();
    QCOMPARE(segments.size(), 3);
    for (const auto &segment : segments)
        QCOMPARE(segment.toObject()["frames"].toInt(), 10);
    QCOMPARE(segments[0].toObject()["memory"].toString(), QString("pageable"));
    QCOMPARE(missingSettings(segments[0].toObject()), QStringList());
    QVERIFY(segments[0].toObject()["bytes_copied_per_frame"].toDouble() > 0);
    QCOMPARE(segments[1].toObject()["memory"].toString(), QString("zero-copy"));
    QCOMPARE(segments[1].toObject()["bytes_copied_per_frame"].toDouble(-1),
             0.0); // The change took effect at its frame.
    QCOMPARE(segments[1].toObject()["ended"].toString(), QString("switch"));
    QCOMPARE(segments[2].toObject()["sync"].toString(), QString("finish"));
    QCOMPARE(segments[2].toObject()["ended"].toString(), QString("frame limit"));
    // All counted events belong to a segment, and a software rasteriser has some in every segment.
    double emulated = 0;
    for (const auto &segment : segments) {
        QVERIFY(segment.toObject()["emulation_bytes"].toDouble() > 0);
        emulated += segment.toObject()["emulation_bytes"].toDouble();
        QCOMPARE(segment.toObject()["dropped"].toInt(-1), 0);
        QCOMPARE(segment.toObject()["source_faults"].toObject()["gaps"].toInt(-1), 0);
    }
    QCOMPARE(emulated, outcome.json()["emulation_bytes"].toDouble());
    QCOMPARE(segments[0].toObject()["copies_to_gpu"].toInt(-1), 1);
    QCOMPARE(segments[1].toObject()["copies_to_gpu"].toInt(-1), 0);
    const Outcome text =
        runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "30", "--at", "10", "sync=finish"});
    QVERIFY2(text.out.contains("From frame 10\n"), text.describe());
}

void TestCli::unsafeRunsAndIsMarked()
{
    const Outcome outcome =
        runProgram({"run", "--source", kSmall, "--device", "soft:orin", "--frames", "10", "--json", "--sync", "none"});
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.err.contains("sync none is unsafe"), outcome.describe());
    QCOMPARE(outcome.json()["sync"].toString(), QString("none"));
}

void TestCli::legalRunHasNoHazards()
{
    const Outcome outcome = runProgram({"run", "--source", kSmall, "--device", "soft:xavier", "--frames", "30",
                                        "--json", "--hazards", "--memory", "unified-attach"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QVERIFY(outcome.json()["hazards"].isArray());
    QVERIFY2(outcome.json()["hazards"].toArray().isEmpty(), outcome.describe());
}

void TestCli::aSceneShowsItsMistake()
{
    const QStringList arguments = {"run", "--source", kSmall, "--device", "soft:orin", "--frames", "10", "--hazards"};
    const Outcome text = runProgram(arguments + QStringList{"--scene", "other-stream"});
    QVERIFY2(text.finished && text.code == 1, text.describe());
    QVERIFY2(text.out.contains("B5 (error, "), text.describe()); // Not in frames whose texture is new.
    QVERIFY2(text.out.contains("rules checked over 10 frames"), text.describe());
    const Outcome legal = runProgram(arguments);
    QVERIFY2(legal.finished && legal.code == 0, legal.describe());
    QVERIFY2(legal.out.contains("none found: ") && legal.out.contains("rules checked over 10 frames"),
             legal.describe());
    const Outcome unknown = runProgram(arguments + QStringList{"--scene", "<nonsense>"});
    QVERIFY2(unknown.code == 2 && unknown.err.contains("no-sync"), unknown.describe());
    const Outcome refused = runProgram({"run", "--source", kSmall, "--device", "soft:thor", "--scene", "new-memory"});
    QVERIFY2(refused.code == 2 && refused.err.contains("not checked on this device"), refused.describe());
}

void TestCli::brokenRuleIsReported()
{
    if (!runProgram({"doctor", "--json"}).json()["cpu_stage"].toObject()["available"].toBool())
        QSKIP("this build has no CPU stage");
    QStringList arguments = {"run",         "--source",  "synthetic:?size=640x480",
                             "--device",    "soft:orin", "--frames",
                             "30",          "--memory",  "unified",
                             "--cpu-stage", "same-input"};
    const Outcome quiet = runProgram(arguments);
    QVERIFY2(quiet.finished && quiet.code == 0 && quiet.oneSentence(), quiet.describe());
    QVERIFY2(quiet.out.contains("--hazards lists them"), quiet.describe());
    const Outcome outcome = runProgram(arguments + QStringList{"--hazards", "--json"});
    QVERIFY2(outcome.finished && outcome.code == 1, outcome.describe());
    const QJsonObject hazard = outcome.json()["hazards"].toArray().at(0).toObject();
    QVERIFY2(QRegularExpression("^A[12]$").match(hazard["rule"].toString()).hasMatch(), outcome.describe());
    QCOMPARE(hazard["buffer"].toString(), QString("managed memory, 460800 bytes"));
    // Which of the two began first depends on the machine: the thread touches the memory while kernels run, or a launch
    // takes it away while the thread uses it.
    QStringList sides = {hazard["a"].toString(), hazard["b"].toString()};
    if (!sides.first().startsWith("kernels on "))
        sides.swapItemsAt(0, 1);
    QVERIFY2(sides.first().startsWith("kernels on "), outcome.describe());
    QVERIFY2(sides.last().contains("the CPU stage thread"), outcome.describe());
    QCOMPARE(hazard["level"].toString(), QString("error"));
    QVERIFY(hazard["count"].toInt() >= 1);
    QVERIFY(hazard["first_frame"].toInt() <= hazard["last_frame"].toInt());
    QVERIFY(!hazard["fix"].toString().isEmpty());
}

void TestCli::endOfFile()
{
    if (!hasSource("file"))
        QSKIP("this build has no file source");
    const QString folder = m_folder.filePath("three");
    QVERIFY(writePictures(folder, 3));
    const Outcome outcome =
        runProgram({"run", "--source", "file:" + folder, "--frames", "30", "--json", "--device", "soft:orin"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["frames"].toInt(), 3);
    QCOMPARE(outcome.json()["ended"].toString(), QString("end of file"));
}

void TestCli::damagedPictureEndsTheRun()
{
    if (!hasSource("file"))
        QSKIP("this build has no file source");
    const QString folder = m_folder.filePath("damaged");
    QVERIFY(writePictures(folder, 4));
    QVERIFY(QFile::resize(folder + "/picture3.ppm", 100));
    const Outcome outcome =
        runProgram({"run", "--source", "file:" + folder, "--frames", "30", "--json", "--device", "soft:orin"});
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains("picture3.ppm"), outcome.describe());
    QCOMPARE(outcome.json()["frames"].toInt(), 3); // The frames before it are still reported.
    QVERIFY(outcome.json()["ended"].toString().contains("picture3.ppm"));
}

void TestCli::pathsMayHaveAnyCharacters()
{
    if (!hasSource("file"))
        QSKIP("this build has no file source");
    const QString folder = m_folder.filePath(QString::fromUtf8("Käse ☃ & 50% ?x=1"));
    QVERIFY(writePictures(folder, 2));
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("LC_ALL", "C");
    const Outcome outcome =
        runProgram({"run", "--source", "file:" + folder, "--json", "--device", "soft:orin"}, environment);
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["frames"].toInt(), 2);
    QCOMPARE(outcome.json()["source"].toString(), "file:" + folder);
}

void TestCli::doctorReports()
{
    const Outcome text = runProgram({"doctor"});
    QVERIFY2(text.finished && text.code == 0 && text.err.isEmpty(), text.describe());
    for (const char *part : {"EGL", "soft:orin", "soft:nano", "Sources", "synthetic", "Filters on the CPU"})
        QVERIFY2(text.out.contains(part), text.describe());

    QVERIFY2(text.out.contains("rules checked, "), text.describe());
    const Outcome outcome = runProgram({"doctor", "--json"});
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    const QJsonObject json = outcome.json();
    QCOMPARE(json["usable"].toBool(), true);
    QVERIFY(!json["egl"].toObject()["renderer"].toString().isEmpty());
    QVERIFY(!json["instruction_set"].toString().isEmpty());
    QJsonObject nano;
    for (const auto &device : json["devices"].toArray())
        if (device.toObject()["id"].toString() == "soft:nano")
            nano = device.toObject();
    QVERIFY(nano["hazard_rules"].toObject()["checked"].toInt() > 10);
    QCOMPARE(missingSettings(nano["choices"].toObject()), QStringList());
    const QJsonObject memory = nano["choices"].toObject()["memory"].toObject();
    QCOMPARE(memory["pinned"].toObject()["level"].toString(), QString("legal"));
    QCOMPARE(memory["registered"].toObject()["level"].toString(), QString("unavailable"));
    QVERIFY(!memory["registered"].toObject()["reason"].toString().isEmpty());
    const QJsonObject sync = nano["choices"].toObject()["sync"].toObject();
    QCOMPARE(sync["none"].toObject()["level"].toString(), QString("unsafe"));
}

/// Mesa's variable; other drivers do not know it.
void TestCli::withOldGles()
{
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("MESA_GLES_VERSION_OVERRIDE", "2.0");
    const Outcome run = runProgram({"run", "--device", "soft:orin", "--frames", "1"}, environment);
    if (run.code == 0)
        QSKIP("This driver has OpenGL ES 3 in any case.");
    QVERIFY2(run.finished && run.code == 1 && run.oneSentence(), run.describe());
    QVERIFY2(run.err.contains("needs OpenGL ES 3") && run.err.contains("driver"), run.describe());
}

void TestCli::withoutEgl()
{
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null");
    const Outcome run = runProgram({"run", "--frames", "5", "--json"}, environment);
    QVERIFY2(run.finished && run.code == 1 && run.oneSentence() && run.out.isEmpty(), run.describe());
    QVERIFY2(run.err.contains("EGL"), run.describe());
    const Outcome doctor = runProgram({"doctor", "--json"}, environment);
    QVERIFY2(doctor.finished && doctor.code == 1 && doctor.oneSentence(), doctor.describe());
    QCOMPARE(doctor.json()["usable"].toBool(true), false);
    QCOMPARE(doctor.json()["egl"].toObject()["available"].toBool(true), false);
    QVERIFY(!doctor.json()["devices"].toArray().isEmpty()); // Other information is still printed.
    const Outcome text = runProgram({"doctor"}, environment);
    QVERIFY2(text.finished && text.code == 1 && text.out.contains("soft:orin"), text.describe());
}

void TestCli::withoutDisplay()
{
    const Outcome outcome = runProgram({"--device", "soft:orin"});
    QVERIFY2(outcome.finished && (outcome.code == 1 || outcome.code == 2), outcome.describe());
    QVERIFY2(outcome.oneSentence(), outcome.describe());
}

void TestCli::withoutHome_data()
{
    QTest::addColumn<QString>("home");
    QTest::newRow("unset") << QString();
    QTest::newRow("missing") << "/nowhere/at/all";
    QTest::newRow("no folder") << "/dev/null";
    QTest::newRow("read-only") << "/proc";
}

void TestCli::withoutHome()
{
    QFETCH(QString, home);
    QProcessEnvironment environment = plainEnvironment();
    for (const char *name : {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"}) {
        environment.remove(name);
        if (!home.isNull())
            environment.insert(name, home);
    }
    const Outcome outcome =
        runProgram({"run", "--source", kSmall, "--frames", "5", "--json", "--device", "soft:orin"}, environment);
    QVERIFY2(outcome.finished && outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QCOMPARE(outcome.json()["frames"].toInt(), 5);
}

void TestCli::brokenOutput_data()
{
    QTest::addColumn<QString>("script");
    QTest::newRow("closed, help") << "exec \"$0\" --help >&-";
    QTest::newRow("full, help") << "exec \"$0\" --help >/dev/full";
    QTest::newRow("closed, run") << "exec \"$0\" run --source 'synthetic:?size=96x64' --frames 5 --json >&-";
    QTest::newRow("full, run") << "exec \"$0\" run --source 'synthetic:?size=96x64' --frames 5 --json >/dev/full";
    QTest::newRow("all closed, doctor") << "exec \"$0\" doctor <&- >&-";
}

void TestCli::brokenOutput()
{
    QFETCH(QString, script);
    const Outcome outcome = runShell(script);
    QVERIFY2(outcome.finished && outcome.code == 1, outcome.describe());
    QVERIFY2(outcome.oneSentence() && outcome.err.contains("standard output"), outcome.describe());
}

JETSCOPE_TEST(TestCli)
#include "tst_cli.moc"
