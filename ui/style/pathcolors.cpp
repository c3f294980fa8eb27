// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/style/pathcolors.h"

namespace jetscope {

QColor pathColor(PathCause cause, const Theme &theme)
{
    switch (cause) {
    case PathCause::Kernel:
        return barColors(Category::Kernel, theme).fill;
    case PathCause::Copy:
        return barColors(Category::Copy, theme).fill;
    case PathCause::Draw:
        return barColors(Category::Draw, theme).fill;
    case PathCause::CpuStage:
        return barColors(Category::CpuStage, theme).fill;
    case PathCause::Upload:
        return barColors(Category::Upload, theme).fill;
    case PathCause::Submit:
        return barColors(Category::Submit, theme).fill;
    case PathCause::Capture:
        return barColors(Category::Capture, theme).fill;
    case PathCause::Present:
        return barColors(Category::Present, theme).fill;
    case PathCause::Tool:
    case PathCause::Camera:
    case PathCause::Call:
    case PathCause::LaunchDelay:
    case PathCause::OtherContext:
    case PathCause::WakeUp:
        return theme.wait;
    case PathCause::Unknown:
        break;
    }
    return theme.border;
}

} // namespace jetscope
