// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/gluse.h"
#include "gpu/gl/display.h"
#include "gpu/gl/fence.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

class Tracer;

/// A finished frame for the view. The texture belongs to the pipeline and may be sampled only between `take` and
/// `release`, in a context that shares with the pipeline's, after `ready.serverWait()`.
struct ViewFrame {
    std::uint32_t frame = 0;
    std::uint64_t number = 0; ///< The source's frame number, which is shown to users.
    std::int64_t captureNs = 0;
    unsigned texture = 0;
    int width = 0;
    int height = 0;
    GlFence ready;
    std::uint32_t generation = 0; ///< Together with `slot` identifies the texture in the pipeline.
    std::size_t slot = 0;
};

/// Latest-frame mailbox between the pipeline and one view. A newer frame replaces one that was not taken. The replaced
/// frame counts as dropped by the view, as does one that the view took but did not show. Any thread; never waits. The
/// view must stop using the mailbox before the pipeline ends.
class ViewMailbox {
public:
    // --- the pipeline's side
    /// The observers of the device, if there is one, are told when the view takes the frame and gives it back: `use` is
    /// what the view does to the texture. The device outlives the view's use of it.
    void publish(ViewFrame frame, Device *device = nullptr, const GlUse &use = {});
    struct Release {
        std::uint32_t generation = 0;
        std::size_t slot = 0;
        GlFence afterSampling;
    };
    /// The slots that came back since the last call; replaced ones have a signalled fence.
    std::vector<Release> takeReleased();
    struct Presented {
        std::uint32_t frame = 0;
        std::int64_t presentedNs = 0;
        std::int64_t captureNs = 0;
    };
    std::vector<Presented> takePresented();
    /// Removes a frame that the view has not taken, because its texture is about to be destroyed.
    void retract();

    // --- the view's side
    /// The latest frame if there is a new one whose fence has signalled, or for which the view can use a server wait.
    /// With `onlyReady`, a frame whose fence has not signalled stays in the mailbox.
    std::optional<ViewFrame> take(bool onlyReady);
    /// Returns the texture; `afterSampling` is a fence after the view's last sampling of it.
    void release(const ViewFrame &frame, GlFence afterSampling);
    /// Reports that a taken frame was superseded before it was on the screen; it counts as dropped.
    void superseded(std::uint32_t frame);
    /// Reports that the swap that showed the frame returned at `presentedNs`.
    void presented(const ViewFrame &frame, std::int64_t presentedNs);
    /// Called on the GL queue's thread whenever a frame was published; must not wait. Set it to null before the view is
    /// destroyed.
    void setListener(std::function<void()> onPublished);

    /// The number of frames that were superseded before they were on the screen.
    std::uint64_t dropped() const;
    /// Which these were since the last call.
    struct Dropped {
        std::uint32_t frame = 0;
        std::uint64_t number = 0;
        std::int64_t ns = 0;      ///< When it was superseded.
        std::int64_t sinceNs = 0; ///< When the view last took a frame; 0 for never.
        bool wasTaken = false;    ///< By the view, which did not show it.
    };
    std::vector<Dropped> takeDropped();

private:
    struct Lent {
        ViewFrame frame;
        Device *device = nullptr;
        GlUse use;
    };
    std::optional<Lent> takenAs(const ViewFrame &frame);

    mutable std::mutex m_mutex;
    std::mutex m_listenerMutex;
    std::optional<Lent> m_waiting;
    std::vector<Lent> m_taken; ///< Those of a device.
    std::vector<Release> m_released;
    std::vector<Presented> m_presented;
    std::function<void()> m_listener;
    std::uint64_t m_dropped = 0;
    std::vector<Dropped> m_droppedFrames; ///< Since takeDropped, which the pipeline calls at each turn.
    std::int64_t m_takenNs = 0;
    std::deque<std::pair<std::uint32_t, std::uint64_t>> m_numbers; ///< Of frames that the view took last.
};

/// The view's read-back path: a thread with its own GL context takes the latest frame, reads its pixels and passes them
/// on. For software rasterisers (composing a window with one is far slower) and windows without EGL.
class ReadbackView {
public:
    struct Picture {
        std::uint32_t frame = 0;
        std::uint64_t number = 0; ///< The source's frame number.
        int width = 0;
        int height = 0;
        std::vector<std::byte> rgba; ///< Top row first, unpadded.
    };
    /// Called on the read-back thread with each picture, which the callee takes over, or with the reason why a frame
    /// could not be read.
    using Sink = std::function<void(Result<Picture>)>;

    /// `shareContext` is the pipeline's native GL context; mailbox and tracer must outlive the view.
    static Result<std::unique_ptr<ReadbackView>> create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                        ViewMailbox &mailbox, Tracer &tracer, Sink sink);
    virtual ~ReadbackView() = default;
};

} // namespace jetscope
