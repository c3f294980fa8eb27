// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/backends.h"
#include "gpu/egl/display.h"

#include <QString>
#include <QTest>

#include <memory>
#include <string>
#include <vector>

namespace jetscope::testing {

/// The EGL display of all tests of one program; null (with the reason in `why`) where there is none.
inline std::shared_ptr<EglDisplay> headlessDisplay(QString *why = nullptr)
{
    static const Result<std::shared_ptr<EglDisplay>> display = EglDisplay::openHeadless();
    if (display.ok())
        return display.value();
    if (why)
        *why = QString::fromStdString(display.error().message());
    return nullptr;
}

/// Every device that this machine can open: the software iGPU with each board's rules, and CUDA devices where there are any.
inline std::vector<std::string> usableDevices()
{
    std::vector<std::string> ids;
    for (const DeviceCandidate &candidate : listDevices())
        if (candidate.usable.available)
            ids.push_back(candidate.id);
    return ids;
}

/// The software iGPU with one board's rules, and every real GPU: for tests of what all boards have in common.
inline std::vector<std::string> representativeDevices()
{
    std::vector<std::string> ids;
    for (const std::string &id : usableDevices())
        if (id == "soft:orin" || id.rfind("soft:", 0) != 0)
            ids.push_back(id);
    return ids;
}

/// For initTestCase_data: runs every test once for each of these devices.
inline void addDeviceRows(const std::vector<std::string> &ids)
{
    QTest::addColumn<QString>("device");
    for (const std::string &id : ids)
        QTest::newRow(id.c_str()) << QString::fromStdString(id);
}

/// What a device can do; nothing where it cannot be opened.
inline DeviceFacts factsOf(const std::string &id)
{
    const Result<std::unique_ptr<Device>> device = openDevice(id, headlessDisplay());
    return device.ok() ? device.value()->facts() : DeviceFacts();
}

} // namespace jetscope::testing

/// Fails the test with the error's message.
#define JETSCOPE_VERIFY(expression)                                                                                            \
    do {                                                                                                                       \
        const auto &jetscopeResult = (expression);                                                                             \
        QVERIFY2(jetscopeResult.ok(), jetscopeResult.ok() ? "" : jetscopeResult.error().message().c_str());                     \
    } while (false)
