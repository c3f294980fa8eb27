// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "gpu/sources/canvas.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// A moving street with a test chart: edges, flat areas, gradients and fine lines for the filters, and a road sign with
/// the frame's number and time code. A frame depends only on index, layout and rate. The static part is painted once;
/// each frame is a copy of it with the moving parts on top.
class TestCard {
public:
    TestCard(const ImageLayout &layout, double fps);

    /// Fills all `layout.bytes` of `into`, row padding included. Only writes.
    void draw(std::uint64_t index, std::byte *into) const;

private:
    void paintSky(Canvas &canvas) const;
    void paintCity(Canvas &canvas) const;
    void paintChart(Canvas &canvas) const;
    void paintRoad(Canvas &canvas) const;
    void paintSign(Canvas &canvas) const;

    void drawDashes(Canvas &canvas, std::uint64_t index) const;
    void drawTraffic(Canvas &canvas, std::uint64_t index) const;
    void drawSignal(Canvas &canvas, std::uint64_t index) const;
    void drawText(Canvas &canvas, std::uint64_t index) const;

    ImageLayout m_layout;
    double m_fps;
    std::vector<std::byte> m_still;
};

/// "HH:MM:SS.mmm" of a frame at a rate; hours may have more than two digits.
std::string timeCode(std::uint64_t index, double fps);

} // namespace jetscope
