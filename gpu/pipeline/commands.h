// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipelineconfig.h"
#include "gpu/pipeline/wakeevent.h"
#include "gpu/sources/framesource.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace jetscope {

/// What the owner has asked of the pipeline and the pipeline has not begun yet. A newer command of a kind replaces the
/// older one, so that a user who clicks faster than resources can be built gets the last choice. Any thread.
class Commands {
public:
    explicit Commands(WakeEvent &wakeEvent) : m_wakeEvent(wakeEvent) {}

    struct Pending {
        std::optional<PipelineConfig> config;
        std::optional<std::string> deviceId; ///< Together with `config`.
        std::unique_ptr<FrameSource> source;
        bool paused = false;
        int steps = 0;
        bool stop = false;
    };

    void change(PipelineConfig config)
    {
        post([&](Pending &pending) { pending.config = std::move(config); });
    }
    void changeDevice(std::string deviceId, PipelineConfig config)
    {
        post([&](Pending &pending) {
            pending.deviceId = std::move(deviceId);
            pending.config = std::move(config);
        });
    }
    void changeSource(std::unique_ptr<FrameSource> source)
    {
        post([&](Pending &pending) { pending.source = std::move(source); });
    }
    void setPaused(bool paused)
    {
        post([&](Pending &pending) { pending.paused = paused; });
    }
    void step()
    {
        post([&](Pending &pending) { ++pending.steps; });
    }
    void stop()
    {
        post([&](Pending &pending) { pending.stop = true; });
    }

    /// What came since the last call; `paused` and `stop` are states and stay.
    Pending take()
    {
        const std::lock_guard lock(m_mutex);
        Pending taken = std::move(m_pending);
        m_pending = Pending();
        m_pending.paused = taken.paused;
        m_pending.stop = taken.stop;
        return taken;
    }

    /// Whether there is something to take (or the pipeline is to stop or pause, which is told again and again).
    bool any() const
    {
        const std::lock_guard lock(m_mutex);
        return m_pending.config || m_pending.source || m_pending.steps > 0 || m_pending.paused || m_pending.stop;
    }

private:
    template <class Edit>
    void post(Edit edit)
    {
        {
            const std::lock_guard lock(m_mutex);
            edit(m_pending);
        }
        m_wakeEvent.wake();
    }

    WakeEvent &m_wakeEvent;
    mutable std::mutex m_mutex;
    Pending m_pending;
};

} // namespace jetscope
