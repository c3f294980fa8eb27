// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>
#include <QRectF>
#include <QSize>

class QPainter;

namespace jetscope
{

struct CpuAnswer;
struct VideoScene;

/// Radius of the before/after handle, for painting and for grabbing it.
inline constexpr double kSplitHandleRadius = 13;

/// The part of the view in which the output is seen: all of it, or right of the split.
QRectF outputRegion(const VideoScene &scene, QSize view);

/// Paints what lies over the output: the input left of the split, the CPU stage's answer, the split, the labels.
void paintOverlay(QPainter &painter, const VideoScene &scene, QSize view);

/// The edges of an answer as an image to draw over the picture; null for other work.
QImage edgesImage(const CpuAnswer &answer);

} // namespace jetscope
