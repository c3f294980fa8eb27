// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"
#include "gpu/board/machinesampler.h"
#include "ui/session/worker.h"

#include <QObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// What a machine is and has; the same for all its states.
struct BoardFacts {
    BoardIdentity identity;
    BoardLayout layout;
    std::string nvmlReason;             ///< Why NVML tells nothing; empty if it does.
    std::int64_t wallClockOffsetNs = 0; ///< Unix time minus the clock of the states; 0: unknown.
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
    /// Shared with the thread, which may outlive the watch.
    struct Wishes {
        std::mutex mutex;
        std::condition_variable changed;
        std::string pciBusId;
        bool wanted = false;
        bool stopping = false;
    };
    using Teller = std::function<void(const std::shared_ptr<const BoardFacts> &, const BoardState &)>;
    static void work(const SamplerMaker &make, const std::string &root, Wishes &wishes, const Teller &tell);

    const SamplerMaker m_make;
    const std::string m_root;
    const std::shared_ptr<Wishes> m_wishes = std::make_shared<Wishes>();
    bool m_started = false;
    Worker m_thread{"reading the board's values"};
};

} // namespace jetscope
