// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// The direction of a copy: CUpti_ActivityMemcpyKind, with the same values. Arrays are the memory of textures and
/// surfaces.
enum class GpuCopy : std::uint8_t {
    Unknown = 0,
    HostToDevice = 1,
    DeviceToHost = 2,
    HostToArray = 3,
    ArrayToHost = 4,
    ArrayToArray = 5,
    ArrayToDevice = 6,
    DeviceToArray = 7,
    DeviceToDevice = 8,
    HostToHost = 9,
    PeerToPeer = 10,
};

/// One piece of device work with its hardware time stamps. 0 < startNs <= endNs, on the clock of nowNs().
struct GpuActivity {
    enum class Kind : std::uint8_t { Kernel, Memcpy, Memset };

    Kind kind = Kind::Kernel;
    GpuCopy copy = GpuCopy::Unknown; ///< For a Memcpy.
    bool ours = false;               ///< A kernel that Jetscope submits, by its mangled name (KernelNames).
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;     ///< CUPTI's id.
    std::uint32_t streamId = 0;      ///< CUPTI's id, unique within a context: cuptiStreamId.
    std::uint32_t correlationId = 0; ///< Id of the API call; rises in the order of calls.
    std::uint64_t bytes = 0;         ///< For a Memcpy or Memset.
    std::string_view name; ///< A kernel's mangled name, valid until the process ends; empty for copies and memsets.
};

/// What happened to the records of a session so far.
struct CuptiCounters {
    std::uint64_t records = 0;  ///< Kernels, copies and memsets that were returned or wait to be taken.
    std::uint64_t dropped = 0;  ///< CUPTI had no buffer for them (cuptiActivityGetNumDroppedRecords).
    std::uint64_t untaken = 0;  ///< Exceeded the session's limit because take() was called too late.
    std::uint64_t untimed = 0;  ///< Start or end is 0: the hardware times could not be collected. Never returned.
    std::uint64_t negative = 0; ///< Ends before it starts. Never returned.
    /// Begins before the session or ends in the future: times of another clock. Never returned.
    std::uint64_t stray = 0;
    std::uint64_t late = 0; ///< Returned, but begins before an activity of its stream that an earlier take() returned.
    std::uint64_t unknown = 0; ///< Ignored records of other kinds.
    std::uint64_t damaged = 0; ///< Buffers that ended inside a record; the records before it were returned.
    std::uint64_t flushes = 0; ///< Cost of delivery: flushes of the session's thread,
    std::int64_t flushNs = 0;  ///< and their total duration.

    std::uint64_t lost() const { return dropped + untaken + untimed + negative + stray + damaged; }
    /// One sentence on what is missing from the times; empty if nothing is.
    std::string trouble() const;
};

} // namespace jetscope
