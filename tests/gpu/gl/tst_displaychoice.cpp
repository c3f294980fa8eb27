// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Which GPU is selected, which display belongs to it, and what a display of another GPU costs.
#include "gpu/device/backends.h"
#include "gpu/gl/api.h"
#include "gpu/gl/context.h"
#include "gpu/gl/display.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestDisplayChoice : public QObject {
    Q_OBJECT

private slots:
    void theWantedCudaDeviceIsTriedFirst();
    void withoutAWishTheOrderIsTheDrivers();
    void imagesAreSharedOnOneGpuOnly_data();
    void imagesAreSharedOnOneGpuOnly();
    void anIntegratedGpuIsBest();
    void whatCannotBeUsedIsNotTaken();
    void idsOfNoCudaDeviceOpenTheDriversFirstDisplay();
    void aDisplayThatOthersEndedIsUsableAgain();
};

void TestDisplayChoice::theWantedCudaDeviceIsTriedFirst()
{
    // A server: EGL lists its GPUs in another order than CUDA, followed by a software rasteriser.
    const std::vector<std::optional<int>> devices = {2, 0, 1, std::nullopt};
    QCOMPARE(headlessOrder(devices, 1), (std::vector<std::size_t>{2, 0, 1, 3}));
    QCOMPARE(headlessOrder(devices, 0), (std::vector<std::size_t>{1, 0, 2, 3}));
    // A device without an EGL device: any display is better than none.
    QCOMPARE(headlessOrder(devices, 7), (std::vector<std::size_t>{0, 1, 2, 3}));
    QVERIFY(headlessOrder({}, 0).empty());
}

void TestDisplayChoice::withoutAWishTheOrderIsTheDrivers()
{
    QCOMPARE(headlessOrder({std::nullopt, 1, 0}, std::nullopt), (std::vector<std::size_t>{0, 1, 2}));
}

void TestDisplayChoice::imagesAreSharedOnOneGpuOnly_data()
{
    QTest::addColumn<QString>("vendor");
    QTest::addColumn<bool>("known");
    QTest::addColumn<int>("displayDevice"); // -1: none.
    QTest::addColumn<QString>("reason");    // Empty: available.
    QTest::newRow("the same GPU") << "NVIDIA" << true << 1 << "";
    QTest::newRow("a driver that does not say") << "NVIDIA" << false << -1 << "";
    QTest::newRow("another GPU") << "NVIDIA" << true << 0 << "is on cuda:0";
    QTest::newRow("a GPU without CUDA") << "NVIDIA" << true << -1 << "that CUDA does not support";
    QTest::newRow("another vendor") << "Mesa Project" << true << -1 << "by Mesa Project";
}

void TestDisplayChoice::imagesAreSharedOnOneGpuOnly()
{
    QFETCH(QString, vendor);
    QFETCH(bool, known);
    QFETCH(int, displayDevice);
    QFETCH(QString, reason);
    const DisplayGpu gpu{known, displayDevice < 0 ? std::nullopt : std::optional(displayDevice)};
    const Capability shared = canShareImages(vendor.toStdString(), "renderer", gpu, 1);
    QCOMPARE(shared.available, reason.isEmpty());
    QVERIFY2(QString::fromStdString(shared.reason).contains(reason), shared.reason.c_str());
}

void TestDisplayChoice::anIntegratedGpuIsBest()
{
    DeviceCandidate card{"cuda:0", "card", Capability::yes()};
    DeviceCandidate integrated{"cuda:1", "integrated", Capability::yes(), true};
    const DeviceCandidate soft{"other:1", "software", Capability::yes(), true, true};
    QCOMPARE(bestDeviceId({card, integrated, soft}), std::string("cuda:1"));
    QCOMPARE(bestDeviceId({soft, card}), std::string("cuda:0"));
    QCOMPARE(bestDeviceId({soft}), std::string("soft:orin"));
    QCOMPARE(bestDeviceId({card, {"cuda:1", "another", Capability::yes()}}), std::string("cuda:0"));
}

void TestDisplayChoice::whatCannotBeUsedIsNotTaken()
{
    const DeviceCandidate broken{"cuda:0", "card", Capability::no("no driver"), true};
    QCOMPARE(bestDeviceId({broken, {"cuda:1", "card", Capability::yes()}}), std::string("cuda:1"));
    QCOMPARE(bestDeviceId({broken}), std::string("soft:orin"));
    QCOMPARE(bestDeviceId({}), std::string("soft:orin"));
}

/// As without a wish: there is one object for a display.
void TestDisplayChoice::idsOfNoCudaDeviceOpenTheDriversFirstDisplay()
{
    const auto first = EglDisplay::openHeadless();
    QVERIFY2(first.ok(), first.ok() ? "" : first.error().text.c_str());
    for (const char *id : {"cuda:", "cuda:x", "cuda:-1", "cuda:99999999999999999999", "soft:orin", ""}) {
        const auto display = openHeadlessDisplay(id);
        QVERIFY2(display.ok() && display.value() == first.value(), id);
    }
}

/// Libraries that use EGL themselves may end the display of the whole process.
void TestDisplayChoice::aDisplayThatOthersEndedIsUsableAgain()
{
    const auto display = EglDisplay::openHeadless();
    QVERIFY2(display.ok(), display.ok() ? "" : display.error().text.c_str());
    QVERIFY(display.value()->isInitialised());
    QVERIFY(EglContext::create(display.value()).ok());
    QVERIFY(eglTerminate(display.value()->native()));
    QVERIFY(!display.value()->isInitialised());
    QVERIFY(!EglContext::create(display.value()).ok());
    QVERIFY(display.value()->initialiseAgain().ok());
    QVERIFY(display.value()->isInitialised());
    const auto context = EglContext::create(display.value());
    QVERIFY(context.ok() && context.value()->makeCurrent().ok());
}

JETSCOPE_TEST(TestDisplayChoice)
#include "tst_displaychoice.moc"
