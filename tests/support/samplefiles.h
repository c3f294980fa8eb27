// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakewindow.h"

#include <QFile>
#include <QTest>

namespace jetscope {

/// A capture with frames, written by a window of its own.
inline bool writeCapture(const QString &path, std::uint32_t frames)
{
    FakeWindow fake;
    fake.window().show();
    if (!fake.open())
        return false;
    scriptFrames(fake.pipeline(), 0, frames);
    fake.poll();
    fake.chosenPath = path;
    fake.window().actions().save->trigger();
    return QTest::qWaitFor([&] { return !fake.window().files().job().isRunning() && QFile::exists(path); });
}

/// A Chrome trace with long names and without frames.
inline bool writeChromeTrace(const QString &path)
{
    QByteArray events;
    for (int i = 0; i < 200; ++i)
        events +=
            QStringLiteral("%1{\"ph\":\"X\",\"pid\":%2,\"tid\":%3,\"ts\":%4,\"dur\":%5,\"cat\":\"kernel\",\"name\":"
                           "\"void at::native::vectorized_elementwise_kernel<4, number%6>(int, float*)\"}")
                .arg(i ? QStringLiteral(",\n") : QString())
                .arg(7 + i % 2)
                .arg(40 + i % 3)
                .arg(1000 + i * 50)
                .arg(20 + i % 20)
                .arg(i % 9)
                .toLatin1();
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write("{\"traceEvents\":[" + events + "]}") > 0;
}

/// Two minutes of tegrastats on an AGX Orin.
inline bool writeBoardLog(const QString &path)
{
    QByteArray text;
    for (int i = 0; i < 120; ++i)
        text += QStringLiteral("11-24-2025 14:%1:%2 RAM %3/62841MB (lfb 4x4MB) CPU [%4%@2201,10%@2201,off] EMC_FREQ "
                               "3%@3199 GR3D_FREQ 99%@[%5] cpu@%6C tj@%6C PMIC@100C VDD_GPU_SOC 20000mW/20000mW "
                               "VDD_CPU_CV 8000mW/8000mW VIN_SYS_5V0 %7mW/10000mW\n")
                    .arg(30 + i / 60, 2, 10, QLatin1Char('0'))
                    .arg(i % 60, 2, 10, QLatin1Char('0'))
                    .arg(7000 + i)
                    .arg(i % 50)
                    .arg(i >= 60 && i < 80 ? 816 : 1300)
                    .arg(i >= 60 && i < 80 ? 98 : 70)
                    .arg(i == 30 ? 14000 : 10000)
                    .toLatin1();
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
}

} // namespace jetscope
