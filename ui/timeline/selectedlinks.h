// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/spanlinks.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// What leads to the selected span and what follows from it. Looked up when another span is selected, and again while
/// what belongs to it may still come in. UI thread.
class SelectedLinks {
public:
    /// Valid until the next call.
    const std::vector<SpanLink> &of(const Trace &trace, const std::optional<SpanPlace> &span);

private:
    bool isKnown(const Trace &trace, const SpanPlace &span) const;

    std::vector<SpanLink> m_links;
    std::optional<SpanPlace> m_span;
    std::uint64_t m_shape = 0; ///< Of the trace, as those below.
    std::uint64_t m_version = 0;
    bool m_complete = false; ///< Nothing that belongs to the span can come in any more.
};

} // namespace jetscope
