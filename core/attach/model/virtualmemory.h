// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace jetscope {

/// Memory that an inspected program makes without an address and maps by itself (cuMemCreate, cuMemMap): it stays in
/// use until its handle is released and it is mapped nowhere. Memory is bounded. Not thread-safe.
class VirtualMemory {
public:
    /// Calls in order of their ends, none that failed. Returns the handles whose memory is not in use any more.
    std::vector<std::uint64_t> take(const AttachEvent &event, std::int32_t process);

private:
    using Place = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle or address.
    struct Memory {
        std::uint64_t mappings = 0;
        bool isReleased = false;
    };

    void release(Place place, std::vector<std::uint64_t> &gone);
    void unmap(Place from, std::uint64_t bytes, std::vector<std::uint64_t> &gone);

    std::map<Place, Memory> m_memory;
    std::map<Place, std::uint64_t> m_mappings; ///< Their handles, by address.
};

} // namespace jetscope
