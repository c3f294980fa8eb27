// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QPointer>

#include <utility>

namespace jetscope {

/// One GL object of a view's context; empty by default. Made, used and destroyed while that context is current. If it
/// is destroyed while another context or none is current, it is not deleted but ends with its context, because the same
/// number may be another object there.
template <class Kind>
class ViewObject {
public:
    ViewObject() = default;
    /// Makes an object of the current context.
    static ViewObject make()
    {
        ViewObject made;
        made.m_context = QOpenGLContext::currentContext();
        Kind::generate(*made.m_context->extraFunctions(), &made.m_id);
        return made;
    }
    ~ViewObject()
    {
        if (m_id != 0 && m_context && m_context == QOpenGLContext::currentContext())
            Kind::remove(*m_context->extraFunctions(), &m_id);
    }
    ViewObject(ViewObject &&other) noexcept : m_context(std::move(other.m_context)), m_id(std::exchange(other.m_id, 0))
    {
    }
    ViewObject &operator=(ViewObject &&other) noexcept
    {
        std::swap(m_context, other.m_context);
        std::swap(m_id, other.m_id);
        return *this;
    }

    GLuint id() const { return m_id; }
    explicit operator bool() const { return m_id != 0; }

private:
    QPointer<QOpenGLContext> m_context;
    GLuint m_id = 0;
};

struct ViewTextureKind {
    static void generate(QOpenGLExtraFunctions &gl, GLuint *id) { gl.glGenTextures(1, id); }
    static void remove(QOpenGLExtraFunctions &gl, const GLuint *id) { gl.glDeleteTextures(1, id); }
};
using ViewTexture = ViewObject<ViewTextureKind>;

struct ViewBufferKind {
    static void generate(QOpenGLExtraFunctions &gl, GLuint *id) { gl.glGenBuffers(1, id); }
    static void remove(QOpenGLExtraFunctions &gl, const GLuint *id) { gl.glDeleteBuffers(1, id); }
};
using ViewBuffer = ViewObject<ViewBufferKind>;

struct ViewFramebufferKind {
    static void generate(QOpenGLExtraFunctions &gl, GLuint *id) { gl.glGenFramebuffers(1, id); }
    static void remove(QOpenGLExtraFunctions &gl, const GLuint *id) { gl.glDeleteFramebuffers(1, id); }
};
using ViewFramebuffer = ViewObject<ViewFramebufferKind>;

} // namespace jetscope
