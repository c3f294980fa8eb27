// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/gl/fence.h"

#include "gpu/base/livecount.h"
#include "gpu/gl/api.h"
#include "gpu/gl/display.h"

#include <condition_variable>
#include <mutex>

namespace jetscope {

struct GlFence::State {
    explicit State(std::shared_ptr<EglDisplay> on) : display(std::move(on)) {}
    ~State()
    {
        if (sync != EGL_NO_SYNC)
            eglDestroySync(display->native(), sync);
    }
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    /// Blocks until the queue has reached the fence.
    EGLSync waitForSync()
    {
        std::unique_lock lock(mutex);
        fulfilledCondition.wait(lock, [this] { return fulfilled; });
        return sync;
    }

    std::shared_ptr<EglDisplay> display;
    std::mutex mutex;
    std::condition_variable fulfilledCondition;
    bool fulfilled = false;
    EGLSync sync = EGL_NO_SYNC; ///< Does not change once fulfilled.
    CountedHandle counted;
};

GlFence::GlFence(std::shared_ptr<State> state) : m_state(std::move(state)) {}

Result<GlFence> GlFence::insert(const std::shared_ptr<EglDisplay> &display)
{
    GlFence fence = promised(display);
    JETSCOPE_TRY(fence.fulfil());
    return fence;
}

GlFence GlFence::promised(const std::shared_ptr<EglDisplay> &display)
{
    return GlFence(std::make_shared<State>(display));
}

Status GlFence::fulfil()
{
    EGLSync sync = eglCreateSync(m_state->display->native(), EGL_SYNC_FENCE, nullptr);
    const Status outcome = sync == EGL_NO_SYNC ? Status(eglError("eglCreateSync(EGL_SYNC_FENCE)")) : Status();
    // Creating the sync need not flush, and a wait on another thread cannot flush this context (rule D6).
    glFlush();
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->sync = sync;
        m_state->fulfilled = true;
    }
    m_state->fulfilledCondition.notify_all();
    return outcome;
}

bool GlFence::signalled() const
{
    if (!m_state)
        return true;
    EGLSync sync = EGL_NO_SYNC;
    {
        const std::lock_guard lock(m_state->mutex);
        if (!m_state->fulfilled)
            return false;
        sync = m_state->sync;
    }
    if (sync == EGL_NO_SYNC)
        return true;
    EGLAttrib status = EGL_UNSIGNALED;
    if (!eglGetSyncAttrib(m_state->display->native(), sync, EGL_SYNC_STATUS, &status))
        return true;
    return status == EGL_SIGNALED;
}

Status GlFence::clientWait() const
{
    if (!m_state)
        return {};
    EGLSync sync = m_state->waitForSync();
    if (sync == EGL_NO_SYNC)
        return {};
    if (eglClientWaitSync(m_state->display->native(), sync, 0, EGL_FOREVER) != EGL_CONDITION_SATISFIED)
        return eglError("eglClientWaitSync");
    return {};
}

Status GlFence::serverWait() const
{
    if (!m_state)
        return {};
    EGLSync sync = m_state->waitForSync();
    if (sync == EGL_NO_SYNC)
        return {};
    if (!eglWaitSync(m_state->display->native(), sync, 0))
        return eglError("eglWaitSync");
    return {};
}

void *GlFence::native() const
{
    return m_state ? m_state->waitForSync() : nullptr;
}

} // namespace jetscope
