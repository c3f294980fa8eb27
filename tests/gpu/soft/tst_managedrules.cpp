// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The software iGPU's access rules for managed memory (rules A1 to A5): legal accesses report nothing, illegal ones
// are reported and allowed.
#include "tests/support/gpufixture.h"

#include "gpu/device/device.h"
#include "gpu/soft/profile.h"
#include "tests/support/workgate.h"

#include <QCoreApplication>

#include <csignal>
#include <cstring>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace jetscope;

class TestManagedRules : public QObject {
    Q_OBJECT

private slots:
    void initTestCase_data();
    void init();

    void touchingAfterALaunchIsAViolation();
    void touchingAfterSynchronizingIsLegal_data();
    void touchingAfterSynchronizingIsLegal();
    void hostAttachedMemoryMayBeTouchedWhileKernelsRun();
    void attachingToTheHostCountsOnceItIsObserved();
    void memoryOfOneStreamDoesNotCareForAnother();
    void newMemoryIsGlobal();
    void systemCallsFailInsteadOfFaulting();
    void otherFaultsStillKill();

private:
    void launchOn(Stream &stream, Buffer &input);
    bool enforced() const { return !m_device->facts().concurrentManagedAccess; }
    QStringList rulesBroken();

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
    std::unique_ptr<Buffer> m_managed;
    std::unique_ptr<Buffer> m_output;
};

void TestManagedRules::initTestCase_data()
{
    QTest::addColumn<QString>("device");
    for (const SoftProfile &profile : softProfiles())
        QTest::newRow(std::string(profile.name).c_str()) << QString::fromStdString("soft:" + std::string(profile.name));
}

void TestManagedRules::init()
{
    QFETCH_GLOBAL(QString, device);
    m_stream.reset(); // Waits for its work, which uses the memory.
    m_managed.reset();
    m_output.reset();
    Result<std::unique_ptr<Device>> opened = openDevice(device.toStdString(), nullptr);
    JETSCOPE_VERIFY(opened);
    m_device = std::move(opened).value();
    m_stream = std::move(m_device->createStream()).value();
    m_managed = std::move(m_device->allocate(Allocation::Managed, 1 << 16)).value();
    m_output = std::move(m_device->allocate(Allocation::Device, 1 << 16)).value();
}

void TestManagedRules::launchOn(Stream &stream, Buffer &input)
{
    ChainLaunch launch;
    launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, 16, 16);
    launch.input = wholeOf(input);
    launch.output = wholeOf(*m_output);
    launch.outputPitch = 64;
    JETSCOPE_VERIFY(m_device->launch(launch, stream));
}

QStringList TestManagedRules::rulesBroken()
{
    QStringList rules;
    for (const Hazard &hazard : m_device->takeHazards()) {
        if (hazard.text.empty())
            rules << "a hazard without its reason";
        rules << QString::fromUtf8(ruleOf(hazard.rule).name.data(), ruleOf(hazard.rule).name.size());
    }
    return rules;
}

void TestManagedRules::touchingAfterALaunchIsAViolation()
{
    std::memset(m_managed->host(), 7, m_managed->bytes());
    QCOMPARE(rulesBroken(), QStringList());
    launchOn(*m_stream, *m_managed);
    m_managed->host()[5] = std::byte{9}; // Without a synchronization.
    QCOMPARE(rulesBroken(), enforced() ? QStringList{"A1"} : QStringList());
    QCOMPARE(m_managed->host()[5], std::byte{9}); // The access was allowed.
    launchOn(*m_stream, *m_managed);
    const volatile std::byte seen = m_managed->host()[6]; // The launch protected it again; reads are illegal too.
    static_cast<void>(seen);
    QCOMPARE(rulesBroken(), enforced() ? QStringList{"A1"} : QStringList());
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestManagedRules::touchingAfterSynchronizingIsLegal_data()
{
    QTest::addColumn<int>("how");
    QTest::newRow("device") << 0;
    QTest::newRow("stream") << 1;
    QTest::newRow("event") << 2;
    QTest::newRow("query") << 3;
}

void TestManagedRules::touchingAfterSynchronizingIsLegal()
{
    QFETCH(int, how);
    launchOn(*m_stream, *m_managed);
    const std::unique_ptr<Event> event = std::move(m_device->createEvent(Device::Timing::Off)).value();
    JETSCOPE_VERIFY(m_device->record(*event, *m_stream));
    if (how == 0)
        JETSCOPE_VERIFY(m_device->synchronize());
    else if (how == 1)
        JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    else if (how == 2)
        JETSCOPE_VERIFY(m_device->synchronize(*event));
    else
        QTRY_VERIFY(m_device->query(*event).value());
    std::memset(m_managed->host(), 1, m_managed->bytes());
    QCOMPARE(rulesBroken(), QStringList());
}

void TestManagedRules::hostAttachedMemoryMayBeTouchedWhileKernelsRun()
{
    const std::unique_ptr<Buffer> mine = std::move(m_device->allocate(Allocation::Managed, 4096)).value();
    JETSCOPE_VERIFY(m_device->attach(*mine, Attach::Host, *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    launchOn(*m_stream, *m_managed);
    std::memset(mine->host(), 1, mine->bytes());
    QCOMPARE(rulesBroken(), QStringList());
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestManagedRules::attachingToTheHostCountsOnceItIsObserved()
{
    JETSCOPE_VERIFY(m_device->attach(*m_managed, Attach::Single, *m_stream));
    launchOn(*m_stream, *m_managed);
    JETSCOPE_VERIFY(m_device->attach(*m_managed, Attach::Host, *m_stream));
    m_managed->host()[0] = std::byte{1}; // Rule A4: the attach is stream-ordered and was not waited for.
    QCOMPARE(rulesBroken(), enforced() ? QStringList{"A1"} : QStringList());
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    std::memset(m_managed->host(), 1, m_managed->bytes());
    QCOMPARE(rulesBroken(), QStringList());
}

void TestManagedRules::memoryOfOneStreamDoesNotCareForAnother()
{
    const std::unique_ptr<Stream> other = std::move(m_device->createStream()).value();
    JETSCOPE_VERIFY(m_device->attach(*m_managed, Attach::Single, *m_stream));
    JETSCOPE_VERIFY(m_device->synchronize(*m_stream));
    const std::unique_ptr<Buffer> theirs = std::move(m_device->allocate(Allocation::Device, 4096)).value();
    launchOn(*other, *theirs);
    std::memset(m_managed->host(), 1, m_managed->bytes());
    QCOMPARE(rulesBroken(), QStringList());
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestManagedRules::newMemoryIsGlobal()
{
    testing::WorkGate gate;
    JETSCOPE_VERIFY(m_device->launchHost(*m_stream, gate.work()));
    launchOn(*m_stream, *m_managed);
    const std::unique_ptr<Buffer> fresh = std::move(m_device->allocate(Allocation::Managed, 4096)).value();
    fresh->host()[0] = std::byte{1}; // Rule A3: unrelated work in flight already forbids it.
    QCOMPARE(rulesBroken(), enforced() ? QStringList{"A1"} : QStringList());
    gate.open();
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestManagedRules::systemCallsFailInsteadOfFaulting()
{
    launchOn(*m_stream, *m_managed);
    int ends[2];
    QCOMPARE(pipe(ends), 0);
    const ssize_t written = write(ends[1], m_managed->host(), 16);
    QCOMPARE(written, enforced() ? ssize_t(-1) : ssize_t(16));
    if (enforced())
        QCOMPARE(errno, EFAULT);
    close(ends[0]);
    close(ends[1]);
    JETSCOPE_VERIFY(m_device->synchronize());
}

void TestManagedRules::otherFaultsStillKill()
{
    const pid_t child = fork();
    if (child == 0) {
        void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        *static_cast<volatile char *>(page) = 1;
        _exit(0); // Not reached.
    }
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    // By the signal, or by a sanitizer's report.
    QVERIFY(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
}

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    TestManagedRules test;
    // This test causes faults on purpose; Qt Test's own handler would report them as crashes.
    return QTest::qExec(&test, application.arguments() << "-nocrashhandler");
}

#include "tst_managedrules.moc"
