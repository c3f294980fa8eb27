// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/soft/esrcontext.h"

#include <cstdint>
#include <cstring>

namespace jetscope {

namespace {

/// struct _aarch64_ctx
struct RecordHead {
    std::uint32_t magic;
    std::uint32_t size; ///< Of the whole record, a multiple of 16; 0 in the last one.
};
constexpr std::uint32_t kEsrMagic = 0x45535201;

// Fields of ESR_EL1 (Arm Architecture Reference Manual, "ISS encoding for an exception from a Data Abort").
FaultAccess accessOf(std::uint64_t esr)
{
    constexpr std::uint64_t kDataAbortFromUser = 0x24;
    constexpr std::uint64_t kWrite = 1U << 6;
    constexpr std::uint64_t kCacheMaintenance = 1U << 8; // These instructions set kWrite although they only read.
    if (((esr >> 26) & 0x3f) != kDataAbortFromUser)
        return FaultAccess::Unknown;
    return (esr & kWrite) != 0 && (esr & kCacheMaintenance) == 0 ? FaultAccess::Write : FaultAccess::Read;
}

} // namespace

FaultAccess accessFromSignalRecords(std::span<const std::byte> records)
{
    RecordHead head{};
    while (records.size() >= sizeof head) {
        std::memcpy(&head, records.data(), sizeof head);
        if (head.size < sizeof head || head.size > records.size())
            break;
        std::uint64_t esr = 0;
        if (head.magic == kEsrMagic && head.size >= sizeof head + sizeof esr) {
            std::memcpy(&esr, records.data() + sizeof head, sizeof esr);
            return accessOf(esr);
        }
        records = records.subspan(head.size);
    }
    return FaultAccess::Unknown;
}

} // namespace jetscope
