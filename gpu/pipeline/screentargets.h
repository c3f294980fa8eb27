// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/texture.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/pipeline/framelender.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace jetscope {

/// The textures that a pipeline without a view draws its frames into: one, and more while frames are lent. Pipeline
/// thread.
class ScreenTargets {
public:
    struct Target {
        std::unique_ptr<GlTexture> texture;
        std::unique_ptr<GlFramebuffer> framebuffer;
    };
    explicit ScreenTargets(GlQueue &queue);
    ~ScreenTargets();

    /// Creates the first target of this size. Not while frames are in flight.
    Status resize(int width, int height);
    /// The present target. Its owner may be a command of the queue, until the command has run.
    const std::shared_ptr<Target> &present() const { return m_present.target; }

    /// A frame was drawn into the present target, as the fence will tell.
    void drawn(std::uint32_t frame, std::uint64_t number, const GlFence &ready);
    /// Lends the newest frame if it was asked for, and takes back what was lent; never waits.
    void service();
    FrameLender &lender() { return m_lender; }

private:
    struct Slot {
        std::shared_ptr<Target> target; ///< Null: it is being made.
        std::uint64_t loan = 0;         ///< Under which it is lent; 0: it is not.
        int width = 0;
        int height = 0;
    };
    struct Making {
        std::shared_ptr<Target> target = std::make_shared<Target>();
        std::atomic<bool> isDone{false};
    };
    Result<std::shared_ptr<Target>> make(int width, int height) const;
    void lendNewest();
    void makeOneMore();
    void takeBack(std::uint64_t loan);
    void deleteLater(std::shared_ptr<Target> target);
    std::size_t most() const;
    bool fits(const Slot &slot) const { return slot.width == m_width && slot.height == m_height; }

    GlQueue &m_queue;
    FrameLender m_lender;
    int m_width = 0;
    int m_height = 0;
    Slot m_present;
    std::vector<Slot> m_others; ///< Free and lent ones.
    std::shared_ptr<Making> m_making;
    std::optional<LentFrame> m_newest; ///< In the present target, not lent yet.
    std::uint64_t m_nextLoan = 1;
};

} // namespace jetscope
