// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"
#include "core/result.h"
#include "gpu/board/machinesampler.h"

#include <cstdint>
#include <memory>
#include <string>

namespace jetscope {

/// What a machine is and has; the same for all its states.
struct BoardFacts {
    BoardIdentity identity;
    BoardLayout layout;
    std::string nvmlReason;             ///< Why NVML tells nothing; empty if it does.
    std::int64_t wallClockOffsetNs = 0; ///< Unix time minus the clock of the states; 0: unknown.
};

/// What a reading gives.
struct BoardValues {
    std::shared_ptr<const BoardFacts> facts; ///< The same object each time, unless the machine has changed.
    BoardState state;
};

/// Reads the values of a machine: of this one, or of a board at the other end of a wire. Blocks. One thread at a time.
class MachineReader {
public:
    virtual ~MachineReader() = default;
    /// `firstGpu`: the GPU in use, as for MachineSampler::putFirst; empty: none. The error says why nothing comes now;
    /// a later reading may succeed.
    virtual Result<BoardValues> read(const std::string &firstGpu) = 0;

protected:
    MachineReader() = default;
    MachineReader(const MachineReader &) = delete;
    MachineReader &operator=(const MachineReader &) = delete;
};

/// This machine, read below `root`: "/" except in tests.
std::unique_ptr<MachineReader> machineReader(const std::string &root = "/");
/// The same with a sampler of the caller's.
std::unique_ptr<MachineReader> machineReader(MachineSampler sampler, const std::string &root);

} // namespace jetscope
