// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "gpu/soft/faultaccess.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// Guards pages that the CPU may not access at the moment. An access is recorded and allowed (the page becomes
/// accessible until the next `protect`), whereas a Jetson would end the process with a bus error. One per process, like
/// the fault handler; faults outside the guarded ranges go to the previous handler.
class PageGuard {
public:
    static PageGuard &instance();

    /// Adds page-aligned memory, initially accessible. False if too many ranges are guarded already.
    bool add(void *memory, std::size_t bytes);
    void remove(void *memory);

    /// Allows CPU access to the range from now on. Any thread.
    void allow(void *memory);
    void protect(void *memory);

    struct Touch {
        const void *memory = nullptr; ///< Start of the range.
        std::size_t offset = 0;       ///< Offset of the access.
        FaultAccess access = FaultAccess::Unknown;
        std::uintptr_t code = 0;        ///< The instruction; 0 if it is not known.
        std::uint32_t frame = kNoFrame; ///< Of the thread's span, if it is traced.
        LaneRole role = LaneRole::Tool; ///< Of the thread.
        std::int64_t timeNs = 0;
        std::uint32_t kernelFrame = kNoFrame; ///< The frame whose launch protected the range.
        std::int64_t launchNs = 0;            ///< When it was protected.
    };
    /// The accesses to protected pages since the last call. One caller at a time.
    std::vector<Touch> takeTouches();

private:
    PageGuard();
};

} // namespace jetscope
