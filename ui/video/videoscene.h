// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cpustage/cpuanalysis.h"
#include "ui/video/viewtransform.h"

#include <QColor>
#include <QImage>
#include <QString>

#include <cstdint>
#include <optional>

namespace jetscope {

/// What the video view shows beside the output picture itself. Belongs to the UI thread.
struct VideoScene {
    ViewTransform transform;
    QSize picture;            ///< Size of the output; empty before the first frame.
    std::uint64_t number = 0; ///< The source's of the frame.

    bool showBefore = true;
    double split = 0.5; ///< Of the view's width; the input is left of it.
    QImage before;      ///< The input of the shown frame; null while there is none.
    QString outputLabel;

    bool showAnswer = true;
    std::optional<CpuAnswer> answer;

    std::optional<QPoint> inspected; ///< Picture pixel under the mouse while the inspector is on.
    std::optional<QColor> inspectedColor;

    bool splits() const { return showBefore && !before.isNull(); }
};

} // namespace jetscope
