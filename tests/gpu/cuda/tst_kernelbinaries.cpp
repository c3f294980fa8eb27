// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/kernels/kernelbinaries.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestKernelBinaries : public QObject {
    Q_OBJECT

private slots:
    void devicesOfABuild_data();
    void devicesOfABuild();
    void theReasonNamesBoth();
};

void TestKernelBinaries::devicesOfABuild_data()
{
    QTest::addColumn<QString>("architectures");
    QTest::addColumn<int>("capability");
    QTest::addColumn<bool>("integrated");
    QTest::addColumn<bool>("available");
    QTest::newRow("its own") << "87" << 87 << true << true;
    QTest::newRow("machine code only") << "75-real,87-real" << 87 << true << true;
    QTest::newRow("PTX only") << "90-virtual" << 90 << false << false;
    QTest::newRow("older minor version") << "80-real" << 86 << false << true;
    QTest::newRow("older minor version on Tegra") << "86-real" << 87 << true << false;
    QTest::newRow("newer minor version") << "89" << 86 << false << false;
    QTest::newRow("other major version") << "80,86,89" << 90 << false << false;
    QTest::newRow("two-digit major version") << "87-real,110" << 110 << true << true;
    QTest::newRow("architecture-specific") << "90a" << 90 << false << true;
    QTest::newRow("architecture-specific, newer device") << "120a" << 121 << false << false;
    QTest::newRow("nothing") << "" << 87 << true << false;
    QTest::newRow("words of CMake") << "native,all,," << 87 << true << false;
}

void TestKernelBinaries::devicesOfABuild()
{
    QFETCH(QString, architectures);
    QFETCH(int, capability);
    QFETCH(bool, integrated);
    DeviceFacts facts;
    facts.computeMajor = capability / 10;
    facts.computeMinor = capability % 10;
    facts.integrated = integrated;
    QTEST(kernelBinaries(architectures.toStdString(), facts).available, "available");
}

void TestKernelBinaries::theReasonNamesBoth()
{
    DeviceFacts facts;
    facts.computeMajor = 8;
    facts.computeMinor = 7;
    const Capability binaries = kernelBinaries("90-virtual", facts);
    QVERIFY(!binaries.available);
    QVERIFY(binaries.reason.find("8.7") != std::string::npos);
    QVERIFY(binaries.reason.find("90-virtual") != std::string::npos);
}

JETSCOPE_TEST(TestKernelBinaries)
#include "tst_kernelbinaries.moc"
