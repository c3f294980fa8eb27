// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/allocationcount.h"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t allocations = 0;

} // namespace

std::uint64_t jetscope::testing::allocationsOfThread()
{
    return allocations;
}

// A sanitizer's own functions do not go with std::free, so there is one for all.
void *operator new(std::size_t bytes, const std::nothrow_t &) noexcept
{
    ++allocations;
    return std::malloc(bytes > 0 ? bytes : 1);
}

void *operator new(std::size_t bytes)
{
    if (void *memory = ::operator new(bytes, std::nothrow))
        return memory;
    throw std::bad_alloc();
}

void operator delete(void *memory) noexcept
{
    std::free(memory);
}

void operator delete(void *memory, std::size_t) noexcept
{
    std::free(memory);
}
