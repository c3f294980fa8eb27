// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/glpicture.h"

#include <QFile>

#include <algorithm>
#include <cstring>

namespace jetscope {

namespace {

QByteArray shaderSource(const char *name)
{
    QFile file(QStringLiteral(":/jetscope/shaders/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

Status GlPicture::initialise()
{
    initializeOpenGLFunctions();
    auto program = std::make_unique<QOpenGLShaderProgram>();
    if (!program->addShaderFromSourceCode(QOpenGLShader::Vertex, shaderSource("picture.vert"))
        || !program->addShaderFromSourceCode(QOpenGLShader::Fragment, shaderSource("picture.frag")) || !program->link())
        return Error{"glLinkProgram", 0,
                     "the view's shader does not build on this driver (" + program->log().trimmed().toStdString()
                         + "); choose View > Present path > Read back into an image"};
    m_program = std::move(program);
    m_rectLocation = m_program->uniformLocation("target");
    for (ViewFramebuffer &framebuffer : m_framebuffers)
        framebuffer = ViewFramebuffer::make();
    m_read.buffer = ViewBuffer::make();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m_read.buffer.id());
    glBufferData(GL_PIXEL_PACK_BUFFER, 4, nullptr, GL_STREAM_READ);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return {};
}

void GlPicture::release()
{
    if (!m_program)
        return;
    m_program.reset();
    m_textures = {};
    m_framebuffers = {};
    m_read = {};
    m_copy = {};
}

void GlPicture::ensureTexture(Texture &texture, QSize size)
{
    if (texture.size == size)
        return;
    texture.object = ViewTexture::make();
    glBindTexture(GL_TEXTURE_2D, texture.object.id());
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, size.width(), size.height());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    texture.size = size;
}

void GlPicture::copyFrom(const ViewFrame &frame)
{
    GLint readBefore = 0;
    GLint drawBefore = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &readBefore);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawBefore);
    Texture &back = m_textures[1 - m_front];
    ensureTexture(back, {frame.width, frame.height});
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_framebuffers[0].id());
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, frame.texture, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_framebuffers[1].id());
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, back.object.id(), 0);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, frame.width, frame.height, 0, 0, frame.width, frame.height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    // Detach the texture: the pipeline may delete it as soon as the frame is released.
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(readBefore));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawBefore));
}

std::optional<ViewFrame> GlPicture::take(ViewMailbox &mailbox, const std::shared_ptr<EglDisplay> &display,
                                         bool onlyReady)
{
    auto frame = mailbox.take(onlyReady);
    if (!frame)
        return std::nullopt;
    const bool ordered = frame->ready.serverWait().ok();
    if (ordered)
        copyFrom(*frame);
    auto fence = GlFence::insert(display);
    // Without a fence the texture may only be reused after glFinish; happens on a failing driver only.
    if (!fence.ok())
        glFinish();
    mailbox.release(*frame, fence.ok() ? std::move(fence).value() : GlFence());
    return ordered ? frame : std::nullopt;
}

void GlPicture::swap()
{
    m_front = 1 - m_front;
}

void GlPicture::clear(const QColor &color, QSize pixels)
{
    glViewport(0, 0, pixels.width(), pixels.height());
    glDisable(GL_SCISSOR_TEST);
    glClearColor(color.redF(), color.greenF(), color.blueF(), 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

void GlPicture::draw(const QRectF &target, const QRectF &region, QSize pixels)
{
    const Texture &front = m_textures[m_front];
    if (!front.object || target.isEmpty())
        return;
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SCISSOR_TEST);
    const QRect clip = region.toAlignedRect();
    glScissor(clip.left(), pixels.height() - clip.bottom() - 1, clip.width(), clip.height());
    const auto ndcX = [&](double x) { return static_cast<float>(x / pixels.width() * 2 - 1); };
    const auto ndcY = [&](double y) { return static_cast<float>(1 - y / pixels.height() * 2); };
    m_program->bind();
    m_program->setUniformValue(m_rectLocation, ndcX(target.left()), ndcY(target.top()), ndcX(target.right()),
                               ndcY(target.bottom()));
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, front.object.id());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindTexture(GL_TEXTURE_2D, 0);
    m_program->release();
    glDisable(GL_SCISSOR_TEST);
}

std::optional<QColor> GlPicture::pixel(QPoint at, const std::shared_ptr<EglDisplay> &display)
{
    const Texture &front = m_textures[m_front];
    std::optional<QColor> color;
    if (!front.object || !QRect(QPoint(), front.size).contains(at))
        return color;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m_read.buffer.id());
    if (m_read.pending && m_read.done.signalled()) {
        m_read.pending = false;
        std::array<quint8, 4> rgba{};
        if (const void *data = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, 4, GL_MAP_READ_BIT)) {
            std::memcpy(rgba.data(), data, rgba.size());
            glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
            if (m_read.at == at)
                color = QColor(rgba[0], rgba[1], rgba[2]);
        }
    }
    if (!m_read.pending) {
        GLint before = 0;
        glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, m_framebuffers[0].id());
        glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, front.object.id(), 0);
        glReadPixels(at.x(), at.y(), 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
        auto fence = GlFence::insert(display);
        m_read.pending = fence.ok();
        m_read.at = at;
        if (fence.ok())
            m_read.done = std::move(fence).value();
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return color;
}

std::optional<FramePicture> GlPicture::copy(std::uint32_t frame, int width, const std::shared_ptr<EglDisplay> &display)
{
    const QSize whole = m_textures[m_front].size;
    if (!m_textures[m_front].object || whole.isEmpty())
        return std::nullopt;
    if (!m_copy.pending) {
        const int small = std::min(whole.width(), width);
        askForCopy(frame, {small, std::max(1, whole.height() * small / whole.width())}, display);
        return std::nullopt;
    }
    if (!m_copy.done.signalled())
        return std::nullopt;
    m_copy.pending = false;
    FramePicture copy{m_copy.frame, takeCopy()};
    return copy.image.isNull() ? std::nullopt : std::optional(std::move(copy));
}

void GlPicture::askForCopy(std::uint32_t frame, QSize size, const std::shared_ptr<EglDisplay> &display)
{
    GLint readBefore = 0;
    GLint drawBefore = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &readBefore);
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &drawBefore);
    if (!m_copy.buffer)
        m_copy.buffer = ViewBuffer::make();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m_copy.buffer.id());
    if (m_copy.texture.size != size)
        glBufferData(GL_PIXEL_PACK_BUFFER, GLsizeiptr{4} * size.width() * size.height(), nullptr, GL_STREAM_READ);
    ensureTexture(m_copy.texture, size);
    const Texture &front = m_textures[m_front];
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_framebuffers[0].id());
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, front.object.id(), 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, m_framebuffers[1].id());
    glFramebufferTexture2D(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, m_copy.texture.object.id(), 0);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, front.size.width(), front.size.height(), 0, 0, size.width(), size.height(),
                      GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, m_framebuffers[1].id());
    glReadPixels(0, 0, size.width(), size.height(), GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(readBefore));
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(drawBefore));
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    auto fence = GlFence::insert(display);
    m_copy.pending = fence.ok();
    m_copy.frame = frame;
    if (fence.ok())
        m_copy.done = std::move(fence).value();
}

QImage GlPicture::takeCopy()
{
    const QSize size = m_copy.texture.size;
    QImage image(size, QImage::Format_RGBX8888);
    const auto row = static_cast<std::size_t>(size.width()) * 4;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, m_copy.buffer.id());
    const auto *data = static_cast<const std::byte *>(
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, static_cast<GLsizeiptr>(row) * size.height(), GL_MAP_READ_BIT));
    for (int y = 0; data && y < size.height(); ++y)
        std::memcpy(image.scanLine(y), data + row * static_cast<std::size_t>(y), row);
    if (data)
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return data ? image : QImage();
}

} // namespace jetscope
