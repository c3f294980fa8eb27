// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakeboardstreams.h"

#include "gpu/gl/api.h"
#include "tests/support/fakeboarddevice.h"

#include <utility>

namespace jetscope::testing {

namespace {

EGLStreamKHR EGLAPIENTRY createBoardStream(EGLDisplay, const EGLint *)
{
    return &fakeBoardStream();
}

EGLBoolean EGLAPIENTRY destroyBoardStream(EGLDisplay, EGLStreamKHR)
{
    FakeBoardStream &stream = fakeBoardStream();
    stream.waiting.clear();
    stream.consumed.clear();
    stream.before = nullptr;
    stream.shown = 0;
    stream.eglImage.reset();
    stream.texture.reset();
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY connectBoardTexture(EGLDisplay, EGLStreamKHR)
{
    glGetIntegerv(GL_TEXTURE_BINDING_EXTERNAL_OES, &fakeBoardStream().externalTexture);
    return EGL_TRUE;
}

/// Shows the frame's bytes in the external texture of the current context.
EGLBoolean EGLAPIENTRY acquireBoardFrame(EGLDisplay, EGLStreamKHR)
{
    FakeBoardStream &stream = fakeBoardStream();
    const MemoryImage *const frame = stream.next(stream.repeatsForGl);
    if (!frame)
        return EGL_FALSE;
    Result<std::unique_ptr<GlTexture>> texture = GlTexture::create(frame->width(), frame->height());
    if (!texture.ok())
        return EGL_FALSE;
    Result<std::unique_ptr<EglImage>> image =
        EglImage::create(stream.display, eglGetCurrentContext(), texture.value()->id());
    const bool isUploaded =
        texture.value()->upload(frame->memory().host(), frame->layout().planes[0].pitch).ok() && image.ok();
    if (!isUploaded)
        return EGL_FALSE;
    glBindTexture(GL_TEXTURE_EXTERNAL_OES, static_cast<GLuint>(stream.externalTexture));
    eglApi().imageTargetTexture2D(GL_TEXTURE_EXTERNAL_OES, image.value()->native());
    stream.eglImage = std::move(image).value();
    stream.texture = std::move(texture).value();
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY releaseBoardFrame(EGLDisplay, EGLStreamKHR)
{
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY queryBoardStream(EGLDisplay, EGLStreamKHR, EGLenum, EGLint *value)
{
    *value = fakeBoardStream().waiting.empty() ? EGL_STREAM_STATE_EMPTY_KHR : EGL_STREAM_STATE_NEW_FRAME_AVAILABLE_KHR;
    return EGL_TRUE;
}

EGLBoolean EGLAPIENTRY countBoardFrames(EGLDisplay, EGLStreamKHR, EGLenum, EGLuint64KHR *value)
{
    *value = fakeBoardStream().shown;
    return EGL_TRUE;
}

} // namespace

MemoryImage *FakeBoardStream::next(bool repeats)
{
    if (waiting.empty())
        return nullptr;
    MemoryImage *const newest = waiting.front();
    waiting.pop_front();
    consumed.push_back(newest);
    ++shown;
    MemoryImage *const old = std::exchange(before, newest);
    return repeats && old ? old : newest;
}

FakeBoardStream &fakeBoardStream()
{
    static FakeBoardStream stream;
    return stream;
}

const EglStreamApi &fakeBoardStreams()
{
    static const EglStreamApi api{createBoardStream, destroyBoardStream, connectBoardTexture, acquireBoardFrame,
                                  releaseBoardFrame, queryBoardStream,   countBoardFrames};
    return api;
}

} // namespace jetscope::testing
