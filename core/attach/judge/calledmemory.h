// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/calledprocess.h"
#include "core/attach/read/copyrows.h"
#include "core/hazards/memory.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// The memory of an inspected process: tells its hazard ledger how that comes, goes and is attached, and what the
/// addresses in arguments of calls use. Not thread-safe.
class CalledMemory {
public:
    explicit CalledMemory(CalledProcess &process) : m_process(process) {}

    /// Whether the call is about memory.
    bool take(const LedgerCall &call);
    /// Managed memory is attached to a stream; also of calls that failed, because the driver refuses parts.
    void attach(const LedgerCall &call);
    /// The program names a range of addresses.
    void name(const LedgerCall &call);
    /// What kernels use is not seen: from now on that may be all managed memory so far.
    void launched();

    /// These bytes, as far as they are in memory that is known; of several rows, `pitch` is from one to the next.
    std::optional<MemoryUse> useOf(std::uint64_t address, std::uint64_t bytes, Access access, std::uint64_t rows = 1,
                                   std::uint64_t pitch = 0) const;
    /// The same of what a copy or a set writes, which may be the value that a stream waits for.
    std::optional<MemoryUse> overwrite(std::uint64_t address, const CopyRows &rows);
    /// JSA_COPY_* of a copy, by its addresses if its function does not say it.
    std::uint64_t directionOf(const AttachEvent &copy) const;
    /// Whether managed memory is attached to all streams, or was before the newest call.
    bool hasGlobal() const;

private:
    void add(const LedgerCall &call);
    void free(const LedgerCall &call);

    CalledProcess &m_process;
    bool m_hasNewManaged = false; ///< Since the last launch.
};

} // namespace jetscope
