// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// If a device is lost to the process, Retry starts the program again with the current configuration.
#include "gpu/stages/stagetable.h"
#include "tests/support/fakewindow.h"
#include "tests/support/testprogram.h"
#include "ui/session/relaunch.h"
#include "ui/style/messagebar.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace jetscope;

class TestRelaunch : public QObject {
    Q_OBJECT
private slots:
    void argumentsSayEverything();
    void oneKernelCanBeLeftOut();
    void theReasonIsSaidOnce();
    void retryStartsTheProgramAgain();
    void aProgramThatCannotBeStartedIsExplained();
    void anotherFailureIsRetriedHere();

private:
    static void fail(FakeWindow &fake, bool deviceLost);
    static void pressRetry(FakeWindow &fake);
};

void TestRelaunch::argumentsSayEverything()
{
    SessionRequest request;
    request.source = "file:a b.avi";
    request.deviceId = "cuda:1";
    request.config.memory = MemoryKind::ZeroCopy;
    request.config.filters = {Filter::Sobel, Filter::Invert};
    request.frameLimit = 7;
    const QStringList arguments = relaunchArguments(request);
    const auto valueOf = [&](const char *option) {
        return arguments.value(arguments.indexOf(QLatin1String(option)) + 1);
    };
    QCOMPARE(valueOf("--source"), QStringLiteral("file:a b.avi"));
    QCOMPARE(valueOf("--device"), QStringLiteral("cuda:1"));
    QCOMPARE(valueOf("--memory"), QStringLiteral("zero-copy"));
    QCOMPARE(valueOf("--filters"), QStringLiteral("sobel,invert"));
    QCOMPARE(valueOf("--frames"), QStringLiteral("7"));
    // A window opened with these arguments has the same configuration.
    PipelineConfig again;
    for (const auto &[key, value] : settingsOf(request.config))
        QVERIFY(applySetting(again, key, value).ok());
    QVERIFY(again == request.config);
}

/// An own kernel that never ends.
void TestRelaunch::oneKernelCanBeLeftOut()
{
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a.cu").toStdString();
    const std::string other = folder.filePath("a.cuh.cu").toStdString();
    for (const std::string &each : {file, other})
        std::ofstream(each) << "__global__ void jetscope_filter() {}\n";
    const std::string names = "sobel,cu:" + file + ",cu:" + other + ",cu:" + file + "?STRENGTH=2";
    SessionRequest request;
    QVERIFY(addStages(names).ok() && applySetting(request.config, "filters", names).ok());
    request.source = "test:";
    const SessionRequest without = withoutKernel(request, file);
    QCOMPARE(filterNames(without.config.filters), "sobel,cu:" + other);
    QCOMPARE(without.source, request.source);
}

void TestRelaunch::theReasonIsSaidOnce()
{
    QCOMPARE(takeRelaunchReason(), QString());
    qputenv("JETSCOPE_STARTED_AGAIN", "The kernel has not ended.");
    QCOMPARE(takeRelaunchReason(), QStringLiteral("The kernel has not ended."));
    QVERIFY(!qEnvironmentVariableIsSet("JETSCOPE_STARTED_AGAIN"));
}

void TestRelaunch::fail(FakeWindow &fake, bool deviceLost)
{
    fake.pipeline().state.state = PipelineState::Failed;
    fake.pipeline().notice(PipelineNotice::Kind::Failed, "the GPU has stopped");
    fake.pipeline().update.notices.back().deviceLost = deviceLost;
    fake.poll();
}

void TestRelaunch::pressRetry(FakeWindow &fake)
{
    for (QPushButton *each : fake.window().messages()->findChildren<QPushButton *>())
        QTest::mouseClick(each, Qt::LeftButton);
}

void TestRelaunch::retryStartsTheProgramAgain()
{
    FakeWindow fake;
    fake.window().show();
    QVERIFY(fake.open());
    PipelineConfig config = fake.window().session().wanted();
    config.memory = MemoryKind::ZeroCopy;
    fake.window().session().change(config);
    const std::size_t opened = fake.requests.size();
    fail(fake, true);
    pressRetry(fake);
    QCOMPARE(fake.relaunched.size(), std::size_t(1));
    QCOMPARE(fake.relaunched.front().deviceId, fake.pipeline().state.facts.id);
    QVERIFY(fake.relaunched.front().config.memory == MemoryKind::ZeroCopy);
    QCOMPARE(fake.requests.size(), opened); // Not opened again in this process.
}

void TestRelaunch::aProgramThatCannotBeStartedIsExplained()
{
    FakeWindow fake;
    fake.window().show();
    QVERIFY(fake.open());
    fake.relaunches = false;
    fail(fake, true);
    pressRetry(fake);
    QVERIFY(fake.window().messages()->text().contains(QStringLiteral("start it by hand")));
}

void TestRelaunch::anotherFailureIsRetriedHere()
{
    FakeWindow fake;
    fake.window().show();
    QVERIFY(fake.open());
    fail(fake, false);
    QSignalSpy opened(&fake.window().session(), &Session::opened); // The opening thread uses the fake until then.
    pressRetry(fake);
    QTRY_COMPARE(opened.count(), 1);
    QCOMPARE(fake.requests.size(), std::size_t(2));
    QVERIFY(fake.window().session().phase() == Session::Phase::Open);
    QVERIFY(fake.relaunched.empty());
}

JETSCOPE_TEST(TestRelaunch)
#include "tst_relaunch.moc"
