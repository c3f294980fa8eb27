// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <dlfcn.h>

namespace jetscope::testing {

/// A record for the fake libcupti.
struct FakeRecord {
    std::uint32_t kind =
        10; ///< CUpti_ActivityKind; kinds that Jetscope does not know produce records that were not enabled.
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 1;
    std::uint32_t stream = 7;
    std::uint32_t correlation = 0;
    std::uint64_t bytes = 0;
    std::uint8_t copyKind = 0; ///< Of a wait its type, of a memory operation whether it is one or the other.
    const char *name = nullptr;
    std::uint32_t thread = 0; ///< Of a driver call.
};

/// Calls that the fake has received.
struct FakeCuptiUse {
    std::uint32_t enabledKinds = 0; ///< One bit per kind below 32.
    std::uint32_t everEnabled = 0;
    bool clockCameFirst = true; ///< The clock was registered before any kind was enabled.
    bool buffersFit = true;     ///< Every buffer was aligned to 8 bytes and larger than a record.
    std::size_t heldBuffers = 0;
    std::size_t flushes = 0;
};

/// Loads the fake libcupti, tests/support/fakecupti.cpp, which exports libcupti's functions and the driver functions
/// that a trial run uses. Settings in the form "crash=enable,layout=12", given here or in the environment variable
/// JETSCOPE_FAKE_CUPTI (in a program that CUDA_INJECTION64_PATH injects: JETSCOPE_FAKE_CUPTI_PROGRAM, if it is set),
/// select failures:
///   layout=12
/// 13            record sizes of CUDA 12.2 or 13.0
///   version=N               result of cuptiGetVersion
///   refuse=KIND             cuptiActivityEnable of this kind (or "clock", "callbacks", "all") returns code=N
///   crash=PLACE hang=PLACE  at load, version, clock, callbacks, enable, subscribe, flush or exit
///   times=zero
/// reversed
/// realtime
/// none   times in records of the driver's work
/// some
/// unordered   every tenth record without times, or starts that jump to and fro by a millisecond
///   subscriber=other        another client of CUPTI has the callbacks
/// half                    all callbacks but the first are refused
///   api=runtime             records of calls are those of the runtime
///   walk=stuck
/// outside
/// cut  behaviour of cuptiActivityGetNextRecord at the second record of a buffer
///   hold=1                  only forced flushes deliver buffers
///   drop=N                  result of the next call of cuptiActivityGetNumDroppedRecords
///   chatter=1               prints to stdout and stderr
///   device=none, compiler=none   the driver reports no device, or cannot compile kernels
class FakeCupti {
public:
    /// Path of the fake library, which must be loaded already.
    explicit FakeCupti(const std::string &path) : m_library(dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD)) {}
    bool isLoaded() const { return m_library != nullptr; }

    /// Resets everything except the registered buffer callbacks, and applies new settings.
    void reset(const char *settings = "") const { call<void(const char *)>("fakeCuptiReset")(settings); }
    /// Adds a record as if the device had done the work.
    void add(const FakeRecord &record) const { call<void(const FakeRecord *)>("fakeCuptiEmit")(&record); }
    FakeCuptiUse use() const
    {
        FakeCuptiUse use;
        call<void(FakeCuptiUse *)>("fakeCuptiUse")(&use);
        return use;
    }
    /// Requests a buffer, as CUPTI's threads may at any time; false if none was provided. It is delivered at the next
    /// flush.
    bool request() const { return call<bool()>("fakeCuptiRequest")(); }
    /// Delivers all buffers, as CUPTI's own threads do.
    void deliver() const { call<void()>("fakeCuptiDeliver")(); }

private:
    template <class Signature>
    Signature *call(const char *name) const
    {
        return reinterpret_cast<Signature *>(dlsym(m_library, name));
    }

    void *m_library;
};

} // namespace jetscope::testing
