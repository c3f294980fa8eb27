// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/context.h"

#include "gpu/gl/api.h"

namespace jetscope {

namespace {

constexpr const char *kNeedsGles3 =
    "Jetscope needs OpenGL ES 3.0 or later, which the driver of this display does not give: update the driver of the "
    "GPU, or use Mesa's software renderer (LIBGL_ALWAYS_SOFTWARE=1)";

/// The config of the context to share with (sharing across configs is not portable), otherwise any GLES 3 config.
Result<EGLConfig> chooseConfig(EGLDisplay display, EGLContext share)
{
    EGLint wantedId = 0;
    if (share != EGL_NO_CONTEXT)
        eglQueryContext(display, share, EGL_CONFIG_ID, &wantedId);
    const EGLint byId[] = {EGL_CONFIG_ID, wantedId, EGL_NONE};
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wantedId != 0 ? byId : any, &config, 1, &count))
        return eglError("eglChooseConfig");
    if (count == 0)
        return Error{"eglChooseConfig", 0, std::string("there is no configuration for it; ") + kNeedsGles3};
    return config;
}

} // namespace

EglContext::EglContext(std::shared_ptr<EglDisplay> display, void *context)
    : m_display(std::move(display)), m_context(context)
{
}

EglContext::~EglContext()
{
    if (eglGetCurrentContext() == m_context)
        doneCurrent();
    eglDestroyContext(m_display->native(), m_context);
}

Result<std::unique_ptr<EglContext>> EglContext::create(std::shared_ptr<EglDisplay> display, void *share)
{
    JETSCOPE_TRY_ASSIGN(EGLConfig config, chooseConfig(display->native(), share));
    // The API binding is per thread, and Qt may have bound desktop GL on this thread.
    const EGLenum boundApi = eglQueryAPI();
    eglBindAPI(EGL_OPENGL_ES_API);
    const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
    EGLContext context = eglCreateContext(display->native(), config, share, attributes);
    Result<std::unique_ptr<EglContext>> result = context == EGL_NO_CONTEXT
        ? Result<std::unique_ptr<EglContext>>(eglError("eglCreateContext", kNeedsGles3))
        : Result<std::unique_ptr<EglContext>>(std::unique_ptr<EglContext>(new EglContext(std::move(display), context)));
    eglBindAPI(boundApi);
    return result;
}

Status EglContext::makeCurrent()
{
    eglBindAPI(EGL_OPENGL_ES_API);
    if (!eglMakeCurrent(m_display->native(), EGL_NO_SURFACE, EGL_NO_SURFACE, m_context))
        return eglError("eglMakeCurrent");
    return {};
}

void EglContext::doneCurrent()
{
    eglMakeCurrent(m_display->native(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

} // namespace jetscope
