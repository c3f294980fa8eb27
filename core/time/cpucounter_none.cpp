// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/time/cpucounter.h"

namespace jetscope {

bool hasCpuCounter()
{
    return false;
}

std::uint64_t readCpuCounter()
{
    return 0;
}

std::uint64_t cpuCounterHz()
{
    return 0;
}

} // namespace jetscope
