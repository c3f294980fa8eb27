// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// An own kernel while it runs: its file is saved, its runs take long or never end, and it goes. On a made-up driver.
#include "gpu/stages/sanitizerhint.h"
#include "tests/gpu/kernelfixture.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>

#include <csignal>
#include <unistd.h>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

/// The file that a hanging trial makes. It hangs if that file with kWanted is there: the variable is never changed
/// while a thread may start a trial.
constexpr const char *kHangVariable = "JETSCOPE_TEST_TRIAL_HANGS";
constexpr const char *kWanted = ".wanted";
constexpr int kUnharmed = 7;
constexpr std::chrono::seconds kTrialTimeout{60}; ///< Machines are busy.

void hang(bool hangs)
{
    driverFunction<void(bool)>("fakeDriverHang")(hangs);
}

Result<std::unique_ptr<StageInstance>> untriedInstance(const std::string &file)
{
    kernelTools().driver = JETSCOPE_FAKE_DRIVER;
    kernelTools().isTried = false;
    kernelTools().cache = KernelCache("");
    kernelTools().timeout = std::chrono::milliseconds(200);
    return KernelStage({file, {}}).setUp(kernelDevice(), 40, 20);
}

void setKernelTime(int ms)
{
    driverFunction<void(int)>("fakeDriverKernelTime")(ms);
}

/// In a process of its own: a kernel never ends.
int hangingProgram(const std::string &file)
{
    const auto instance = untriedInstance(file);
    setKernelTime(1'000'000);
    if (!instance.ok() || numberOfRun(*instance.value()) == 0)
        return 3;
    for (;;) // As a thread that waits for the device.
        pause();
}

/// In a process of its own: a kernel between others never ends, as with two frames in flight.
int hangingBetweenProgram(const std::string &file)
{
    const auto instance = untriedInstance(file);
    for (const int ms : {30, 1'000'000, 1'000'000}) {
        setKernelTime(ms);
        if (!instance.ok() || numberOfRun(*instance.value()) == 0)
            return 3;
    }
    alarm(20);
    for (;;)
        pause();
}

/// In a process of its own, whose owner is told and leaves, or does not.
int toldProgram(const std::string &file, bool leaves)
{
    onEndlessKernel([&](const EndlessKernel &kernel) {
        std::fprintf(stderr, "told of %s: %s\n", kernel.file.c_str(), kernel.text.c_str());
        if (leaves)
            _exit(kUnharmed);
    });
    return hangingProgram(file);
}

/// In a process of its own: many runs are queued, each of which ends in time.
int queueingProgram(const std::string &file)
{
    constexpr int kKernelMs = 90;
    constexpr int kRuns = 8;
    const auto instance = untriedInstance(file);
    setKernelTime(kKernelMs);
    for (int run = 0; run < kRuns; ++run)
        if (!instance.ok() || numberOfRun(*instance.value()) == 0)
            return 3;
    std::this_thread::sleep_for(std::chrono::milliseconds((kRuns + 1) * kKernelMs));
    return kUnharmed;
}

/// In a process of its own: kernels of several streams, each of which takes half of the time that is allowed, run one
/// after another.
int crowdedProgram(const std::string &file)
{
    constexpr int kKernelMs = 100;
    constexpr int kStreams = 6;
    const auto instance = untriedInstance(file);
    setKernelTime(kKernelMs);
    driverFunction<void(bool)>("fakeDriverOneAtATime")(true);
    for (std::uintptr_t stream = 1; stream <= kStreams; ++stream)
        if (!instance.ok() || numberOfRun(*instance.value(), stream) == 0)
            return 3;
    std::this_thread::sleep_for(std::chrono::milliseconds((kStreams + 1) * kKernelMs));
    return kUnharmed;
}

/// In a process of its own, which is stopped while its kernel ends in time.
int stoppedProgram(const std::string &file)
{
    constexpr int kKernelMs = 180;
    const auto instance = untriedInstance(file);
    setKernelTime(kKernelMs);
    const int asked = askDriver("fakeDriverQueries");
    if (!instance.ok() || numberOfRun(*instance.value()) == 0)
        return 3;
    QElapsedTimer time;
    time.start();
    while (askDriver("fakeDriverQueries") < asked + 3 && time.elapsed() < kKernelMs) // Until its time has begun.
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    driverFunction<void(int)>("fakeDriverStall")(3 * kKernelMs);
    std::this_thread::sleep_for(std::chrono::milliseconds(5 * kKernelMs));
    return kUnharmed;
}

/// In a process of its own: a kernel never ends while its successor is tried, which never ends, either.
int tryingProgram(const std::string &file, const std::string &sign)
{
    qputenv(kHangVariable, QByteArray::fromStdString(sign));
    const auto instance = untriedInstance(file);
    kernelTools().isTried = true;
    setStageTrialTimeout(std::chrono::minutes(10));
    std::ofstream(sign + kWanted) << "1";
    std::ofstream(file) << rgbaKernel("out[1] = in[1];");
    while (!QFile::exists(QString::fromStdString(sign)))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    setKernelTime(1'000'000);
    if (!instance.ok() || numberOfRun(*instance.value()) == 0)
        return 3;
    for (;;)
        pause();
}

/// In place of a trial: does not end by itself while a test lasts.
int hangingTrial()
{
    alarm(600);
    QFile file(qEnvironmentVariable(kHangVariable));
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::number(getpid())) <= 0 || !file.flush())
        return 3;
    for (;;)
        pause();
}

} // namespace

class TestKernelReload : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void savingTheFileUnderLoadLosesNothing();
    void aFailedReloadKeepsTheKernel();
    void itGoesWhileAKernelIsTried();
    void aKernelThatNeverEndsEndsTheProgram_data();
    void aKernelThatNeverEndsEndsTheProgram();
    void theOwnerOfTheProgramIsToldFirst_data();
    void theOwnerOfTheProgramIsToldFirst();
    void runsAreWatchedWhileAKernelIsTried();
    void runsThatWaitAreNotOverdue_data();
    void runsThatWaitAreNotOverdue();
    void aRefusedFileIsSaidOnce();
    void theSanitizersCommandIsOffered();

private:
    KernelFolder m_folder;
};

void TestKernelReload::initTestCase()
{
    if (const Result<NvrtcFile> nvrtc = findNvrtc(); !nvrtc.ok())
        QSKIP(nvrtc.error().text.c_str());
    kernelTools().driver = JETSCOPE_FAKE_DRIVER;
    setStageTrialTimeout(kTrialTimeout);
    qputenv(kHangVariable, m_folder.filePath("tried").toUtf8());
}

void TestKernelReload::init()
{
    kernelTools().cache = KernelCache(m_folder.filePath("cache").toStdString());
    kernelTools().isTried = true;
}

void TestKernelReload::savingTheFileUnderLoadLosesNothing()
{
    constexpr int kReloads = 100;
    kernelTools().isTried = false; // Of the trial, everyFormRuns knows.
    const char *const name = "saved.cu";
    KernelStage stage({m_folder.write(name, rgbaKernel("out[0] = in[0];")), {}});
    Result<std::unique_ptr<StageInstance>> instance = stage.setUp(kernelDevice(), 40, 20);
    QVERIFY(instance.ok());
    int newest = 0;
    int reloads = 0;
    for (int saved = 1; saved <= kReloads; ++saved) {
        m_folder.write(name, rgbaKernel(saved % 2 != 0 ? "out[1] = in[0];" : "out[0] = in[0];"));
        for (const int before = reloads; reloads == before;) {
            const int number = numberOfRun(*instance.value());
            QVERIFY(number != 0 && number >= newest); // Never an older kernel.
            newest = number;
            for (const StageNews &news : instance.value()->takeNews()) {
                QVERIFY2(news.kind == StageNews::Kind::Changed, news.text.c_str());
                ++reloads;
            }
        }
    }
    const auto modules = [&] {
        numberOfRun(*instance.value());
        return askDriver("fakeDriverModules");
    };
    QTRY_COMPARE_WITH_TIMEOUT(modules(), 1, 60'000);
    // A former kernel whose runs are not complete stays.
    hang(true);
    m_folder.write(name, rgbaKernel("out[2] = in[0];"));
    QTRY_COMPARE_WITH_TIMEOUT(modules(), 2, 60'000);
    const int asked = askDriver("fakeDriverQueries");
    QTRY_VERIFY_WITH_TIMEOUT(askDriver("fakeDriverQueries") > asked + 3, 60'000);
    QCOMPARE(modules(), 2);
    hang(false);
    QTRY_COMPARE_WITH_TIMEOUT(modules(), 1, 60'000);
    instance.value().reset();
    QCOMPARE(askDriver("fakeDriverModules"), 0);
    // Only the thread of the runs changes the context.
    QCOMPARE(askDriver("fakeDriverModuleThreads"), 1);
    kernelTools().isTried = true;
}

void TestKernelReload::aFailedReloadKeepsTheKernel()
{
    const char *const name = "fails.cu";
    const std::string path = m_folder.write(name, rgbaKernel());
    KernelStage stage({path, {}});
    const Result<std::unique_ptr<StageInstance>> instance = stage.setUp(kernelDevice(), 40, 20);
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    const int number = numberOfRun(*instance.value());
    std::vector<StageNews> news;
    const auto take = [&] {
        numberOfRun(*instance.value()); // The next run loads what was compiled.
        for (StageNews &one : instance.value()->takeNews())
            news.push_back(std::move(one));
        return !news.empty();
    };
    m_folder.write(name, "\n" + rgbaKernel("oh no;"));
    QTRY_VERIFY_WITH_TIMEOUT(take(), 60'000);
    QVERIFY(news.front().kind == StageNews::Kind::Refused);
    QVERIFY2(news.front().text.starts_with(path + "(2): error: "), news.front().text.c_str());
    QVERIFY(news.front().text.ends_with("; the former kernel goes on"));
    QCOMPARE(numberOfRun(*instance.value()), number);
    news.clear();
    m_folder.write(name, "__global__ void jetscope_grey_filter(cudaSurfaceObject_t, cudaSurfaceObject_t, int, int) {}");
    QTRY_VERIFY_WITH_TIMEOUT(take(), 60'000);
    QVERIFY(news.front().kind == StageNews::Kind::Refused
            && news.front().text.find("between RGBA and grey") != std::string::npos);
    news.clear();
    m_folder.write(name, rgbaKernel("out[2] = in[2];"));
    QTRY_VERIFY_WITH_TIMEOUT(take(), 60'000);
    QVERIFY2(news.front().kind == StageNews::Kind::Changed, news.front().text.c_str());
    QVERIFY(numberOfRun(*instance.value()) > number);
}

void TestKernelReload::itGoesWhileAKernelIsTried()
{
    const char *const name = "goes.cu";
    KernelStage stage({m_folder.write(name, rgbaKernel()), {}});
    Result<std::unique_ptr<StageInstance>> instance = stage.setUp(kernelDevice(), 40, 20);
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    const QString sign = qEnvironmentVariable(kHangVariable);
    setStageTrialTimeout(std::chrono::minutes(10));
    std::ofstream(sign.toStdString() + kWanted) << "1";
    m_folder.write(name, rgbaKernel("out[1] = in[1];"));
    pid_t trial = 0;
    const auto begun = [&] {
        QFile file(sign);
        trial = file.open(QIODevice::ReadOnly) ? file.readAll().toInt() : 0;
        return trial > 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(begun(), 60'000);
    QVERIFY(QFile::remove(sign + kWanted));
    instance.value().reset(); // It would last longer than the test if it waited for the trial.
    setStageTrialTimeout(kTrialTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(::kill(trial, 0) != 0, 60'000);
}

void TestKernelReload::aKernelThatNeverEndsEndsTheProgram_data()
{
    QTest::addColumn<QString>("word");
    QTest::newRow("alone") << "--hanging";
    QTest::newRow("between other runs") << "--hanging-between";
}

void TestKernelReload::aKernelThatNeverEndsEndsTheProgram()
{
    const std::string path = m_folder.write("hangs.cu", rgbaKernel());
    QProcess program;
    QFETCH(QString, word);
    program.start("/proc/self/exe", {word, QString::fromStdString(path)});
    QVERIFY(program.waitForFinished(120'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("hangs.cu has not ended within 200 ms"), said.constData());
}

void TestKernelReload::theOwnerOfTheProgramIsToldFirst_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("code");
    QTest::newRow("who leaves") << "--told" << kUnharmed;
    QTest::newRow("who does not leave") << "--told-in-vain" << 1;
}

void TestKernelReload::theOwnerOfTheProgramIsToldFirst()
{
    const QString path = QString::fromStdString(m_folder.write("hangs.cu", rgbaKernel()));
    QProcess program;
    QFETCH(QString, word);
    program.start("/proc/self/exe", {word, path});
    QVERIFY(program.waitForFinished(120'000));
    QTEST(program.exitCode(), "code");
    const QByteArray said = program.readAllStandardError();
    QCOMPARE(said.count("told of " + path.toUtf8() + ": The kernel of " + path.toUtf8() + " has not ended"), 1);
    QCOMPARE(said.count("jetscope: The kernel of "), word == "--told" ? 0 : 1);
}

void TestKernelReload::runsAreWatchedWhileAKernelIsTried()
{
    const std::string path = m_folder.write("hangs_again.cu", rgbaKernel());
    QProcess program;
    program.start("/proc/self/exe", {"--trying", QString::fromStdString(path), m_folder.filePath("tried as well")});
    QVERIFY(program.waitForFinished(50'000)); // The trial ends after 60 s.
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("hangs_again.cu has not ended within 200 ms"), said.constData());
}

void TestKernelReload::runsThatWaitAreNotOverdue_data()
{
    QTest::addColumn<QString>("program");
    QTest::newRow("for runs of their stream") << "--queueing";
    QTest::newRow("for runs of other streams") << "--crowded";
    QTest::newRow("while the process is stopped") << "--stopped";
}

void TestKernelReload::runsThatWaitAreNotOverdue()
{
    QFETCH(QString, program);
    const std::string path = m_folder.write("slow.cu", rgbaKernel());
    QProcess process;
    process.start("/proc/self/exe", {program, QString::fromStdString(path)});
    QVERIFY(process.waitForFinished(120'000));
    QVERIFY2(process.exitCode() == kUnharmed, process.readAllStandardError().constData());
}

/// A file that cannot be taken is not read again until it is saved; one that is about to be written is nobody's fault.
void TestKernelReload::aRefusedFileIsSaidOnce()
{
    const std::string path = m_folder.write("grows.cu", rgbaKernel());
    const Result<std::unique_ptr<StageInstance>> instance = KernelStage({path, {}}).setUp(kernelDevice(), 40, 20);
    QVERIFY2(instance.ok(), instance.ok() ? "" : instance.error().message().c_str());
    std::vector<StageNews> news;
    const auto take = [&] {
        numberOfRun(*instance.value()); // The next run loads what was compiled.
        for (StageNews &one : instance.value()->takeNews())
            news.push_back(std::move(one));
        return news.size();
    };
    m_folder.write("grows.cu", rgbaKernel() + std::string(2 << 20, ' '));
    QTRY_VERIFY_WITH_TIMEOUT(take() > 0, 60'000);
    QVERIFY(news.front().kind == StageNews::Kind::Refused);
    QVERIFY2(news.front().text.ends_with("grows.cu' is larger than 1 MiB; the former kernel goes on"),
             news.front().text.c_str());
    m_folder.write("grows.cu", "");
    QFile::remove(QString::fromStdString(path));
    m_folder.write("grows.cu", rgbaKernel("out[3] = in[3];"));
    QTRY_VERIFY_WITH_TIMEOUT(take() > 1, 60'000);
    QCOMPARE(news.size(), std::size_t(2));
    QVERIFY2(news.back().kind == StageNews::Kind::Changed, news.back().text.c_str());
}

/// A stand-in says what it was asked for, and carries it out.
void TestKernelReload::theSanitizersCommandIsOffered()
{
    const StageAddress address{m_folder.write("writes.cu", rgbaKernel("out[4] = in[4];")), {}};
    const auto refusal = [&] {
        qputenv("JETSCOPE_FAKE_KERNEL_WRITES_MORE", "1");
        const Result<std::string> code = triedKernel(KernelSource::read(address).value(), address, kernelDevice());
        qunsetenv("JETSCOPE_FAKE_KERNEL_WRITES_MORE");
        return code.ok() ? QString() : QString::fromStdString(code.error().message());
    };
    const QByteArray path = qgetenv("PATH");
    const QString tools = m_folder.filePath("tools 'of' CUDA"); // What a shell takes apart.
    QVERIFY(QDir().mkpath(tools));
    const QString sanitizer = tools + "/compute-sanitizer";
    std::ofstream(sanitizer.toStdString()) << "#!/bin/sh\necho \"$1 $2\"\nshift 2\nexec \"$@\"\n";
    qputenv("PATH", tools.toUtf8() + ":" + path);
    QVERIFY2(!refusal().contains("compute-sanitizer --tool"), "it is no program yet");
    QVERIFY(QFile::setPermissions(sanitizer, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    const QString said = refusal();
    const QString head = "writes.cu: it wrote outside of its output; this shows the line: ";
    QVERIFY2(said.contains(head), qPrintable(said));
    QProcess shell;
    shell.start("/bin/sh", {"-c", said.mid(said.indexOf(head) + head.size())});
    QVERIFY(shell.waitForFinished(120'000));
    QCOMPARE(shell.readAllStandardOutput(), QByteArray("--tool memcheck\ngood\n"));
    QCOMPARE(shell.exitCode(), 0);
    qputenv("PATH", path);
    // What a save adds is no part of the command.
    const std::string saved = beforeSanitizerHint(said.toStdString(), "; the former kernel goes on");
    QVERIFY2(saved.find("its output; the former kernel goes on; this shows the line: ") != std::string::npos,
             saved.c_str());
    QCOMPARE(beforeSanitizerHint("it failed", "; added"), std::string("it failed; added"));
}

int main(int argc, char **argv)
{
    if (QFile::exists(qEnvironmentVariable(kHangVariable) + kWanted))
        return hangingTrial();
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc == 3 && argv[1] == std::string_view("--hanging"))
        return hangingProgram(argv[2]);
    if (argc == 3 && argv[1] == std::string_view("--hanging-between"))
        return hangingBetweenProgram(argv[2]);
    if (argc == 3 && argv[1] == std::string_view("--told"))
        return toldProgram(argv[2], true);
    if (argc == 3 && argv[1] == std::string_view("--told-in-vain"))
        return toldProgram(argv[2], false);
    if (argc == 3 && argv[1] == std::string_view("--queueing"))
        return queueingProgram(argv[2]);
    if (argc == 3 && argv[1] == std::string_view("--crowded"))
        return crowdedProgram(argv[2]);
    if (argc == 3 && argv[1] == std::string_view("--stopped"))
        return stoppedProgram(argv[2]);
    if (argc == 4 && argv[1] == std::string_view("--trying"))
        return tryingProgram(argv[2], argv[3]);
    QCoreApplication application(argc, argv);
    TestKernelReload test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_kernelreload.moc"
