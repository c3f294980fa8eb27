// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stage.h"
#include "gpu/stages/vpi/vpilibrary.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

/// The corners that VPI finds in frames, in arrays of VPI that the CPU reads where they lie: locked, after
/// vpiStreamSync has returned behind the work. Each frame has arrays of its own until its corners were read. Goes after
/// the streams whose work writes the arrays. Any thread.
class VpiCorners final : public StagePoints {
public:
    struct Arrays {
        vpi::Array corners = nullptr;
        vpi::Array scores = nullptr;
    };

    /// `backends` write the arrays; `most` corners are kept of each frame, the strongest first.
    VpiCorners(VpiLibrary library, std::uint64_t backends, int most);

    /// Arrays for work on a frame that is submitted now.
    Result<Arrays> begin(std::uint64_t frame);
    /// vpiStreamSync has returned behind the work on the frame.
    void synchronized(std::uint64_t frame);

    bool isSynchronized(std::uint64_t frame) override;
    /// Locks the arrays, which are spans. Without synchronization VPI refuses that; then there are no points.
    Result<std::vector<StagePoint>> read(std::uint64_t frame) override;

private:
    struct Slot {
        VpiHandle corners;
        VpiHandle scores;
        std::optional<std::uint64_t> frame;
        bool isSynchronized = false;
        bool isBeingRead = false;
    };

    Slot *slotOf(std::uint64_t frame);
    Result<Slot *> slotFor(std::uint64_t frame);
    Result<std::vector<StagePoint>> lockAndRead(const Slot &slot, std::uint64_t frame) const;
    Result<std::vector<StagePoint>> strongest(const vpi::ArrayData &corners, const vpi::ArrayData &scores) const;

    const VpiLibrary m_library;
    const std::uint64_t m_backends;
    const std::size_t m_most;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Slot>> m_slots;
};

} // namespace jetscope
