// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/display.h"
#include "gpu/gl/fence.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

/// A finished frame in a texture that is the borrower's until it gives it back. To be used in a context that shares
/// with the pipeline's, after `ready.serverWait()`.
struct LentFrame {
    std::uint32_t frame = 0;
    std::uint64_t number = 0; ///< The source's frame number, which is shown to users.
    unsigned texture = 0;
    int width = 0;
    int height = 0;
    GlFence ready;
    std::uint64_t loan = 0;  ///< Another one for each.
    std::size_t mayKeep = 0; ///< So many older ones may be kept beside it, or no newer one is lent.
};

/// Lends finished frames of a pipeline without a view to one borrower, each when it was asked for. Nothing is copied:
/// the pipeline draws the next frame into another texture. Its thread never waits for the borrower: where the borrower
/// has the lock, or all textures, the frame is lent later or not at all. The borrower ends before the pipeline.
class FrameLender {
public:
    FrameLender(std::shared_ptr<EglDisplay> display, void *context) : m_display(std::move(display)), m_context(context)
    {
    }

    // --- the borrower's side

    const std::shared_ptr<EglDisplay> &display() const { return m_display; }
    /// The pipeline's native GL context, to share with.
    void *context() const { return m_context; }
    /// Asks for the newest frame that was not lent yet.
    void ask();
    /// The frame that was asked for, once it is there.
    std::optional<LentFrame> take();
    /// What was read of the texture has been read completely.
    void giveBack(const LentFrame &frame);
    /// No frame is asked for for a while: textures that nobody has are deleted.
    void rest();

    /// Sleeps until `wake` was called since `wakes` was `seen`.
    void sleep(std::uint32_t seen) const { m_wakes.wait(seen); }
    std::uint32_t wakes() const { return m_wakes.load(); }
    /// Wakes the borrower. Any thread; never waits.
    void wake();

    // --- the pipeline's side: never waits

    bool isAsked() const { return m_isAsked; }
    bool rests() const { return m_rests; }
    /// Lends a frame, and wakes the borrower; false: not now.
    bool lend(const LentFrame &frame);
    /// The loans that came back since the last call, if that is known without waiting.
    std::vector<std::uint64_t> takeReturned();

private:
    const std::shared_ptr<EglDisplay> m_display;
    void *const m_context;
    std::atomic<bool> m_isAsked{false};
    std::atomic<bool> m_rests{true};
    std::atomic<bool> m_hasReturned{false};
    std::atomic<std::uint32_t> m_wakes{0};
    std::mutex m_mutex; ///< For all below.
    std::optional<LentFrame> m_lent;
    std::vector<std::uint64_t> m_returned;
};

} // namespace jetscope
