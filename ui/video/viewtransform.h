// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>

namespace jetscope {

/// How a picture lies in a view: fitted, or at a scale with the picture's point `centre` (0..1 of its sides) in the
/// middle.
struct ViewTransform {
    bool fit = true;
    double scale = 1; ///< View pixels per picture pixel when not fitted.
    QPointF centre{0.5, 0.5};
};

inline constexpr double kMinPictureScale = 0.02;
inline constexpr double kMaxPictureScale = 64;

double scaleIn(const ViewTransform &transform, QSize view, QSize picture);
/// Where the picture is drawn, in pixels of the view; empty when either size is.
QRectF pictureRect(const ViewTransform &transform, QSize view, QSize picture);
/// The picture's coordinates under a point of the view; may lie outside the picture.
QPointF pictureAt(const ViewTransform &transform, QSize view, QSize picture, QPointF point);

/// Zoomed by `factor` with the picture's point under `point` staying there.
ViewTransform zoomedAt(const ViewTransform &transform, QSize view, QSize picture, QPointF point, double factor);
ViewTransform panned(const ViewTransform &transform, QSize view, QSize picture, QPointF pixels);

} // namespace jetscope
