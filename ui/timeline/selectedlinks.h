// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/spanlinks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// Spans that lead to the selected span and that follow from it. Recomputed when another span is selected, and while
/// related spans may still arrive. UI thread.
class SelectedLinks {
public:
    /// Valid until the next call.
    const std::vector<SpanLink> &of(const Trace &trace, const std::optional<SpanPlace> &span);

private:
    bool isKnown(const Trace &trace, const SpanPlace &span) const;

    std::vector<SpanLink> m_links;
    std::optional<SpanPlace> m_span;
    std::uint64_t m_shape = 0; ///< Shape of the trace at the last computation.
    std::uint64_t m_version = 0;
    bool m_complete = false; ///< No related span can arrive any more.
};

} // namespace jetscope
