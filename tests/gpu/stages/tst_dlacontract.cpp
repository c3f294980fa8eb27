// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The calls of DLA stages in both modes: each failure is an error that leaves nothing behind, tasks end before what
// they use goes, what may still be used stays, and errors of the DLA are said (rules F1 and F2). Then that the made-up
// libraries find what stages must not do.
#include "core/time/clock.h"
#include "tests/support/dlaworld.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <fstream>
#include <thread>
#include <tuple>

using namespace jetscope;
using namespace jetscope::testing;

class TestDlaContract : public QObject {
    Q_OBJECT

private slots:
    void init();
    void cleanup();
    void everyFailureIsAnError_data();
    void everyFailureIsAnError();
    void semaphoresThatCudlaDoesNotTake();
    void tasksEndBeforeTheDeviceGoes_data() { modes(); }
    void tasksEndBeforeTheDeviceGoes();
    void whatMayBeInUseStays_data();
    void whatMayBeInUseStays();
    void aFailedTaskIsSaid_data() { modes(); }
    void aFailedTaskIsSaid();
    void workBeforeATaskIsNotItsTime_data() { modes(); }
    void workBeforeATaskIsNotItsTime();

private:
    static void modes();
    Result<DlaRun> open(const std::string &options)
    {
        const std::string path = m_folder.filePath("net.dla").toStdString();
        std::ofstream(path, std::ios::binary | std::ios::trunc) << kHeatLoadable;
        return DlaRun::open(path, options);
    }

    QTemporaryDir m_folder;
};

void TestDlaContract::modes()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("hybrid") << "?mode=hybrid";
    QTest::newRow("standalone") << "?mode=standalone";
}

void TestDlaContract::init()
{
    renewDlaWorld();
    dlaTools() = dlaWorld();
}

void TestDlaContract::cleanup()
{
    QCOMPARE(dlaWorldViolations(), QString());
}

namespace {

constexpr const char *kUmd = "cudlaErrorUmd: the DLA runtime failed";
constexpr const char *kCuda = "a made-up failure";

/// Fails as cudla..., NvSciBuf..., NvSciSync... or cu...
void failCall(const std::string &call)
{
    if (call.find("cudla") == 0)
        FAKE_DLA(fakeCudlaFail)(call.c_str());
    else if (call.find("NvSciBuf") == 0)
        FAKE_SCI(JETSCOPE_FAKE_NVSCIBUF, fakeSciFail)(call.c_str() + 8);
    else if (call.find("NvSciSync") == 0)
        FAKE_SCI(JETSCOPE_FAKE_NVSCISYNC, fakeSciFail)(call.c_str() + 9);
    else
        FAKE_CUDA(fakeExternalFail)(call.c_str());
}

} // namespace

void TestDlaContract::everyFailureIsAnError_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("call");
    QTest::addColumn<QString>("reason");
    const QString hybrid = "?mode=hybrid";
    const QString standalone = "?mode=standalone";
    const char *const parameter = "NvSciError_BadParameter";
    const char *const resource = "NvSciError_ResourceError: its drivers are not available";
    const char *const conflict = "NvSciError_ReconciliationFailed: CUDA and cuDLA need what no object has";
    const std::tuple<QString, const char *, const char *> rows[] = {
        {hybrid, "cudlaGetVersion", kUmd},
        {hybrid, "cudlaDeviceGetCount", kUmd},
        {hybrid, "cudlaCreateDevice", kUmd},
        {hybrid, "cudlaModuleLoadFromMemory", kUmd},
        {hybrid, "cudlaModuleGetAttributes", kUmd},
        {hybrid, "cuMemAlloc", kCuda},
        {hybrid, "cudlaMemRegister", kUmd},
        {hybrid, "cuEventRecord", kCuda},
        {hybrid, "cudlaSubmitTask", kUmd},
        {standalone, "cudlaCreateDevice", kUmd},
        {standalone, "NvSciBufCheckVersionCompatibility", parameter},
        {standalone, "NvSciSyncCheckVersionCompatibility", parameter},
        {standalone, "cuCtxGetDevice", kCuda},
        {standalone, "cuDeviceGetUuid", kCuda},
        {standalone, "NvSciBufModuleOpen", resource},
        {standalone, "NvSciSyncModuleOpen", resource},
        {standalone, "NvSciBufAttrListCreate", parameter},
        {standalone, "NvSciBufAttrListSetAttrs", parameter},
        {standalone, "NvSciBufAttrListReconcile", conflict},
        {standalone, "NvSciBufObjAlloc", resource},
        {standalone, "cudlaImportExternalMemory", kUmd},
        {standalone, "cuImportExternalMemory", kCuda},
        {standalone, "cuExternalMemoryGetMappedBuffer", kCuda},
        {standalone, "NvSciSyncAttrListCreate", parameter},
        {standalone, "cuDeviceGetNvSciSyncAttributes", kCuda},
        {standalone, "cudlaGetNvSciSyncAttributes", kUmd},
        {standalone, "NvSciSyncAttrListReconcile", conflict},
        {standalone, "NvSciSyncObjAlloc", resource},
        {standalone, "cudlaImportExternalSemaphore", kUmd},
        {standalone, "cuImportExternalSemaphore", kCuda},
        {standalone, "cuMemAlloc", kCuda},
        {standalone, "cuSignalExternalSemaphoresAsync", kCuda},
        {standalone, "cudlaSubmitTask", kUmd},
    };
    for (const auto &[options, call, reason] : rows)
        QTest::addRow("%s%s", call, qPrintable(options)) << options << QString(call) << QString(reason);
}

void TestDlaContract::everyFailureIsAnError()
{
    QFETCH(QString, options);
    QFETCH(QString, call);
    QFETCH(QString, reason);
    failCall(call.toStdString());
    Result<DlaRun> run = open(options.toStdString());
    const Status status = run.ok() ? run.value().frame(0, 3) : Status(run.error());
    QVERIFY(!status.ok());
    QCOMPARE(QString::fromStdString(status.error().call), call);
    QVERIFY2(QString::fromStdString(status.error().text).startsWith(reason), status.error().text.c_str());
    clearFailures();
    if (run.ok()) { // cuDLA does not recover from its errors.
        const Status later = run.value().frame(1, 3);
        QCOMPARE(later.ok(), !call.startsWith("cudla"));
        QVERIFY(later.ok() || later.error().text == status.error().text);
        run.value().instance.reset();
    }
    QCOMPARE(dlaWorldLive(), 0);
}

/// As CUDA of older releases and cuDLA agree.
void TestDlaContract::semaphoresThatCudlaDoesNotTake()
{
    FAKE_SCI(JETSCOPE_FAKE_NVSCISYNC, fakeSciPreferSemaphores)(true);
    Result<DlaRun> run = open("?mode=standalone");
    QVERIFY(run.ok());
    const Status status = run.value().frame(0, 3);
    QVERIFY(!status.ok() && status.error().call == "cudlaImportExternalSemaphore");
    QVERIFY2(status.error().text.find("cuDLA takes sync points") != std::string::npos, status.error().text.c_str());
    run.value().instance.reset();
    QCOMPARE(dlaWorldLive(), 0);
}

void TestDlaContract::tasksEndBeforeTheDeviceGoes()
{
    QFETCH(QString, options);
    Result<DlaRun> run = open(options.toStdString());
    QVERIFY(run.ok());
    for (const std::uintptr_t stream : {0, 1, 2}) // Default streams.
        QVERIFY(!run.value().frame(0, stream).ok());
    hangTasks();
    QVERIFY(run.value().frame(0, 3).ok());
    const int live = dlaWorldLive();
    QVERIFY(live >= 4);
    std::atomic<bool> isGone{false};
    std::thread destroyer([&] {
        run.value().instance.reset();
        isGone = true;
    });
    for (int look = 0; look < 100; ++look) { // Whatever happens first, the task is pending.
        std::this_thread::yield();
        QVERIFY(!isGone && dlaWorldLive() == live);
    }
    hangCuda(false);
    destroyer.join();
    QCOMPARE(dlaWorldLive(), 0);
}

void TestDlaContract::whatMayBeInUseStays_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("broken");
    QTest::addColumn<QString>("reason");
    QTest::newRow("the stream does not wait for the task") << "?mode=standalone"
                                                           << "wait"
                                                           << "a made-up failure";
    for (const char *mode : {"hybrid", "standalone"}) {
        QTest::addRow("its end is not marked, %s", mode) << QString("?mode=") + mode << "mark"
                                                         << "a made-up failure";
        QTest::addRow("CUDA fails, %s", mode) << QString("?mode=") + mode << "context"
                                              << "nothing says whether they have ended";
    }
}

void TestDlaContract::whatMayBeInUseStays()
{
    QFETCH(QString, options);
    QFETCH(QString, broken);
    QFETCH(QString, reason);
    Result<DlaRun> run = open(options.toStdString());
    QVERIFY(run.ok());
    QVERIFY(run.value().frame(0, 3).ok());
    const int live = dlaWorldLive();
    if (broken == "wait")
        failCall("cuWaitExternalSemaphoresAsync");
    else if (broken == "mark") // Behind the submission.
        FAKE_DLA(fakeCudlaOnTask)([] { failCall("cuEventRecord"); });
    else
        failEvents(700);
    Status status = run.value().frame(1, 3);
    if (broken == "context")
        run.value().instance->forgetStream(streamNumber(3));
    clearFailures();
    QCOMPARE(status.ok(), broken == "context"); // It is asynchronous.
    for (int again = 0; again < 2; ++again) {
        status = run.value().frame(2, 3);
        QVERIFY(!status.ok());
        QVERIFY2(QString::fromStdString(status.error().text).contains(reason), status.error().text.c_str());
    }
    run.value().instance->forgetStream(streamNumber(3));
    run.value().instance.reset();
    QCOMPARE(dlaWorldLive(), live);
}

/// Rule F2: in hybrid mode CUDA says that an external device failed, in standalone mode nothing does, and cuDLA has the
/// cause.
void TestDlaContract::aFailedTaskIsSaid()
{
    QFETCH(QString, options);
    Result<DlaRun> run = open(options.toStdString());
    QVERIFY(run.ok());
    StageInstance &instance = *run.value().instance;
    static_cast<void>(instance.takeNews());
    FAKE_DLA(fakeCudlaError)(0x40000006);
    if (options.contains("hybrid"))
        failEvents(911);
    QVERIFY(run.value().frame(0, 3).ok());
    std::vector<StageNews> news;
    const auto isSaid = [&] {
        for (const StageNews &each : instance.takeNews())
            news.push_back(each);
        return !news.empty();
    };
    QTRY_VERIFY(isSaid());
    failEvents(0);
    FAKE_DLA(fakeCudlaError)(0);
    QVERIFY2(news[0].text.find("net.dla on DLA 0: cudlaGetLastError: cudlaErrorDlaErrEngineTimeout") == 0,
             news[0].text.c_str());
    const Status later = run.value().frame(1, 3);
    QVERIFY(!later.ok() && later.error().call == "cudlaGetLastError");
    QVERIFY(instance.takeWork().empty());
    run.value().instance.reset();
    QCOMPARE(dlaWorldLive(), 0);
}

/// Long work of CUDA before a task is neither a hang of the DLA nor in the span of the task.
void TestDlaContract::workBeforeATaskIsNotItsTime()
{
    QFETCH(QString, options);
    dlaTools() = dlaWorld(std::chrono::milliseconds(20)); // Else this ends the program.
    Result<DlaRun> run = open(options.toStdString());
    QVERIFY(run.ok());
    const auto queries = FAKE_CUDA(fakeDriverQueries);
    hangCuda(true);
    const std::int64_t submittedNs = nowNs();
    QVERIFY(run.value().frame(0, 3).ok());
    const int before = queries();
    QTRY_VERIFY(queries() > before + 200); // Two for each look, which are a millisecond apart.
    const std::int64_t releasedNs = nowNs();
    hangCuda(false);
    std::vector<StageWork> work;
    const auto isDone = [&] {
        for (const StageWork &each : run.value().instance->takeWork())
            work.push_back(each);
        return work.size() == 1;
    };
    QTRY_VERIFY(isDone());
    QVERIFY2(work[0].endNs - work[0].startNs < (releasedNs - submittedNs) / 2 + (work[0].endNs - releasedNs),
             qPrintable(QString::number(work[0].endNs - work[0].startNs)));
}

JETSCOPE_TEST(TestDlaContract)
#include "tst_dlacontract.moc"
