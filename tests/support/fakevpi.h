// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// What tests ask of the made-up VPI (fakevpi.cpp), beside VPI's own functions. Any thread.
extern "C" {

/// Streams, images, arrays and payloads that exist.
int fakeVpiLive();
/// A stream goes without its work, because what it works on is gone.
void fakeVpiAbandon(void *stream);
/// What was done against the contract where VPI gives no status, one line each; forgets it. Valid until the next call.
const char *fakeVpiViolations();
/// This function fails from now on, for example "vpiStreamSync" or "cuStreamSynchronize"; "": none.
void fakeVpiFail(const char *function);
/// The next call of this function breaks the order, once: "vpiStreamSync" returns before the work is done, and the host
/// function of "vpiSubmitHostFunction" or "vpiSubmitCUDAHostFunction" runs before the work in front of it.
void fakeVpiEarly(const char *function);
/// A work on pictures is not done, though VPI says so: the next one for 1, and so on.
void fakeVpiForget(int work);
/// The same for all work of these backends (VPI_BACKEND_…).
void fakeVpiForgetBackends(std::uint64_t backends);
bool fakeVpiCalled(const char *function);
/// This is memory of the CUDA device, such as managed memory; all other memory is the host's. 0 bytes: forgets all.
void fakeVpiCudaMemory(const void *memory, std::size_t bytes);
/// The wrappers of a Jetson's buffers that were made since the last call.
int fakeVpiBuffers();
/// A CUDA stream has work that was not waited for.
void fakeVpiBusy(void *cudaStream);
/// The bytes that VPI copied since the last call because a wrapper's memory was not that of the backend.
std::uint64_t fakeVpiCopied();
}
