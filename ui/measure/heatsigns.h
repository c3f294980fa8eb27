// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/heattable.h"
#include "ui/style/theme.h"

class QPainter;
class QRect;

namespace jetscope {

/// The signs of a heat map, drawn as shapes: fonts need not have them, and they differ without colour.
enum class HeatSign { None, Best, Tie, Failed, Hazard };
void paintHeatSign(QPainter &painter, const QRect &room, HeatSign sign, const QColor &color);

HeatSign signOf(const HeatCell &cell);

/// Ground and frame of a cell.
void paintHeatGround(QPainter &painter, const QRect &room, const HeatCell &cell, const Theme &theme);

} // namespace jetscope
