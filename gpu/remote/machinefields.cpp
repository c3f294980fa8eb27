// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/machinefields.h"

#include "core/remote/wire/corefields.h"

#include <cmath>

namespace jetscope {

namespace {

/// The name of a part of the machine is a line of a table.
constexpr std::size_t kMostText = 4096;

} // namespace

void fields(Wire &w, PowerMode &m)
{
    w.members(m, m.id, m.name);
}

void fields(Wire &w, PowerModes &m)
{
    w.members(m, m.modes, m.defaultId);
}

void fields(Wire &w, BoardItem &i)
{
    w.members(i, i.part, i.quantity, i.name, i.unit, i.most, i.detail, i.unavailable, i.formula, i.paths, i.labels,
              i.key, i.freeKey, i.factor, i.low, i.high, i.slow);
    if (!std::isfinite(i.most) || i.name.empty() || i.name.size() > kMostText || i.unit.size() > kMostText)
        w.fail();
}

void fields(Wire &w, BoardLimit &l)
{
    w.members(l, l.counter, l.what, l.value, l.isEnd);
    if (!std::isfinite(l.value))
        w.fail();
}

void fields(Wire &w, BoardLayout &l)
{
    w.members(l, l.root, l.modes, l.items, l.limits);
    if (l.items.size() > BoardLayout::kMaxItems || l.limits.size() > BoardLayout::kMaxItems)
        w.fail();
}

void fields(Wire &w, BoardFacts &f)
{
    w.members(f, f.identity, f.layout, f.nvmlReason, f.wallClockOffsetNs);
}

void fields(Wire &w, BoardState &s)
{
    w.members(s, s.timeNs, s.values, s.powerMode, s.limits);
    for (const Reading<double> &value : s.values)
        if (value.known() && !std::isfinite(*value.value))
            w.fail();
}

} // namespace jetscope
