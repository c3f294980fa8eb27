// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"
#include "gpu/board/machinesampler.h"

#include <QObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace jetscope {

/// What a machine is and has; the same for all its states.
struct BoardFacts {
    BoardIdentity identity;
    BoardLayout layout;
    std::string nvmlReason; ///< Why NVML tells nothing; empty if it does.
};

/// Reads the values of the machine twice a second on a thread of its own, while it is wanted. UI thread.
class BoardWatch : public QObject {
    Q_OBJECT
public:
    /// Makes the sampler on the thread of the watch.
    using SamplerMaker = std::function<MachineSampler()>;
    explicit BoardWatch(SamplerMaker make, std::string root, QObject *parent = nullptr);
    ~BoardWatch() override;
    /// The GPU in use (DeviceFacts::pciBusId): its values come first, as beside the frames.
    void setGpu(const std::string &pciBusId);
    /// The first call starts the thread.
    void setWanted(bool wanted);

signals:
    /// `facts` is the same object each time.
    void read(const std::shared_ptr<const jetscope::BoardFacts> &facts, const jetscope::BoardState &state);

private:
    void work();

    const SamplerMaker m_make;
    const std::string m_root;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::string m_pciBusId;
    bool m_wanted = false;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope
