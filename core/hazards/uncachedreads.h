// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/accesshistory.h"

#include <optional>
#include <vector>

namespace jetscope {

/// Which bytes of uncached memory the CPU has read since they were written (rule A16).
class UncachedReads {
public:
    /// The earlier read of some of the same bytes; none if `next` is the first one. Only a first read is kept.
    std::optional<MemoryAccess> read(const MemoryAccess &next);
    /// New data may be read once more.
    void written(const MemoryAccess &write);

private:
    std::vector<MemoryAccess> m_reads; ///< None of them meet.
};

} // namespace jetscope
