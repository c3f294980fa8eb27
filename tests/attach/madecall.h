// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/ringreader.h"

#include <array>
#include <cstdint>

/// A call of an inspected program that took 100 ns.
inline jetscope::AttachEvent madeCall(jsa_call function, std::int64_t endNs,
                                      std::array<std::uint64_t, JSA_ARGUMENTS> argument, std::uint64_t site = 0)
{
    jetscope::AttachEvent made;
    made.startNs = endNs - 100;
    made.endNs = endNs;
    made.call = static_cast<std::uint16_t>(function);
    made.argument = argument;
    made.site = site;
    return made;
}
