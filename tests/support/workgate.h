// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace jetscope::testing {

/// Holds work back until the test opens it. It also opens when its scope ends, so that a failed assertion leaves no
/// thread that waits for ever: declare it behind what waits for that work when it is destroyed, such as a stream.
class WorkGate {
public:
    WorkGate() = default;
    WorkGate(const WorkGate &) = delete;
    WorkGate &operator=(const WorkGate &) = delete;
    ~WorkGate() { open(); }

    void open() { *m_isOpen = true; }
    /// Work that ends once the gate is open; may outlive the gate.
    std::function<void()> work() const
    {
        return [isOpen = m_isOpen] {
            while (!*isOpen)
                std::this_thread::yield();
        };
    }

private:
    const std::shared_ptr<std::atomic<bool>> m_isOpen = std::make_shared<std::atomic<bool>>(false);
};

} // namespace jetscope::testing
