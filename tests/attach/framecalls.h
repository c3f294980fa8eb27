// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/frameguess.h"
#include "core/attach/read/ringreader.h"

#include <cstdint>

namespace jetscope {

/// Made-up calls of a program with frames.
struct FrameCalls {
    static AttachEvent call(jsa_call function, std::int64_t startNs, std::int64_t endNs, std::uint64_t argument = 1,
                            std::uint32_t thread = 0)
    {
        AttachEvent made;
        made.startNs = startNs;
        made.endNs = endNs;
        made.thread = thread;
        made.call = static_cast<std::uint16_t>(function);
        made.argument[0] = argument;
        return made;
    }

    static AttachEvent swap(std::int64_t endNs, std::uint64_t surface = 1, std::uint32_t thread = 0)
    {
        return call(JSA_CALL_eglSwapBuffers, endNs - 10, endNs, surface, thread);
    }

    static FrameGuess guessOf(jsa_call function)
    {
        FrameGuess guess;
        guess.call = static_cast<std::uint16_t>(function);
        guess.periodMs = 0.1;
        guess.sure = 1;
        return guess;
    }

    static AttachEvent mark(std::uint32_t kind, std::int64_t ns) { return call(JSA_CALL_MARK, ns, ns + 1, kind); }
};

} // namespace jetscope
