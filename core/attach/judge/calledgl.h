// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/calledmemory.h"
#include "core/attach/judge/calledprocess.h"
#include "core/attach/model/pixelstore.h"

#include <cstdint>

namespace jetscope {

/// What GL and EGL do in an inspected process: tells its hazard ledger of the order between them and its streams, and
/// of what GL reads and writes in memory of the host. Not thread-safe.
class CalledGl {
public:
    CalledGl(CalledProcess &process, CalledMemory &memory, const PixelStore &pixels)
        : m_process(process), m_memory(memory), m_pixels(pixels)
    {
    }

    /// A call of CUDA: whether it orders work with GL.
    bool takeInterop(const LedgerCall &call);
    /// Any other call: what the hazards rest on that it makes.
    HazardEvidence take(const LedgerCall &call);

private:
    void comeBehind(std::uint64_t stream);
    void handOver(std::uint64_t stream);
    void takeWait(const LedgerCall &call);
    HazardEvidence takeImage(const LedgerCall &call);

    CalledProcess &m_process;
    CalledMemory &m_memory;
    const PixelStore &m_pixels;
};

} // namespace jetscope
