// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <memory>

namespace jetscope {

class EglDisplay;

/// A fence behind GL commands, shared by whoever waits for it. On a threaded GL queue the EGLSync comes into
/// being later than this object, when the queue reaches it; every call here takes that into account. Any thread.
class GlFence {
public:
    /// A fence that has signalled from the start.
    GlFence() = default;

    /// Makes the EGLSync on the calling thread, whose context is current, and flushes, so that waits elsewhere
    /// need no flush.
    static Result<GlFence> insert(const std::shared_ptr<EglDisplay> &display);

    /// A fence whose EGLSync will come by `fulfil`.
    static GlFence promised(const std::shared_ptr<EglDisplay> &display);
    /// On the GL queue's thread, its context current. A failure signals the fence, so that nobody waits for ever.
    Status fulfil();

    /// The same for all copies of a fence, as long as one of them lives; null for one that has signalled from the
    /// start.
    const void *id() const { return m_state.get(); }

    /// Whether all commands before the fence are done. Never blocks.
    bool signalled() const;
    /// Blocks the calling thread until then.
    Status clientWait() const;
    /// Makes later commands of the calling thread's current context wait.
    Status serverWait() const;

    /// Blocks until the EGLSync exists (at once on an inline queue) and returns it; null when already signalled
    /// for good. Valid while a copy of this fence lives.
    void *native() const;

private:
    struct State;
    explicit GlFence(std::shared_ptr<State> state);
    std::shared_ptr<State> m_state;
};

} // namespace jetscope
