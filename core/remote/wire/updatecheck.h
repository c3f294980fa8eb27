// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/stream/traceupdate.h"

#include <vector>

namespace jetscope {

/// Whether updates of a far end are such as a producer here makes, so that sinks may rely on it: names and lanes are
/// said before values refer to them, and no time is out of range. The updates of one producer in order, from its head
/// on.
class UpdateCheck {
public:
    /// One that is not accepted changes nothing.
    bool accepts(const TraceUpdate &update);

private:
    bool acceptsHead(const TraceUpdate &update);
    bool acceptsValues(const TraceUpdate &update) const;
    bool isSpan(const Span &span) const;
    bool isPiece(const PathPiece &piece) const;
    bool isName(std::uint32_t name) const { return name < m_names || name == kNoPathName; }

    std::size_t m_names = 0;
    std::size_t m_lanes = 0;
};

} // namespace jetscope
