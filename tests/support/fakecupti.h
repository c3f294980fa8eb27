// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include <dlfcn.h>

namespace jetscope::testing {

/// What a test asks the stand-in for libcupti to record.
struct FakeRecord {
    std::uint32_t kind =
        10; ///< CUpti_ActivityKind; others than kernel, memcpy and memset are records that nobody asked for.
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    std::uint32_t device = 0;
    std::uint32_t context = 1;
    std::uint32_t stream = 7;
    std::uint32_t correlation = 0;
    std::uint64_t bytes = 0;
    std::uint8_t copyKind = 0;
    const char *name = nullptr;
};

/// How the stand-in was used.
struct FakeCuptiUse {
    std::uint32_t enabledKinds = 0; ///< A bit for each.
    std::uint32_t everEnabled = 0;
    bool clockCameFirst = true; ///< No kind was enabled before the clock was registered.
    bool buffersFit = true;     ///< Each was aligned to 8 and larger than a record.
    std::size_t heldBuffers = 0;
    std::size_t flushes = 0;
};

/// The stand-in's library, tests/support/fakecupti.cpp: exports libcupti's functions and those of the driver that a
/// trial uses. What goes wrong is steered by settings in the form "crash=enable,layout=12", here or in the environment
/// variable JETSCOPE_FAKE_CUPTI:
///   layout=12|13            sizes of records as of CUDA 12.2 or 13.0
///   version=N               cuptiGetVersion's answer
///   refuse=KIND             cuptiActivityEnable of this kind (or "clock", "callbacks", "all") answers code=N
///   crash=PLACE hang=PLACE  at load, version, clock, callbacks, enable, flush or exit
///   times=zero|reversed|realtime|none   of records of the driver's work
///   walk=stuck|outside|cut  what cuptiActivityGetNextRecord does with the second record of a buffer
///   hold=1                  buffers are not given back by flushes unless they are forced
///   drop=N                  cuptiActivityGetNumDroppedRecords answers so once
///   chatter=1               prints where it should not
///   device=none, compiler=none   the driver knows no device, or compiles no kernel
class FakeCupti {
public:
    /// Of the library that is loaded already.
    explicit FakeCupti(const std::string &path) : m_library(dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD)) {}
    bool isLoaded() const { return m_library != nullptr; }

    /// Forgets everything but what it was registered with, and takes new settings.
    void reset(const char *settings = "") const { call<void(const char *)>("fakeCuptiReset")(settings); }
    /// As if the device had done it.
    void add(const FakeRecord &record) const { call<void(const FakeRecord *)>("fakeCuptiEmit")(&record); }
    FakeCuptiUse use() const
    {
        FakeCuptiUse use;
        call<void(FakeCuptiUse *)>("fakeCuptiUse")(&use);
        return use;
    }
    /// Asks for a buffer as CUPTI's threads may at any time; whether there was one. It is given back at the next flush.
    bool request() const { return call<bool()>("fakeCuptiRequest")(); }
    /// Gives all buffers back, as CUPTI's own threads do.
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
