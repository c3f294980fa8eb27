// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/pipeline/view.h"
#include "ui/video/framepicture.h"
#include "ui/video/viewobjects.h"

#include <QColor>
#include <QOpenGLExtraFunctions>
#include <QOpenGLShaderProgram>
#include <QRectF>
#include <QSize>

#include <array>
#include <memory>
#include <optional>

namespace jetscope {

/// The GL side of a zero-copy view: takes frames from the mailbox into a texture of its own, so that the pipeline's
/// texture goes back at once and a repaint needs no new frame, and draws that texture. Every call needs the view's
/// context current; it shares with the pipeline's.
class GlPicture : private QOpenGLExtraFunctions {
public:
    GlPicture() = default;
    GlPicture(const GlPicture &) = delete;
    GlPicture &operator=(const GlPicture &) = delete;

    Status initialise();
    void release();
    bool isInitialised() const { return m_program != nullptr; }

    /// Copies the newest frame into the back texture. With `onlyReady` only one whose fence has signalled: a software
    /// rasteriser would execute the wait on this thread.
    std::optional<ViewFrame> take(ViewMailbox &mailbox, const std::shared_ptr<EglDisplay> &display, bool onlyReady);
    /// The back texture becomes the one that is drawn.
    void swap();

    void clear(const QColor &color, QSize pixels);
    /// Draws the picture into `target` (pixels, top left origin) of a view of `pixels`, inside `region` only.
    void draw(const QRectF &target, const QRectF &region, QSize pixels);

    /// A copy of the front texture, made smaller to at least `width` pixels, that an earlier call asked for; `frame` is
    /// the one that the texture holds now. Asks for the next one when none is under way; never waits for the GPU.
    std::optional<FramePicture> copy(std::uint32_t frame, int width, const std::shared_ptr<EglDisplay> &display);

    /// What was asked for is of no interest any more.
    void forgetCopy() { m_copy.pending = false; }

    /// Colour of a pixel of the front texture, asked for in an earlier call; never waits for the GPU.
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
    std::array<ViewFramebuffer, 2> m_framebuffers; ///< For reading and for drawing.
    PixelRead m_read;
    SmallCopy m_copy;
};

} // namespace jetscope
