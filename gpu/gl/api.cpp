// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/api.h"

#include <cstdio>

namespace jetscope {

namespace {

const char *eglErrorName(EGLint code)
{
    switch (code) {
    case EGL_NOT_INITIALIZED:
        return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS:
        return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC:
        return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE:
        return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONTEXT:
        return "EGL_BAD_CONTEXT";
    case EGL_BAD_CONFIG:
        return "EGL_BAD_CONFIG";
    case EGL_BAD_DISPLAY:
        return "EGL_BAD_DISPLAY";
    case EGL_BAD_MATCH:
        return "EGL_BAD_MATCH";
    case EGL_BAD_PARAMETER:
        return "EGL_BAD_PARAMETER";
    case EGL_CONTEXT_LOST:
        return "EGL_CONTEXT_LOST";
    default:
        return "the call failed";
    }
}

} // namespace

const EglApi &eglApi()
{
    static const EglApi api;
    return api;
}

Error eglError(std::string call, std::string remedy)
{
    const EGLint code = eglGetError();
    std::string text = eglErrorName(code);
    if (!remedy.empty())
        text += "; " + remedy;
    return Error{std::move(call), code == EGL_SUCCESS ? 0 : code, std::move(text)};
}

Status glStatus(std::string call)
{
    const GLenum first = glGetError();
    if (first == GL_NO_ERROR)
        return {};
    // A lost context reports an error on every call, so the loop is bounded.
    for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {}
    char text[64];
    std::snprintf(text, sizeof text, "GL error 0x%04x", first);
    return Error{std::move(call), static_cast<long>(first), text};
}

} // namespace jetscope
