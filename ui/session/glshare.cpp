// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/glshare.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <qopenglcontext_platform.h>

namespace jetscope {

namespace {

GlShare without(std::string reason)
{
    GlShare share;
    share.reason = std::move(reason);
    return share;
}

/// EGLDisplay of the current context, queried through the context: this also works if the program is not linked to EGL
/// (QEGLContext::display() exists since Qt 6.3).
void *currentEglDisplay(QOpenGLContext &context)
{
    using GetCurrentDisplay = void *(*)();
    const auto get = reinterpret_cast<GetCurrentDisplay>(context.getProcAddress("eglGetCurrentDisplay"));
    return get ? get() : nullptr;
}

} // namespace

GlShare findGlShare()
{
    QOpenGLContext *global = QOpenGLContext::globalShareContext();
    if (!global || !global->isValid())
        return without("Qt's platform \"" + QGuiApplication::platformName().toStdString() + "\" has no OpenGL ES");
#if QT_CONFIG(egl)
    const auto *egl = global->nativeInterface<QNativeInterface::QEGLContext>();
    if (!egl)
        return without("Qt is not on EGL; start with QT_XCB_GL_INTEGRATION=xcb_egl");
    QOffscreenSurface surface;
    surface.setFormat(global->format());
    surface.create();
    if (!global->makeCurrent(&surface))
        return without("Qt's shared context cannot be made current");
    void *display = currentEglDisplay(*global);
    GlShare share;
    share.context = egl->nativeContext();
    global->doneCurrent();
    if (!display)
        return without("Qt's EGL display was not found");
    auto adopted = EglDisplay::adopt(display);
    if (!adopted.ok())
        return without(adopted.error().message());
    share.display = std::move(adopted).value();
    return share;
#else
    return without("this Qt was built without EGL");
#endif
}

} // namespace jetscope
