// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/gl/display.h"
#include "gpu/gl/fence.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

class Device;
class Image;
class Tracer;

/// A finished frame on its way to the view. The texture belongs to the pipeline and may be sampled only between
/// `take` and `release`, in a context that shares with the pipeline's, after `ready.serverWait()`.
struct ViewFrame {
    std::uint32_t frame = 0;
    std::uint64_t number = 0; ///< The source's, which users are shown.
    std::int64_t captureNs = 0;
    unsigned texture = 0;
    int width = 0;
    int height = 0;
    GlFence ready;
    std::uint32_t generation = 0; ///< With `slot`, the pipeline's own name for the texture.
    std::size_t slot = 0;
    Device *device = nullptr;     ///< Is told when the view takes the frame and gives it back; null for none.
    const Image *image = nullptr; ///< The texture as the device reaches it; null where it does not.
};

/// Latest-frame mailbox between the pipeline and one view. A newer frame replaces one that was not taken; the replaced
/// one is counted as dropped by the view, as is one that the view took too late to show it. Any thread; nothing here
/// waits. The view lets go of the box before the pipeline ends.
class ViewMailbox {
public:
    // --- the pipeline's side
    void publish(ViewFrame frame);
    struct Release {
        std::uint32_t generation = 0;
        std::size_t slot = 0;
        GlFence afterSampling;
    };
    /// Slots that came back since the last call: replaced ones with a signalled fence.
    std::vector<Release> takeReleased();
    struct Presented {
        std::uint32_t frame = 0;
        std::int64_t presentedNs = 0;
        std::int64_t captureNs = 0;
    };
    std::vector<Presented> takePresented();
    /// Takes a frame that the view has not taken back out of the box: its texture is about to go.
    void retract();

    // --- the view's side
    /// The latest frame if there is a new one whose fence has signalled or that the view can server-wait for.
    /// With `onlyReady`, a frame whose fence has not signalled stays in the box.
    std::optional<ViewFrame> take(bool onlyReady);
    /// Gives the texture back; `afterSampling` was made behind the view's last sampling of it.
    void release(const ViewFrame &frame, GlFence afterSampling);
    /// A frame was taken, but a newer one came before it was on the screen: dropped as well.
    void superseded(std::uint32_t frame);
    /// The swap that showed the frame returned at `presentedNs`.
    void presented(const ViewFrame &frame, std::int64_t presentedNs);
    /// Called on the GL queue's thread whenever a frame was published; must not wait. Set to null before the view goes.
    void setListener(std::function<void()> onPublished);

    /// Frames that a newer one replaced before they were on the screen.
    std::uint64_t dropped() const;
    std::uint32_t newestDropped() const; ///< The last of them; 0 when there is none.

private:
    mutable std::mutex m_mutex;
    std::mutex m_listenerMutex;
    std::optional<ViewFrame> m_waiting;
    std::vector<Release> m_released;
    std::vector<Presented> m_presented;
    std::function<void()> m_listener;
    std::uint64_t m_dropped = 0;
    std::uint32_t m_newestDropped = 0;
};

/// The view's read-back path: a thread with its own GL context takes the latest frame, reads its pixels and hands them
/// on. For software rasterisers (composing a window through one costs far more) and windows without EGL.
class ReadbackView {
public:
    struct Picture {
        std::uint32_t frame = 0;
        std::uint64_t number = 0; ///< The source's.
        int width = 0;
        int height = 0;
        std::vector<std::byte> rgba; ///< Top row first, unpadded.
    };
    /// Called on the read-back thread with each picture; the callee takes it over.
    using Sink = std::function<void(Picture)>;

    /// `shareContext` is the pipeline's native GL context; mailbox and tracer outlive the view.
    static Result<std::unique_ptr<ReadbackView>> create(std::shared_ptr<EglDisplay> display, void *shareContext,
                                                        ViewMailbox &mailbox, Tracer &tracer, Sink sink);
    virtual ~ReadbackView() = default;
};

} // namespace jetscope
