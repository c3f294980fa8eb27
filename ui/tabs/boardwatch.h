// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"

#include <QObject>

#include <condition_variable>
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
    /// `root`: "/" except in tests.
    explicit BoardWatch(std::string root, QObject *parent = nullptr);
    ~BoardWatch() override;
    /// The first call starts the thread.
    void setWanted(bool wanted);

signals:
    /// `facts` is the same object each time.
    void read(const std::shared_ptr<const jetscope::BoardFacts> &facts, const jetscope::BoardState &state);

private:
    void work();

    const std::string m_root;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_wanted = false;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope
