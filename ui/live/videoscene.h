// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cpustage/cpuanalysis.h"
#include "ui/live/viewtransform.h"

#include <QColor>
#include <QImage>
#include <QString>

#include <cstdint>
#include <optional>

namespace jetscope {

/// What the video view shows besides the output picture. UI thread.
struct VideoScene {
    ViewTransform transform;
    QSize picture;            ///< Size of the output; empty before the first frame.
    std::uint64_t number = 0; ///< Frame number of the source.

    bool showBefore = true;
    double split = 0.5; ///< Fraction of the view's width; the input is left of it.
    QImage before;      ///< Input of the displayed frame; null if there is none.
    QString outputLabel;

    bool showAnswer = true;
    std::optional<CpuAnswer> answer;

    std::optional<QPoint> inspected; ///< Picture pixel under the mouse while the pixel inspector is on.
    std::optional<QColor> inspectedColor;

    bool splits() const { return showBefore && !before.isNull(); }
};

} // namespace jetscope
