// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>
#include <QImage>
#include <QRectF>
#include <QSize>

class QPainter;

namespace jetscope {

struct CpuAnswer;
struct VideoScene;

/// Radius of the before/after handle, for painting and hit testing.
inline constexpr double kSplitHandleRadius = 13;

/// Part of the view that shows the output: all of it, or the part right of the split.
QRectF outputRegion(const VideoScene &scene, QSize view);

/// Paints what covers the output: the input left of the split, the edges that the CPU stage found.
void paintPictures(QPainter &painter, const VideoScene &scene, QSize view);

/// Paints marks over the pictures: contours, histogram, split, labels.
void paintMarks(QPainter &painter, const VideoScene &scene, QSize view);

/// Full label of the output if `at` is on it and it is elided; else empty.
QString labelTip(const VideoScene &scene, QSize view, QPoint at);

/// Paints one line of text that is readable over any picture; `corner` is the top left of its box. Elided if the view
/// is too narrow.
void paintPictureLabel(QPainter &painter, QPointF corner, const QString &text, int viewWidth);
/// Of that box.
int pictureLabelHeight();

/// Colour for results of the CPU stage.
inline constexpr QRgb kAnswerColor = 0xffffb000; // Distinct from greys and greens of pictures.

/// Whether the answer has an edge mask of the stated size.
bool hasEdges(const CpuAnswer &answer);
/// The edges of an answer as an image to draw over the picture; null for other kinds of work.
QImage edgesImage(const CpuAnswer &answer);

} // namespace jetscope
