// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Resources that run out while the program works: memory, file size, the recording, the terminal, a reconnecting
// source.
#include "app/commandline/lastwords.h"
#include "app/run/runner.h"
#include "core/recording/tracer.h"
#include "tests/app/program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QUuid>

#include <csignal>
#include <cstdlib>
#include <future>
#include <new>
#include <stdexcept>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>

using namespace jetscope;

namespace {

/// Its destructor blocks until it is released.
class HangingPipeline final : public Pipeline {
public:
    explicit HangingPipeline(std::shared_future<void> letGo) : m_letGo(std::move(letGo)) {}
    ~HangingPipeline() override { m_letGo.wait(); }

    void post(PipelineCommand) override {}
    PipelineUpdate drainUpdates() override { return {}; }
    void setSink(std::shared_ptr<TraceSink>) override {}
    PipelineStatus status() const override { return {}; }
    ViewMailbox &mailbox() override { return m_mailbox; }
    Tracer &tracer() override { return m_tracer; }
    void *nativeContext() const override { return nullptr; }
    void wantInputPictures(bool) override {}
    std::shared_ptr<const InputPicture> inputPicture(std::uint32_t) override { return nullptr; }
    void waitForEnd() override {}

private:
    std::shared_future<void> m_letGo;
    ViewMailbox m_mailbox;
    Tracer m_tracer;
};

} // namespace

class TestRunLimits : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const char *name) const { return m_folder.filePath(name); }
    /// Starts an endless run with a recording; returns true when the first spans are in the file.
    bool record(QProcess &process, const QString &path) const;

private slots:
    void initTestCase() { std::signal(SIGHUP, SIG_DFL); } // The parent process may ignore it.
    void lastWordsAreOneSentence_data();
    void lastWordsAreOneSentence();
    void fewThreadsAreOneSentence_data();
    void fewThreadsAreOneSentence();
    void noFurtherFileIsSaid_data();
    void noFurtherFileIsSaid();
    void faultsOfOursLeaveACore();
    void largeFilesEndTheRecording();
    void largeFilesEndAConversion();
    void aRecordingWithoutAFileIsAFailure_data();
    void aRecordingWithoutAFileIsAFailure();
    void aTerminalThatGoesLeavesAWholeRecording();
    void aPipelineThatHangsIsLeftBehind();
    void aProgramThatHangsIsEnded();
};

bool TestRunLimits::record(QProcess &process, const QString &path) const
{
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"run", "--source", "synthetic:?size=96x64&rate=real&fps=200", "--device", "soft:orin", "--frames",
                   "1000000", "--record", path, "--json"});
    return process.waitForStarted() && QTest::qWaitFor([&] { return QFile(path + "-wal").size() > 100'000; }, 60'000);
}

void TestRunLimits::lastWordsAreOneSentence_data()
{
    QTest::addColumn<QString>("lack");
    QTest::addColumn<QString>("words");
    QTest::newRow("memory") << "memory"
                            << "not enough memory";
    QTest::newRow("memory of a thread") << "memory of a thread"
                                        << "not enough memory";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // Their allocators end the program.
    QTest::newRow("all memory") << "all memory"
                                << "not enough memory";
#endif
    QTest::newRow("a thread") << "a thread"
                              << "no further thread";
    QTest::newRow("the second thread of an owner") << "the second thread of an owner"
                                                   << "no further thread";
}

void TestRunLimits::lastWordsAreOneSentence()
{
    QFETCH(QString, lack);
    QFETCH(QString, words);
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"--lack", lack});
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains(words), outcome.describe());
}

void TestRunLimits::fewThreadsAreOneSentence_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::newRow("run") << "run --source 'synthetic:?size=320x240' --device soft:orin --frames 5";
    QTest::newRow("window") << "--source 'synthetic:?size=320x240' --device soft:orin --screenshot " + QDir::tempPath()
            + "/never-" + QUuid::createUuid().toString(QUuid::Id128) + ".png";
}

/// The limit does not apply to root, so the program runs as another user if possible.
void TestRunLimits::fewThreadsAreOneSentence()
{
    QFETCH(QString, arguments);
    const QString user = geteuid() == 0 ? "setpriv --reuid 65533 --regid 65533 --clear-groups " : "";
    const QString limited = "export QT_QPA_PLATFORM=offscreen HOME=/nowhere; exec " + user
        + "bash -c 'ulimit -u 2 && exec \"$0\" \"$@\"' \"$0\" ";
    if (runShell(limited + "--version").code != 0)
        QSKIP("No other user can start the program here, or it needs more threads from its start.");
    const Outcome outcome = runShell(limited + arguments);
    if (outcome.code == 2 && outcome.err.contains("no window"))
        QSKIP("This build has no window.");
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains("no further thread"), outcome.describe());
}

void TestRunLimits::noFurtherFileIsSaid_data()
{
    QTest::addColumn<QString>("arguments");
    const QString capture = pathOf("few.jscope");
    const QStringList run = {"run", "--source", "synthetic:?size=64x64", "--device", "soft:orin", "--frames", "5"};
    if (!QFile::exists(capture))
        QCOMPARE(runProgram(run + QStringList{"--record", capture}).code, 0);
    QTest::newRow("record") << run.join(' ').replace("synthetic:?size=64x64", "'synthetic:?size=64x64'")
            + " --record $1";
    QTest::newRow("convert") << "convert " + capture + " $1";
    QTest::newRow("query") << "query " + capture + " 'SELECT 1'";
}

/// How many files are open when it is refused depends on the machine; the last number is enough for all.
void TestRunLimits::noFurtherFileIsSaid()
{
    QFETCH(QString, arguments);
    const QString to = QString::fromLatin1(QTest::currentDataTag()) + "%1.jscope";
    int refusals = 0;
    for (int files = 4; files <= 64; files += files < 20 ? 1 : 11) {
        const QString command = QString(arguments).replace("$1", pathOf(qPrintable(to.arg(files))));
        const Outcome outcome = runShell(QString("ulimit -n %1; exec \"$0\" %2").arg(files).arg(command));
        if (outcome.err.contains("error while loading shared libraries")) // It does not even start.
            continue;
        QVERIFY2(outcome.finished && outcome.code <= 1, outcome.describe());
        QVERIFY2(!outcome.err.contains("permission") && !outcome.err.contains("take another"), outcome.describe());
        refusals += outcome.err.contains("no further file may be opened") ? 1 : 0;
        QVERIFY2(files < 64 || outcome.code == 0, outcome.describe());
    }
    QVERIFY(refusals > 0);
}

void TestRunLimits::faultsOfOursLeaveACore()
{
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"--lack", "sense"});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitStatus(), QProcess::CrashExit);
    QVERIFY(process.readAllStandardError().contains("a fault"));
}

void TestRunLimits::largeFilesEndTheRecording()
{
    const QString path = pathOf("large.jscope");
    const Outcome outcome =
        runShell("ulimit -f 600; exec \"$0\" run --source 'synthetic:?size=96x64&rate=real&fps=500' --device soft:orin "
                 "--frames 2000 --record "
                 + path);
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains("ulimit -f"), outcome.describe());
    QVERIFY2(outcome.out.contains("2000"), outcome.describe()); // The run continued.
    QCOMPARE(runProgram({"query", path, "SELECT count(*) > 0 FROM spans"}).out, QString("1\n"));
}

void TestRunLimits::largeFilesEndAConversion()
{
    const QString capture = pathOf("whole.jscope");
    const Outcome recorded = runProgram(
        {"run", "--source", "synthetic:?size=96x64", "--device", "soft:orin", "--frames", "1000", "--record", capture});
    QVERIFY2(recorded.code == 0, recorded.describe());
    QVERIFY(QDir(m_folder.path()).mkdir("out"));
    for (const char *name : {"out/a.json", "out/a.csv", "out/a.jscope"}) {
        const Outcome outcome = runShell("ulimit -f 40; exec \"$0\" convert " + capture + " " + pathOf(name));
        QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
        QVERIFY2(outcome.err.contains("ulimit -f"), outcome.describe());
        QCOMPARE(QDir(pathOf("out")).entryList(QDir::Files), QStringList());
    }
}

void TestRunLimits::aRecordingWithoutAFileIsAFailure_data()
{
    QTest::addColumn<bool>("renamed");
    QTest::newRow("removed") << false;
    QTest::newRow("renamed") << true;
}

void TestRunLimits::aRecordingWithoutAFileIsAFailure()
{
    QFETCH(bool, renamed);
    // A log that was left over from the other row would be taken for that of this recording.
    const QString name = QString(QTest::currentDataTag()) + ".jscope";
    const QString path = pathOf(name.toUtf8().constData());
    QProcess process;
    QVERIFY(record(process, path));
    QVERIFY(renamed ? QFile::rename(path, path + ".old") : QFile::remove(path));
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.contains(name + " was removed or renamed"), outcome.describe());
    QVERIFY(outcome.json()["frames"].toInt() > 0);
}

void TestRunLimits::aTerminalThatGoesLeavesAWholeRecording()
{
    const QString path = pathOf("hangup.jscope");
    QProcess process;
    QVERIFY(record(process, path));
    const auto id = static_cast<pid_t>(process.processId());
    ::kill(id, SIGHUP);
    ::kill(id, SIGHUP); // From the kernel and from the shell.
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    QCOMPARE(outcome.json()["ended"].toString(), QString("interrupted"));
    QVERIFY(!QFile::exists(path + "-wal"));
    QCOMPARE(runProgram({"query", path, "SELECT count(*) > 10 FROM frames"}).out, QString("1\n"));
}

void TestRunLimits::aPipelineThatHangsIsLeftBehind()
{
    std::promise<void> letGo;
    const std::shared_future<void> gate = letGo.get_future().share();
    QVERIFY(!endPipeline(std::make_unique<HangingPipeline>(gate), std::chrono::milliseconds(1)));
    letGo.set_value();
    QVERIFY(endPipeline(std::make_unique<HangingPipeline>(gate), std::chrono::hours(1)));
}

void TestRunLimits::aProgramThatHangsIsEnded()
{
    QProcess process;
    process.start(QCoreApplication::applicationFilePath(), {"--hang"});
    QVERIFY(process.waitForReadyRead(60'000));
    ::kill(static_cast<pid_t>(process.processId()), SIGTERM); // A single signal, as from a service manager.
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 1 && outcome.oneSentence(), outcome.describe());
}

/// Run as a child process of the test: never ends by itself.
static int hang()
{
    const Interrupt interrupt(std::chrono::seconds(1));
    static_cast<void>(write(STDOUT_FILENO, "ready\n", 6) == 6);
    for (;;)
        pause();
}

/// Not even a short text can be made afterwards.
static void takeAllMemory()
{
    const rlimit little{1, 1};
    setrlimit(RLIMIT_AS, &little);
    for (std::size_t bytes = 1 << 20; bytes > 0; bytes /= 2)
        for (bool more = true; more;) {
            void *volatile const block = std::malloc(bytes);
            more = block != nullptr;
        }
}

/// Run as a child process of the test: ends because of the given lack.
static int endForLackOf(const QString &lack)
{
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none); // A core dump is not needed.
    giveLastWords();
    if (lack == "memory")
        throw std::bad_alloc();
    if (lack == "all memory") {
        takeAllMemory();
        throw std::bad_alloc();
    }
    if (lack == "memory of a thread")
        std::thread([] { throw std::bad_alloc(); }).join();
    const auto refused = std::make_error_code(std::errc::resource_unavailable_try_again);
    if (lack == "a thread")
        throw std::system_error(refused);
    if (lack == "the second thread of an owner") {
        try {
            const std::thread first([] { pause(); });
            throw std::system_error(refused);
        } catch (const std::exception &) { // Never reached: the owner's destructor ends the program first.
        }
    }
    throw std::logic_error("a fault");
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.size() == 3 && arguments[1] == "--lack")
        return endForLackOf(arguments[2]);
    if (arguments.size() == 2 && arguments[1] == "--hang")
        return hang();
    TestRunLimits test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_runlimits.moc"
