// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/lab/latencycolors.h"

#include "ui/style/theme.h"

#include <QCoreApplication>

namespace jetscope {

QColor latencyColor(LatencyPart part)
{
    switch (part) {
    case LatencyPart::Camera:
        return barColors(Category::Capture, theme()).fill;
    case LatencyPart::Driver:
        return barColors(Category::Copy, theme()).fill;
    case LatencyPart::Queue:
        return theme().wait;
    case LatencyPart::Gpu:
        return theme().gpuOnly;
    case LatencyPart::Present:
        return theme().cpuOnly;
    }
    return {};
}

QString latencyPartTitle(LatencyPart part)
{
    switch (part) {
    case LatencyPart::Camera:
        return QCoreApplication::translate("jetscope", "exposure and readout");
    case LatencyPart::Driver:
        return QCoreApplication::translate("jetscope", "camera and driver");
    case LatencyPart::Queue:
        return QCoreApplication::translate("jetscope", "queue");
    case LatencyPart::Gpu:
        return QCoreApplication::translate("jetscope", "GPU");
    case LatencyPart::Present:
        return QCoreApplication::translate("jetscope", "present");
    }
    return {};
}

} // namespace jetscope
