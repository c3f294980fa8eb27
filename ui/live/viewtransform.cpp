// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/viewtransform.h"

#include <algorithm>

namespace jetscope {

double scaleIn(const ViewTransform &transform, QSize view, QSize picture)
{
    if (!transform.fit)
        return transform.scale;
    if (view.isEmpty() || picture.isEmpty())
        return 1;
    return std::min(static_cast<double>(view.width()) / picture.width(),
                    static_cast<double>(view.height()) / picture.height());
}

QRectF pictureRect(const ViewTransform &transform, QSize view, QSize picture)
{
    if (view.isEmpty() || picture.isEmpty())
        return {};
    const double scale = scaleIn(transform, view, picture);
    const QSizeF size(picture.width() * scale, picture.height() * scale);
    const QPointF centre = transform.fit ? QPointF(0.5, 0.5) : transform.centre;
    return {QPointF(view.width() / 2.0 - centre.x() * size.width(), view.height() / 2.0 - centre.y() * size.height()),
            size};
}

QPointF pictureAt(const ViewTransform &transform, QSize view, QSize picture, QPointF point)
{
    return (point - pictureRect(transform, view, picture).topLeft()) / scaleIn(transform, view, picture);
}

ViewTransform zoomedAt(const ViewTransform &transform, QSize view, QSize picture, QPointF point, double factor)
{
    if (view.isEmpty() || picture.isEmpty())
        return transform;
    const QPointF fixed = pictureAt(transform, view, picture, point);
    ViewTransform out;
    out.fit = false;
    out.scale = std::clamp(scaleIn(transform, view, picture) * factor, kMinPictureScale, kMaxPictureScale);
    const QPointF middle = fixed + (QPointF(view.width() / 2.0, view.height() / 2.0) - point) / out.scale;
    out.centre = {std::clamp(middle.x() / picture.width(), 0.0, 1.0),
                  std::clamp(middle.y() / picture.height(), 0.0, 1.0)};
    return out;
}

ViewTransform panned(const ViewTransform &transform, QSize view, QSize picture, QPointF pixels)
{
    if (view.isEmpty() || picture.isEmpty())
        return transform;
    ViewTransform out = transform;
    out.scale = scaleIn(transform, view, picture);
    const QPointF centre = transform.fit ? QPointF(0.5, 0.5) : transform.centre;
    out.fit = false;
    out.centre = {std::clamp(centre.x() - pixels.x() / (picture.width() * out.scale), 0.0, 1.0),
                  std::clamp(centre.y() - pixels.y() / (picture.height() * out.scale), 0.0, 1.0)};
    return out;
}

} // namespace jetscope
