// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/capturefolder.h"

#include "core/tracefile/tracefilewriter.h"
#include "gpu/remote/capturerecorder.h"
#include "tests/support/testprogram.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <limits>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jetscope;

namespace {

/// An update with a head and as many spans.
TraceUpdate updateOf(std::uint32_t spans)
{
    TraceUpdate update;
    update.names = {{"work"}};
    update.lanes = {{0, LaneRole::Pipeline, "Pipeline", ""}};
    for (std::uint32_t i = 0; i < spans; ++i)
        update.spans.push_back({i * 1000, 500, i, 0, 0, 0, 0});
    return update;
}

QByteArray sumOf(const QString &path)
{
    QFile file(path);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    return file.open(QIODevice::ReadOnly) && hash.addData(&file) ? hash.result().toHex() : QByteArray();
}

} // namespace

class TestCaptureFolder : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> m_home;

    std::string path() const { return (m_home->path() + "/a/captures").toStdString(); }
    QString fileOf(const std::string &name) const { return QString::fromStdString(path() + "/" + name); }
    /// A whole capture.
    void write(const std::string &name, std::uint32_t spans) const
    {
        auto writer = TraceFileWriter::create(path() + "/" + name, {});
        QVERIFY(writer.ok());
        writer.value()->take(updateOf(spans));
        QVERIFY(writer.value()->stop().ok());
    }

private slots:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void namesAreNoPaths_data()
    {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<bool>("isOne");
        const auto row = [](const char *name, bool isOne) { QTest::newRow(name) << QByteArray(name) << isOne; };
        row("2026-11-27_19-31-05_synthetic.jscope", true);
        row("a b.jscope", true);
        row(".jscope", false);
        row(".hidden.jscope", false);
        row("../a.jscope", false);
        row("/etc/a.jscope", false);
        row("a/b.jscope", false);
        row("a\nb.jscope", false);
        row("a\x1b[2Jb.jscope", false);
        row("a\xff.jscope", false);
        row("passwd", false);
        row("", false);
        QTest::newRow("long") << QByteArray(300, 'a') + ".jscope" << false;
        QTest::newRow("zero") << QByteArray("a\0b.jscope", 10) << false;
    }
    void namesAreNoPaths()
    {
        QFETCH(QByteArray, name);
        QFETCH(bool, isOne);
        QCOMPARE(isCaptureName(name.toStdString()), isOne);
    }

    void namesSayTheSourceAndNoSecrets()
    {
        const std::string name = captureNameFor("rtsp://me:secret@10.0.0.1/cam?token=hidden");
        QVERIFY(isCaptureName(name));
        QVERIFY2(name.find("10.0.0.1-cam") != std::string::npos, name.c_str());
        QVERIFY(name.find("secret") == std::string::npos && name.find("hidden") == std::string::npos);
        QVERIFY(isCaptureName(captureNameFor("")));
        QVERIFY(isCaptureName(captureNameFor("../../../" + std::string(500, '/') + "é\n")));
    }

    void theFolderIsForThisUser()
    {
        CaptureFolder folder(path());
        QVERIFY(folder.list().captures.empty());
        QVERIFY(folder.freeBytes().value_or(0) > 0); // Of a folder that is not there yet.
        QVERIFY(folder.make().ok());
        struct stat facts {};
        QVERIFY(::stat(path().c_str(), &facts) == 0);
        QCOMPARE(facts.st_mode & 0777U, 0700U);
        ::chmod(path().c_str(), 0777);
        const Status open = folder.make();
        QVERIFY(!open.ok() && open.error().text.find("chmod 700") != std::string::npos);
        QVERIFY(!CaptureFolder("").make().ok());
    }

    void listsReadsAndRemoves()
    {
        CaptureFolder folder(path());
        QVERIFY(folder.make().ok());
        write("one.jscope", 10);
        write("two.jscope", 1000);
        QVERIFY(QFile(fileOf("other.txt")).open(QIODevice::WriteOnly));
        QVERIFY(QDir().mkdir(fileOf("folder.jscope")));
        QVERIFY(QFile::link("/etc/passwd", fileOf("link.jscope")));
        const std::vector<BoardCapture> captures = folder.list().captures;
        QCOMPARE(captures.size(), std::size_t{2});
        QCOMPARE(captures[0].name, std::string("two.jscope")); // The newest first.
        QCOMPARE(captures[0].lengthNs, std::int64_t{999 * 1000 + 500});
        QCOMPARE(captures[0].bytes, static_cast<std::uint64_t>(QFileInfo(fileOf("two.jscope")).size()));
        QVERIFY(!captures[0].grows && captures[0].trouble.empty());
        QVERIFY(captures[0].version != captures[1].version);

        auto opened = folder.openToRead("two.jscope", "");
        QVERIFY(opened.ok());
        QCOMPARE(opened.value().second.version, captures[0].version);
        const std::atomic<bool> goes{false};
        const Result<std::string> sum = folder.sumOf("two.jscope", captures[0].version, goes);
        QVERIFY(sum.ok());
        QCOMPARE(QByteArray::fromStdString(sum.value()), sumOf(fileOf("two.jscope")));
        QVERIFY(!folder.sumOf("two.jscope", "1-2-3", goes).ok());
        QVERIFY(!folder.openToRead("link.jscope", "").ok());
        QVERIFY(!folder.openToRead("../captures/two.jscope", "").ok());
        QVERIFY(!folder.openToRead("folder.jscope", "").ok());

        QVERIFY(!folder.remove("../captures/two.jscope").ok());
        QVERIFY(!folder.remove("link.jscope").ok());
        QVERIFY(!folder.remove("three.jscope").ok());
        QVERIFY(!folder.remove("two.jscope", "two.jscope").ok()); // It grows.
        QVERIFY(folder.remove("two.jscope").ok());
        QCOMPARE(folder.list().captures.size(), std::size_t{1});
    }

    void whatGrowsIsSeenFromOutsideToo()
    {
        CaptureFolder folder(path());
        QVERIFY(folder.make().ok());
        int ready[2];
        QVERIFY(::pipe(ready) == 0);
        const pid_t other = ::fork();
        if (other == 0) {
            auto writer = TraceFileWriter::create(path() + "/grows.jscope", {});
            if (writer.ok())
                writer.value()->take(updateOf(5000));
            while (writer.ok() && writer.value()->progress().spans < 5000)
                ::usleep(1000);
            static_cast<void>(::write(ready[1], "r", 1));
            ::pause();
            ::_exit(0);
        }
        char byte = 0;
        QVERIFY(::read(ready[0], &byte, 1) == 1);
        QCOMPARE(folder.list().captures.size(), std::size_t{1});
        QVERIFY(folder.list().captures[0].grows);
        QVERIFY(!folder.remove("grows.jscope").ok());
        const auto refused = folder.openToRead("grows.jscope", "");
        QVERIFY(!refused.ok() && refused.error().text.find("still being recorded") != std::string::npos);
        // Killed, it leaves a file and SQLite's log beside it, which become one file.
        ::kill(other, SIGKILL);
        ::waitpid(other, nullptr, 0);
        QVERIFY(QFile::exists(fileOf("grows.jscope-wal")));
        const std::vector<BoardCapture> captures = folder.list().captures;
        QVERIFY(!captures[0].grows && captures[0].trouble.empty());
        QCOMPARE(captures[0].lengthNs, std::int64_t{4999 * 1000 + 500});
        QVERIFY(!QFile::exists(fileOf("grows.jscope-wal")));
        QVERIFY(folder.openToRead("grows.jscope", "").ok());
    }

    void recordsUntilItIsStopped()
    {
        CaptureFolder folder(path());
        CaptureRecorder recorder(folder, 0);
        QVERIFY(!recorder.isOn());
        PipelineStatus status;
        status.facts.name = "Orin";
        QVERIFY(recorder.start(status, "synthetic:?size=1x1", "orin-lab-3").ok());
        QVERIFY(!recorder.start(status, "synthetic:", "").ok()); // One at a time.
        QVERIFY(recorder.isOn() && recorder.state().isOn);
        TraceHead head;
        recorder.take(updateOf(5)); // Before it begins.
        head.add(updateOf(0));
        recorder.begin(head);
        TraceUpdate more = updateOf(3000);
        more.names.clear();
        more.lanes.clear();
        recorder.take(more);
        recorder.take(ClockMeeting{5, "ada", 7, 3});
        recorder.end();
        recorder.take(more); // Of another pipeline.
        QTRY_VERIFY(recorder.state().bytes > 10'000);
        recorder.stop();
        recorder.stop();
        const RecordingState state = recorder.state();
        QVERIFY2(!state.isOn && state.failure.empty(), state.failure.c_str());
        const std::vector<BoardCapture> captures = folder.list().captures;
        QCOMPARE(captures.size(), std::size_t{1});
        QCOMPARE(captures[0].name, state.name);
        Result<Database> file = Database::open(path() + "/" + state.name, Database::Access::ReadOnly);
        QVERIFY(file.ok());
        Result<Statement> row = file.value().prepare("SELECT (SELECT count(*) FROM spans WHERE name = 'work'), (SELECT "
                                                     "count(*) FROM clocks WHERE clock = 'ada' AND "
                                                     "offset_ns = 7 AND bound_ns = 3), (SELECT value FROM device WHERE "
                                                     "name = 'device'), (SELECT value FROM device "
                                                     "WHERE name = 'source')");
        QVERIFY(row.ok() && row.value().next());
        QCOMPARE(row.value().integer(0), std::int64_t{3000});
        QCOMPARE(row.value().integer(1), std::int64_t{1});
        QCOMPARE(row.value().text(2), std::string_view("Orin on orin-lab-3"));
        QCOMPARE(row.value().text(3), std::string_view("synthetic:?size=1x1"));
        // Two that begin in one second have names of their own.
        QVERIFY(recorder.start(status, "synthetic:", "").ok());
        recorder.stop();
        QVERIFY(recorder.start(status, "synthetic:", "").ok());
        recorder.stop();
        QCOMPARE(folder.list().captures.size(), std::size_t{3});
    }

    void whatOthersNeedOfTheDiskIsLeft()
    {
        CaptureFolder folder(path());
        QVERIFY(folder.make().ok());
        CaptureRecorder full(folder, std::numeric_limits<std::uint64_t>::max());
        const Status refused = full.start({}, "synthetic:", "orin-lab-3");
        QVERIFY(!refused.ok());
        for (const std::string &part :
             {std::string("orin-lab-3"), path(), std::string("MB free"), std::string("delete")})
            QVERIFY2(refused.error().text.find(part) != std::string::npos, refused.error().text.c_str());
        QVERIFY(folder.list().captures.empty());
    }
};

JETSCOPE_TEST(TestCaptureFolder)
#include "tst_capturefolder.moc"
