// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/pipeline/view.h"
#include "ui/live/framepicture.h"
#include "ui/live/viewobjects.h"

#include <QColor>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QRectF>
#include <QSize>

#include <array>
#include <memory>
#include <optional>

namespace jetscope {

/// GL part of a zero-copy view. Copies frames from the mailbox to its own texture, and draws that: the pipeline's
/// texture is released at once, and a repaint needs no new frame. Every call needs the view's context to be current; it
/// shares objects with the pipeline's context.
class GlPicture : private QOpenGLExtraFunctions {
public:
    GlPicture() = default;
    GlPicture(const GlPicture &) = delete;
    GlPicture &operator=(const GlPicture &) = delete;

    Status initialise();
    void release();
    bool isInitialised() const { return m_program != nullptr; }

    /// Copies the newest frame to the back texture. With `onlyReady`, only a frame whose fence has signalled: a
    /// software rasteriser would execute the wait on this thread.
    std::optional<ViewFrame> take(ViewMailbox &mailbox, const std::shared_ptr<EglDisplay> &display, bool onlyReady);
    /// Swaps front and back texture; the front texture is drawn.
    void swap();

    void clear(const QColor &color, QSize pixels);
    /// Draws the picture into `target` (pixels, origin at the top left) of a view with the size `pixels`, clipped to
    /// `region`.
    void draw(const QRectF &target, const QRectF &region, QSize pixels);

    /// Starts a copy of the front texture, scaled down to at least `width` pixels, and returns the result of an earlier
    /// call once it is ready. `frame`: the frame in the front texture. Only one copy is in progress at a time; never
    /// waits for the GPU.
    std::optional<FramePicture> copy(std::uint32_t frame, int width, const std::shared_ptr<EglDisplay> &display);

    /// Discards a copy in progress.
    void discardCopy() { m_copy.pending = false; }

    /// Colour of a pixel of the front texture, requested by an earlier call; never waits for the GPU.
    std::optional<QColor> pixel(QPoint at, const std::shared_ptr<EglDisplay> &display);

private:
    struct Texture {
        ViewTexture object;
        QSize size;
    };
    struct PixelRead {
        ViewBuffer buffer;
        QPoint at;
        GlFence done;
        bool pending = false;
    };
    struct SmallCopy {
        Texture texture;
        ViewBuffer buffer;
        GlFence done;
        std::uint32_t frame = 0;
        bool pending = false;
    };
    void askForCopy(std::uint32_t frame, QSize size, const std::shared_ptr<EglDisplay> &display);
    QImage takeCopy();
    void ensureTexture(Texture &texture, QSize size);
    void copyFrom(const ViewFrame &frame);

    std::unique_ptr<QOpenGLShaderProgram> m_program;
    int m_rectLocation = -1;
    std::array<Texture, 2> m_textures;
    std::size_t m_front = 0;
    std::array<ViewFramebuffer, 2> m_framebuffers; ///< One for reading, one for drawing.
    PixelRead m_read;
    SmallCopy m_copy;
};

} // namespace jetscope
