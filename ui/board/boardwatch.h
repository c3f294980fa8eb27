// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/board/machinereader.h"
#include "ui/session/worker.h"

#include <QObject>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace jetscope {

/// Reads the values of a machine twice a second on a thread of its own, while it is wanted. UI thread.
class BoardWatch : public QObject {
    Q_OBJECT
public:
    /// Makes the reader on the thread of the watch.
    using ReaderMaker = std::function<std::unique_ptr<MachineReader>()>;
    explicit BoardWatch(ReaderMaker make, QObject *parent = nullptr);
    ~BoardWatch() override;
    /// The GPU in use (DeviceFacts::pciBusId): its values come first, as beside the frames.
    void setGpu(const std::string &pciBusId);
    /// The first call starts the thread.
    void setWanted(bool wanted);

signals:
    /// `facts` is the same object each time, unless the machine has changed.
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
    using Teller = std::function<void(BoardValues)>;
    static void work(const ReaderMaker &make, Wishes &wishes, const Teller &tell);

    const ReaderMaker m_make;
    const std::shared_ptr<Wishes> m_wishes = std::make_shared<Wishes>();
    bool m_started = false;
    Worker m_thread{"reading the board's values"};
};

} // namespace jetscope
