// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// A failed kernel destroys the CUDA context of its process. Each case runs in its own child process: it must report a
// clear message without a crash or a hang, and the software iGPU must still work in that process.
#include "tests/support/gpufixture.h"

#include "gpu/pipeline/pipeline.h"
#include "tests/cuda/trapkernel.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QProcess>

#include <cstdio>
#include <functional>

using namespace jetscope;

namespace {

constexpr const char *kChild = "--child";

/// Prints why a child case failed and returns its exit code.
int failed(const std::string &why)
{
    std::fprintf(stderr, "%s\n", why.c_str());
    return 1;
}

bool namesTheRemedy(const std::string &message)
{
    return message.find("start Jetscope again") != std::string::npos;
}

int softDeviceStillWorks()
{
    Result<std::unique_ptr<Device>> soft = openDevice("soft:orin", nullptr);
    if (!soft.ok())
        return failed(soft.error().message());
    Result<std::unique_ptr<Stream>> stream = soft.value()->createStream();
    if (!stream.ok())
        return failed(stream.error().message());
    const Status done = soft.value()->synchronize(*stream.value());
    return done.ok() ? 0 : failed(done.error().message());
}

int deviceCase()
{
    {
        Result<std::unique_ptr<Device>> opened = openDevice("cuda:0", nullptr);
        if (!opened.ok())
            return failed(opened.error().message());
        Device &device = *opened.value();
        const auto stream = device.createStream();
        const auto memory = device.allocate(Allocation::Device, 4096);
        const auto event = device.createEvent(Device::Timing::Off);
        if (!stream.ok() || !memory.ok() || !event.ok() || !testing::launchTrapKernel())
            return failed("the case could not be set up");
        const Status first = device.synchronize();
        if (first.ok() || !namesTheRemedy(first.error().message()))
            return failed("the dead kernel was not reported: " + (first.ok() ? "success" : first.error().message()));
        const auto later = device.allocate(Allocation::Device, 4096);
        if (later.ok() || !namesTheRemedy(later.error().message()))
            return failed("a later call went on as if nothing had happened");
    }
    const auto again = openDevice("cuda:0", nullptr);
    if (again.ok() || !namesTheRemedy(again.error().message()))
        return failed("the device was opened again in a process that lost it");
    return softDeviceStillWorks();
}

PipelineSetup setupFor(const std::string &deviceId, SyncMode sync)
{
    PipelineSetup setup;
    setup.display = testing::headlessDisplay();
    setup.deviceId = deviceId;
    setup.source = openSource("synthetic:?size=320x240", Pacing::Unpaced).value();
    setup.config.output = OutputKind::CopyBack;
    setup.config.sync = sync;
    setup.config.filters = {Filter::Gaussian5};
    return setup;
}

PipelineNotice failureOf(Pipeline &pipeline)
{
    for (const PipelineNotice &notice : pipeline.drainUpdates().notices)
        if (notice.kind == PipelineNotice::Kind::Failed)
            return notice;
    return {};
}

bool waitFor(const std::function<bool()> &condition)
{
    QElapsedTimer timer;
    timer.start();
    while (!condition() && timer.elapsed() < 20'000)
        QThread::msleep(1);
    return condition();
}

int pipelineCase(SyncMode sync)
{
    {
        Result<std::unique_ptr<Pipeline>> pipeline = Pipeline::create(setupFor("cuda:0", sync));
        if (!pipeline.ok())
            return failed(pipeline.error().message());
        if (!waitFor([&] { return pipeline.value()->status().frames >= 10; }))
            return failed("the pipeline did not start");
        if (!testing::launchTrapKernel())
            return failed("the trap could not be launched");
        pipeline.value()->waitForEnd();
        if (pipeline.value()->status().state != PipelineState::Failed)
            return failed("the pipeline did not fail");
        const PipelineNotice failure = failureOf(*pipeline.value());
        if (!namesTheRemedy(failure.text))
            return failed("the notice does not name the remedy: " + failure.text);
        if (!failure.deviceLost)
            return failed("the notice does not say that the device is lost");
        // The user continues with another device in the same window.
        const std::uint64_t before = pipeline.value()->status().frames;
        pipeline.value()->changeDevice("soft:orin", pipeline.value()->status().config);
        if (!waitFor([&] { return pipeline.value()->status().frames > before + 5; }))
            return failed("the software iGPU did not take over");
    }
    PipelineSetup setup = setupFor("soft:orin", sync);
    setup.frameLimit = 20;
    Result<std::unique_ptr<Pipeline>> soft = Pipeline::create(std::move(setup));
    if (!soft.ok())
        return failed(soft.error().message());
    soft.value()->waitForEnd();
    return soft.value()->status().state == PipelineState::Ended ? 0 : failed(failureOf(*soft.value()).text);
}

} // namespace

class TestStickyError : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void theDeviceEndsCleanly();
    void thePipelineEndsCleanly_data();
    void thePipelineEndsCleanly();

private:
    void runChild(const QString &which);
};

void TestStickyError::initTestCase()
{
    for (const DeviceCandidate &candidate : listDevices())
        if (candidate.id == "cuda:0" && !candidate.usable.available)
            QSKIP(candidate.usable.reason.c_str());
}

void TestStickyError::runChild(const QString &which)
{
    QProcess child;
    child.setProcessChannelMode(QProcess::MergedChannels);
    child.start(QCoreApplication::applicationFilePath(), {QLatin1String(kChild), which});
    const bool ended = child.waitForFinished(60'000);
    const QByteArray output = child.readAll();
    if (!ended)
        child.kill();
    QVERIFY2(ended, "the child hung: " + output);
    QCOMPARE(child.exitStatus(), QProcess::NormalExit);
    QVERIFY2(child.exitCode() == 0, output);
}

void TestStickyError::theDeviceEndsCleanly()
{
    runChild(QStringLiteral("device"));
}

void TestStickyError::thePipelineEndsCleanly_data()
{
    QTest::addColumn<QString>("sync");
    for (const char *sync : {"finish", "stream", "event", "poll", "callback"})
        QTest::newRow(sync) << QString::fromLatin1(sync);
}

void TestStickyError::thePipelineEndsCleanly()
{
    QString why;
    if (!testing::headlessDisplay(&why))
        QSKIP(qPrintable(why));
    QFETCH(QString, sync);
    runChild(sync);
}

int main(int argc, char **argv)
{
    const QCoreApplication application(argc, argv);
    if (argc > 2 && std::string_view(argv[1]) == kChild) {
        const std::optional<SyncMode> sync = choiceByName<SyncMode>(argv[2]);
        return sync ? pipelineCase(*sync) : deviceCase();
    }
    TestStickyError test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_stickyerror.moc"
