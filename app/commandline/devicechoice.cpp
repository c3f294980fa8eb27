// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/devicechoice.h"

#include "app/commandline/textlayout.h"
#include "core/text/utf8.h"

#include <cstdlib>

namespace jetscope {

std::string deviceWithBoard(const std::string &device)
{
    const char *const board = std::getenv(kBoardNameVariable);
    return board && *board && isPlainLine(board) ? device + " on " + board : device;
}

Status checkDevice(const std::string &wanted, const std::vector<DeviceCandidate> &devices)
{
    std::string names;
    for (const DeviceCandidate &device : devices) {
        if (device.id == wanted && device.usable.available)
            return {};
        if (device.id == wanted)
            return sentence("the device " + wanted + " is unavailable: " + device.usable.reason);
        names += (names.empty() ? "" : ", ") + device.id;
    }
    return sentence("there is no device " + quotedWords(wanted) + " here; the devices are " + names);
}

} // namespace jetscope
