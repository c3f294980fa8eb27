// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>

namespace jetscope {

class EglDisplay;

/// A fence after GL commands, shared by all its waiters. On a threaded GL queue the EGLSync is created later than this
/// object, when the queue reaches it; every function here handles that. Any thread.
class GlFence {
public:
    /// A fence that is already signalled.
    GlFence() = default;

    /// Creates the EGLSync on the calling thread, whose context is current, and flushes, so that waits on other threads
    /// need no flush.
    static Result<GlFence> insert(const std::shared_ptr<EglDisplay> &display);

    /// A fence whose EGLSync `fulfil` creates later.
    static GlFence promised(const std::shared_ptr<EglDisplay> &display);
    /// Call on the GL queue's thread with its context current. A failure signals the fence, so that waits end.
    Status fulfil();

    /// The same for all copies of a fence, as long as one of them lives; null for one that has signalled from the
    /// start.
    const void *id() const { return m_state.get(); }

    /// Whether all commands before the fence are done. Never blocks.
    bool signalled() const;
    /// Blocks the calling thread until the fence is signalled.
    Status clientWait() const;
    /// Makes later commands of the calling thread's current context wait.
    Status serverWait() const;

    /// Blocks until the EGLSync exists (at once on an inline queue) and returns it; null if the fence is already
    /// signalled for good. Valid while a copy of this fence exists.
    void *native() const;

private:
    struct State;
    explicit GlFence(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

} // namespace jetscope
