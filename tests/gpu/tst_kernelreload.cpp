// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// An own kernel while it runs: its file is saved, its runs take long or never end, and it goes. On a made-up driver.
#include "tests/gpu/kernelfixture.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>

#include <unistd.h>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

constexpr const char *kHangVariable = "JETSCOPE_TEST_TRIAL_HANGS"; ///< The file that a hanging trial makes.
constexpr int kUnharmed = 7;

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

/// In place of a trial: never ends by itself.
int hangingTrial()
{
    alarm(60);
    QFile file(qEnvironmentVariable(kHangVariable));
    if (!file.open(QIODevice::WriteOnly))
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
    void aKernelThatNeverEndsEndsTheProgram();
    void queuedRunsAreNotOverdue();

private:
    KernelFolder m_folder;
};

void TestKernelReload::initTestCase()
{
    if (const Result<NvrtcFile> nvrtc = findNvrtc(); !nvrtc.ok())
        QSKIP(nvrtc.error().text.c_str());
    kernelTools().driver = JETSCOPE_FAKE_DRIVER;
    setStageTrialTimeout(std::chrono::seconds(60)); // Machines are busy.
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
    const QString sign = m_folder.filePath("tried");
    qputenv(kHangVariable, sign.toUtf8());
    m_folder.write(name, rgbaKernel("out[1] = in[1];"));
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(sign), 60'000);
    qunsetenv(kHangVariable);
    QElapsedTimer time;
    time.start();
    instance.value().reset();
    QVERIFY2(time.elapsed() < 20'000, qPrintable(QString("%1 ms").arg(time.elapsed())));
}

void TestKernelReload::aKernelThatNeverEndsEndsTheProgram()
{
    const std::string path = m_folder.write("hangs.cu", rgbaKernel());
    QProcess program;
    program.start("/proc/self/exe", {"--hanging", QString::fromStdString(path)});
    QVERIFY(program.waitForFinished(120'000));
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 1);
    const QByteArray said = program.readAllStandardError();
    QVERIFY2(said.contains("hangs.cu has not ended within 200 ms"), said.constData());
}

void TestKernelReload::queuedRunsAreNotOverdue()
{
    const std::string path = m_folder.write("slow.cu", rgbaKernel());
    QProcess program;
    program.start("/proc/self/exe", {"--queueing", QString::fromStdString(path)});
    QVERIFY(program.waitForFinished(120'000));
    QVERIFY2(program.exitCode() == kUnharmed, program.readAllStandardError().constData());
}

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsSet(kHangVariable))
        return hangingTrial();
    if (const std::optional<int> trial = stageTrialIfAsked(argc, argv))
        return *trial;
    if (argc == 3 && argv[1] == std::string_view("--hanging"))
        return hangingProgram(argv[2]);
    if (argc == 3 && argv[1] == std::string_view("--queueing"))
        return queueingProgram(argv[2]);
    QCoreApplication application(argc, argv);
    TestKernelReload test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_kernelreload.moc"
