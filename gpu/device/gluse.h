// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/buffer.h"

#include <array>
#include <cstddef>
#include <span>

namespace jetscope {

class Device;
class Image;

/// What a GL command does to a texture.
struct GlUse {
    unsigned texture = 0;
    const Image *image = nullptr; ///< The same pixels as the device knows them; null where it does not reach them.
    Access access = Access::Read;
    bool respecifies = false; ///< The texture gets new storage (glTexImage2D), so that its image has none of it.
};

/// What one command of a GL queue does to textures, and the device that shares them. Made for the call that submits
/// the command; allocates nothing.
class GlUses {
public:
    GlUses(Device &device, const GlUse &use) : m_device(&device), m_uses{use}, m_count(1) {}
    GlUses(Device &device, const GlUse &first, const GlUse &second)
        : m_device(&device), m_uses{first, second}, m_count(2)
    {
    }

    Device &device() const { return *m_device; }
    std::span<const GlUse> uses() const { return {m_uses.data(), m_count}; }

private:
    Device *m_device;
    std::array<GlUse, 2> m_uses;
    std::size_t m_count;
};

} // namespace jetscope
