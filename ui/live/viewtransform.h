// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>

namespace jetscope {

/// Position of the picture in the view: fitted, or scaled with the picture point `centre` (0..1 of its sides) in the
/// middle.
struct ViewTransform {
    bool fit = true;
    double scale = 1; ///< View pixels per picture pixel when not fitted.
    QPointF centre{0.5, 0.5};
};

inline constexpr double kMinPictureScale = 0.02;
inline constexpr double kMaxPictureScale = 64;

double scaleIn(const ViewTransform &transform, QSize view, QSize picture);
/// Rectangle of the picture in pixels of the view; empty if either size is.
QRectF pictureRect(const ViewTransform &transform, QSize view, QSize picture);
/// Picture coordinates of a point in the view; may be outside the picture.
QPointF pictureAt(const ViewTransform &transform, QSize view, QSize picture, QPointF point);

/// Zooms by `factor` around the picture point under `point`.
ViewTransform zoomedAt(const ViewTransform &transform, QSize view, QSize picture, QPointF point, double factor);
ViewTransform panned(const ViewTransform &transform, QSize view, QSize picture, QPointF pixels);

} // namespace jetscope
