// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/choices.h"
#include "core/settings/devicefacts.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace jetscope {

/// A load that runs beside a pipeline on threads of its own, from its creation until it goes.
class BesideLoad {
public:
    /// Null for Beside::Nothing. The error is the reason why the device cannot have it.
    static Result<std::unique_ptr<BesideLoad>> create(Beside kind, const DeviceFacts &facts);
    virtual ~BesideLoad() = default;
    BesideLoad(const BesideLoad &) = delete;
    BesideLoad &operator=(const BesideLoad &) = delete;

    Beside kind() const { return m_kind; }
    /// Read and written so far, of all such loads in the process. Any thread.
    static std::uint64_t bytesMoved() { return s_bytes.load(std::memory_order_relaxed); }

protected:
    explicit BesideLoad(Beside kind) : m_kind(kind) {}
    static void moved(std::uint64_t bytes) { s_bytes.fetch_add(bytes, std::memory_order_relaxed); }

private:
    inline static std::atomic<std::uint64_t> s_bytes{0};

    const Beside m_kind;
};

} // namespace jetscope
