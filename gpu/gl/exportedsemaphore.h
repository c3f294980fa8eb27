// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <array>
#include <cstdint>
#include <memory>

namespace jetscope {

/// A timeline semaphore as file descriptors, for APIs that import but cannot make one: neither CUDA nor OpenGL can, so
/// Vulkan does. Whoever imports a descriptor owns it; those that nobody takes are closed.
class ExportedSemaphore {
public:
    using Uuid = std::array<std::uint8_t, 16>;

    /// On the GPU with this UUID. The error says what of Vulkan is missing. Loads Vulkan and makes an instance; both
    /// stay until the process ends.
    static Result<std::unique_ptr<ExportedSemaphore>> create(const Uuid &gpu);
    ~ExportedSemaphore();
    ExportedSemaphore(const ExportedSemaphore &) = delete;
    ExportedSemaphore &operator=(const ExportedSemaphore &) = delete;

    /// Two descriptors of the same semaphore.
    int first() const { return m_files[0]; }
    int second() const { return m_files[1]; }
    /// The descriptor was imported.
    void taken(int file);

private:
    ExportedSemaphore() = default;

    std::array<int, 2> m_files{-1, -1};
};

} // namespace jetscope
