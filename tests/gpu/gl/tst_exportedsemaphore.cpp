// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/context.h"
#include "gpu/gl/display.h"
#include "gpu/gl/exportedsemaphore.h"
#include "tests/support/gpufixture.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <numeric>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

using namespace jetscope;

/// Semaphores that Vulkan makes, with a library in its place that has the functions of a driver.
class TestExportedSemaphore : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void filesAreMadeAndTheDisplayGoesOn();
    void filesThatNobodyTookAreClosed();
    void whatFailsIsSaidAndLeavesNothing();

private:
    int (*m_objects)() = nullptr;
    void (*m_fail)(bool) = nullptr;
    ExportedSemaphore::Uuid m_gpu{};
};

void TestExportedSemaphore::initTestCase()
{
    // Its name within is that of Vulkan's loader, which therefore is not looked for later.
    void *const library = dlopen(JETSCOPE_FAKE_VULKAN, RTLD_NOW | RTLD_LOCAL);
    QVERIFY2(library, dlerror());
    m_objects = reinterpret_cast<int (*)()>(dlsym(library, "fakeVulkanObjects"));
    m_fail = reinterpret_cast<void (*)(bool)>(dlsym(library, "fakeVulkanFails"));
    QVERIFY(m_objects && m_fail);
    std::iota(m_gpu.begin(), m_gpu.end(), std::uint8_t{0});
}

/// A driver may end the display, and what its contexts have yet to do, where an instance is destroyed.
void TestExportedSemaphore::filesAreMadeAndTheDisplayGoesOn()
{
    const auto display = EglDisplay::openHeadless();
    JETSCOPE_VERIFY(display);
    const auto context = EglContext::create(display.value());
    JETSCOPE_VERIFY(context);
    JETSCOPE_VERIFY(context.value()->makeCurrent());
    for (int i = 0; i < 3; ++i) {
        const auto made = ExportedSemaphore::create(m_gpu);
        JETSCOPE_VERIFY(made);
        QVERIFY(made.value()->first() >= 0 && made.value()->second() >= 0);
        QVERIFY(made.value()->first() != made.value()->second());
        QVERIFY(display.value()->isInitialised());
        QCOMPARE(m_objects(), 0);
    }
}

void TestExportedSemaphore::filesThatNobodyTookAreClosed()
{
    auto made = ExportedSemaphore::create(m_gpu);
    JETSCOPE_VERIFY(made);
    const int taken = made.value()->first();
    const int left = made.value()->second();
    made.value()->taken(taken);
    made.value().reset();
    QVERIFY(fcntl(taken, F_GETFD) >= 0);
    QVERIFY(fcntl(left, F_GETFD) < 0);
    close(taken);
}

void TestExportedSemaphore::whatFailsIsSaidAndLeavesNothing()
{
    const auto other = ExportedSemaphore::create({});
    QVERIFY(!other.ok());
    QVERIFY(other.error().text.find("does not know this GPU") != std::string::npos);
    m_fail(true);
    const auto none = ExportedSemaphore::create(m_gpu);
    m_fail(false);
    QVERIFY(!none.ok());
    QCOMPARE(none.error().call, std::string("vkCreateSemaphore"));
    QCOMPARE(m_objects(), 0);
}

JETSCOPE_TEST(TestExportedSemaphore)
#include "tst_exportedsemaphore.moc"
