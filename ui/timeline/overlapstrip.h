// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathpiece.h"
#include "core/trace/trace.h"
#include "ui/timeline/pixelline.h"
#include "ui/timeline/tilecanvas.h"
#include "ui/timeline/timelinelayout.h"

#include <vector>

namespace jetscope {

struct Theme;

/// Paints when CPU and GPU were busy, alone or together, and below it the critical path of the frames. Trace, layout
/// and theme must outlive it.
class OverlapStrip {
public:
    OverlapStrip(const Trace &trace, const TimelineLayout &layout, const Theme &theme)
        : m_trace(trace), m_layout(layout), m_theme(theme)
    {
    }

    /// `isNear`: computed exactly from spans; otherwise from the sums per frame. `distant`: what is known of them, if
    /// the trace does not have them.
    void paint(TileCanvas &canvas, bool isNear, const WindowPicture *distant);

private:
    /// Fractions of a column, 0..1 each.
    struct Share {
        float both = 0;
        float cpu = 0;
        float gpu = 0;
    };

    std::vector<BusyPiece> piecesAround(const TileCanvas &canvas) const;
    void addExactPieces(const TileCanvas &canvas, const std::vector<BusyPiece> &pieces);
    void addSumsOfFrames(const std::vector<FrameColumn> &sums);
    void paintShares(TileCanvas &canvas, int top, int height);
    void paintPath(TileCanvas &canvas, const std::vector<PathPiece> &path, int top, int height);

    const Trace &m_trace;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
    PixelLine m_line;
    std::vector<Share> m_shares;
    std::vector<FrameColumn> m_frames;
    std::vector<PathPiece> m_path;
};

} // namespace jetscope
