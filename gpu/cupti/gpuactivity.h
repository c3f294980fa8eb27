// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// From where to where a copy went: CUpti_ActivityMemcpyKind, with its numbers. Arrays are what textures and surfaces
/// lie in.
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

/// One piece of device work with the times that the hardware stamped. 0 < startNs <= endNs, on the axis of nowNs().
struct GpuActivity {
    enum class Kind : std::uint8_t { Kernel, Memcpy, Memset };

    Kind kind = Kind::Kernel;
    GpuCopy copy = GpuCopy::Unknown; ///< Of a Memcpy.
    bool ours = false;               ///< A kernel of Jetscope's own: its mangled name is of our namespace.
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t deviceId = 0;
    std::uint32_t contextId = 0;     ///< CUPTI's number.
    std::uint32_t streamId = 0;      ///< CUPTI's number, unique within a context: CuptiSession::streamId.
    std::uint32_t correlationId = 0; ///< Of the call that asked for it; rises in the order of calls.
    std::uint64_t bytes = 0;         ///< Of a Memcpy or Memset.
    std::string_view name; ///< A kernel's mangled name, valid as long as the process; empty of copies and memsets.
};

/// What became of the records of a session so far.
struct CuptiCounters {
    std::uint64_t records = 0;  ///< Kernels, copies and memsets that were given out or wait to be taken.
    std::uint64_t dropped = 0;  ///< CUPTI had no buffer for them (cuptiActivityGetNumDroppedRecords).
    std::uint64_t untaken = 0;  ///< Nobody took them in time: more than the session keeps.
    std::uint64_t untimed = 0;  ///< Start or end is 0: the hardware's times could not be collected. Never given out.
    std::uint64_t negative = 0; ///< Ends before it starts. Never given out.
    std::uint64_t stray = 0;    ///< Begins before the session or ends in the future: another clock's. Never given out.
    std::uint64_t late = 0;     ///< Given out, but begins before one of its stream that an earlier take() gave out.
    std::uint64_t unknown = 0;  ///< Records of other kinds, passed over.
    std::uint64_t damaged = 0;  ///< Buffers that ended within a record; what came before it was given out.
    std::uint64_t flushes = 0;  ///< What delivery costs: flushes of the session's thread,
    std::int64_t flushNs = 0;   ///< and the time they took.

    std::uint64_t lost() const { return dropped + untaken + untimed + negative + stray + damaged; }
    /// One sentence on what is missing from the times; empty when nothing is.
    std::string trouble() const;
};

} // namespace jetscope
