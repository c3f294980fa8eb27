// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/picturemessages.h"

#include "core/imagelayout.h"
#include "core/remote/picture/png.h"

#include <cmath>

namespace jetscope {

namespace {

bool isSide(std::uint32_t side)
{
    return side >= 1 && side <= static_cast<std::uint32_t>(kMaxImageSide);
}

bool isRatio(double ratio)
{
    return std::isfinite(ratio) && ratio >= 0 && ratio <= kMostCostRatio;
}

} // namespace

void fields(Wire &w, WantPicture &p)
{
    w.members(p, p.pipeline, p.heldNs);
}

void fields(Wire &w, Picture &p)
{
    w.members(p, p.pipeline, p.frame, p.number, p.width, p.height, p.jpeg);
    if (w.reads()
        && (!isSide(p.width) || !isSide(p.height) || std::uint64_t{p.width} * p.height > kMaxPngPixels
            || p.jpeg.size() > kMaxPreviewBytes))
        w.fail();
}

void fields(Wire &w, NoPictures &n)
{
    w.members(n, n.pipeline, n.reason);
}

void fields(Wire &w, ReadFrame &r)
{
    w.members(r, r.pipeline, r.id, r.frame);
}

void fields(Wire &w, WholeFrame &p)
{
    w.members(p, p.id, p.size, p.fromByte, p.bytes, p.error);
    if (w.reads()
        && (p.bytes.size() > kMaxWholeBlock || p.size > 4 * kMaxPngPixels || p.fromByte > p.size
            || p.bytes.size() > p.size - p.fromByte))
        w.fail();
}

void fields(Wire &w, WatchCost &c)
{
    w.members(c, c.pipeline, c.frameRatio, c.noise, c.rounds);
    if (w.reads() && (!isRatio(c.frameRatio) || !isRatio(c.noise)))
        w.fail();
}

} // namespace jetscope
