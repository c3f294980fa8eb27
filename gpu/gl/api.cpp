// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/api.h"

#include <cstdio>
#include <utility>

namespace jetscope {

namespace {

constexpr std::pair<EGLint, const char *> kEglErrors[] = {
    {EGL_NOT_INITIALIZED, "EGL_NOT_INITIALIZED"},
    {EGL_BAD_ACCESS, "EGL_BAD_ACCESS"},
    {EGL_BAD_ALLOC, "EGL_BAD_ALLOC"},
    {EGL_BAD_ATTRIBUTE, "EGL_BAD_ATTRIBUTE"},
    {EGL_BAD_CONTEXT, "EGL_BAD_CONTEXT"},
    {EGL_BAD_CONFIG, "EGL_BAD_CONFIG"},
    {EGL_BAD_DISPLAY, "EGL_BAD_DISPLAY"},
    {EGL_BAD_MATCH, "EGL_BAD_MATCH"},
    {EGL_BAD_PARAMETER, "EGL_BAD_PARAMETER"},
    {EGL_CONTEXT_LOST, "EGL_CONTEXT_LOST"},
};

const char *eglErrorName(EGLint code)
{
    for (const auto &[known, name] : kEglErrors)
        if (known == code)
            return name;
    return "the call failed";
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
