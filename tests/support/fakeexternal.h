// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The made-up CUDA driver's functions for memory and synchronization of NvSci (fakeexternal.cpp), beside CUDA's own.
extern "C" {

/// External memory, mappings and semaphores that exist.
int fakeExternalLive();
/// As fakeSciViolations.
const char *fakeExternalViolations();
/// This function fails from now on with CUDA_ERROR_UNKNOWN; "": none. Also those of the rest of the driver that ask
/// fakeExternalFails.
void fakeExternalFail(const char *function);
bool fakeExternalFails(const char *function);
/// Forgets all that exists.
void fakeExternalForget();
/// Whether an address was a mapping; it is none from now on.
bool fakeExternalUnmap(std::uint64_t memory);
/// Of the rest of the driver: whether work is pending, and how often an event was queried.
bool fakeDriverIsHanging();
int fakeDriverQueries();
}
