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

/// Radius of the before/after handle, for painting and for grabbing it.
inline constexpr double kSplitHandleRadius = 13;

/// The part of the view in which the output is seen: all of it, or right of the split.
QRectF outputRegion(const VideoScene &scene, QSize view);

/// Paints what hides or colours the output: the input left of the split, the edges that the CPU stage found.
void paintPictures(QPainter &painter, const VideoScene &scene, QSize view);

/// Paints what is drawn over pictures: contours, histogram, the split, the labels.
void paintMarks(QPainter &painter, const VideoScene &scene, QSize view);

/// The whole label of the output where `at` is on it and the view is too narrow to show it; else nothing.
QString labelTip(const VideoScene &scene, QSize view, QPoint at);

/// Paints one line of text that can be read over any picture; `corner` is the top left of its box. What the view is too
/// narrow for ends in dots.
void paintPictureLabel(QPainter &painter, QPointF corner, const QString &text, int viewWidth);
inline constexpr int kPictureLabelHeight = 22;

/// Of everything that the CPU stage found.
inline constexpr QRgb kAnswerColor = 0xffffb000; // Far from the greys and greens of pictures.

/// Whether the answer is edges of the size it claims.
bool hasEdges(const CpuAnswer &answer);
/// The edges of an answer as an image to draw over the picture; null for other work.
QImage edgesImage(const CpuAnswer &answer);

} // namespace jetscope
