// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/soft/faultaccess.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Watches pages that the CPU may not touch at the moment. A touch is recorded and let through (the page becomes
/// accessible until the next `protect`), where a Jetson would end the process with a bus error. One per process, since
/// the fault handler is; faults outside the guarded ranges go to the handler that was there before.
class PageGuard {
public:
    static PageGuard &instance();

    /// Page-aligned memory; it starts accessible. False when too many ranges are guarded already.
    bool add(void *memory, std::size_t bytes);
    void remove(void *memory);

    /// Whether the CPU may touch the range from now on. Any thread.
    void allow(void *memory);
    void protect(void *memory);

    struct Touch {
        const void *memory = nullptr; ///< Start of the range.
        std::size_t offset = 0;       ///< Where it was touched.
        FaultAccess access = FaultAccess::Unknown;
    };
    /// Touches of protected pages since the last call. One caller at a time.
    std::vector<Touch> takeTouches();

private:
    PageGuard();
};

} // namespace jetscope
