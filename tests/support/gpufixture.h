// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/backends.h"
#include "gpu/gl/display.h"
#include "tests/support/longrun.h"

#include <QString>
#include <QTest>

#include <algorithm>
#include <dlfcn.h>
#include <link.h>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope::testing {

/// Keeps GL drivers loaded until the program ends: after unloading, a leak check would report memory that is reachable
/// from their globals.
inline void keepDriversLoaded()
{
    const auto keep = [](dl_phdr_info *library, std::size_t, void *) {
        if (std::string_view(library->dlpi_name).find("_dri.so") != std::string_view::npos)
            dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
        return 0;
    };
    dl_iterate_phdr(keep, nullptr);
}

/// EGL display for tests without GL interop, one per program; null (with the reason in `why`) if there is none.
inline std::shared_ptr<EglDisplay> headlessDisplay(QString *why = nullptr)
{
    static const Result<std::shared_ptr<EglDisplay>> display = [] {
        Result<std::shared_ptr<EglDisplay>> opened = EglDisplay::openHeadless();
        keepDriversLoaded();
        return opened;
    }();
    if (display.ok())
        return display.value();
    if (why)
        *why = QString::fromStdString(display.error().message());
    return nullptr;
}

/// EGL display on a device's own GPU, kept for the whole program; null (with the reason in `why`) if there is none.
inline std::shared_ptr<EglDisplay> displayOf(const std::string &deviceId, QString *why = nullptr)
{
    static std::map<std::string, std::shared_ptr<EglDisplay>> displays;
    std::shared_ptr<EglDisplay> &display = displays[deviceId];
    if (display)
        return display;
    const Result<std::shared_ptr<EglDisplay>> opened = openHeadlessDisplay(deviceId);
    if (opened.ok())
        display = opened.value();
    else if (why)
        *why = QString::fromStdString(opened.error().message());
    return display;
}

/// Every device that this machine can open: the software iGPU with the rules of each board, and CUDA devices.
inline std::vector<std::string> usableDevices()
{
    std::vector<std::string> ids;
    for (const DeviceCandidate &candidate : listDevices())
        if (candidate.usable.available)
            ids.push_back(candidate.id);
    return ids;
}

/// The software iGPU with the rules of one board, and every real GPU: for tests of common behaviour.
inline std::vector<std::string> representativeDevices()
{
    std::vector<std::string> ids;
    for (const std::string &id : usableDevices())
        if (id == "soft:orin" || id.rfind("soft:", 0) != 0)
            ids.push_back(id);
    return ids;
}

/// The same for a row that runs on several devices: on each device another third, so that each row runs on one of
/// three.
inline bool isTurnOf(int row, const std::string &deviceId)
{
    const std::vector<std::string> ids = usableDevices();
    return isTurnOf(row, static_cast<int>(std::find(ids.begin(), ids.end(), deviceId) - ids.begin()));
}

/// For initTestCase_data: runs every test once per device.
inline void addDeviceRows(const std::vector<std::string> &ids)
{
    if (ids.empty()) // Otherwise no test would run, and the program would pass.
        qFatal("no device can be opened here, not even the software iGPU: jetscope doctor says why");
    QTest::addColumn<QString>("device");
    for (const std::string &id : ids)
        QTest::newRow(id.c_str()) << QString::fromStdString(id);
}

/// Facts of a device on its own display; empty if it cannot be opened.
inline DeviceFacts factsOf(const std::string &id)
{
    const Result<std::unique_ptr<Device>> device = openDevice(id, displayOf(id));
    return device.ok() ? device.value()->facts() : DeviceFacts();
}

} // namespace jetscope::testing

/// Fails the test with the error message.
#define JETSCOPE_VERIFY(expression)                                                                                    \
    do {                                                                                                               \
        const auto &jetscopeResult = (expression);                                                                     \
        QVERIFY2(jetscopeResult.ok(), jetscopeResult.ok() ? "" : jetscopeResult.error().message().c_str());            \
    } while (false)
