// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/cpumodel.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;

class TestCpuModel : public QObject {
    Q_OBJECT

private slots:
    void names_data()
    {
        QTest::addColumn<QByteArray>("cpuinfo");
        QTest::addColumn<QByteArray>("board");
        QTest::addColumn<QByteArray>("name");
        const QByteArray orin("processor\t: 0\nBogoMIPS\t: 62.50\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                              "CPU variant\t: 0x0\nCPU part\t: 0xd42\nCPU revision\t: 1\n");
        QTest::newRow("x86") << QByteArray("processor\t: 0\nmodel name\t: AMD EPYC 9B14\n") << QByteArray()
                             << QByteArray("AMD EPYC 9B14");
        QTest::newRow("x86 with a board model")
            << QByteArray("model name\t: Some CPU\n") << QByteArray("Some Board") << QByteArray("Some CPU");
        QTest::newRow("Jetson") << orin << QByteArray("NVIDIA Jetson AGX Orin Developer Kit")
                                << QByteArray("NVIDIA Jetson AGX Orin Developer Kit");
        QTest::newRow("known core") << orin << QByteArray() << QByteArray("Arm Cortex-A78AE");
        QTest::newRow("unknown core") << QByteArray("CPU implementer : 0x61\nCPU part : 0x022") << QByteArray()
                                      << QByteArray("an Arm CPU (implementer 0x61, part 0x022)");
        QTest::newRow("half a core") << QByteArray("CPU implementer\t: 0x41\n") << QByteArray()
                                     << QByteArray("this CPU");
        QTest::newRow("other key") << QByteArray("model name of something: X\n") << QByteArray()
                                   << QByteArray("this CPU");
        QTest::newRow("no value") << QByteArray("model name\nmodel name\t:\nCPU part") << QByteArray()
                                  << QByteArray("this CPU");
        QTest::newRow("nothing") << QByteArray() << QByteArray() << QByteArray("this CPU");
    }
    void names()
    {
        QFETCH(QByteArray, cpuinfo);
        QFETCH(QByteArray, board);
        QFETCH(QByteArray, name);
        QCOMPARE(QByteArray::fromStdString(cpuModelOf(cpuinfo.toStdString(), board.toStdString())), name);
    }
};

JETSCOPE_TEST(TestCpuModel)
#include "tst_cpumodel.moc"
