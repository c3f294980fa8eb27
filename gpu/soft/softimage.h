// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cstdint>

namespace jetscope {

class SoftDevice;

/// An EGLImage of the software iGPU: stream workers access it through siblings in their own contexts.
class SoftImage final : public Image {
public:
    SoftImage(SoftDevice &device, std::uint64_t id, void *eglImage, int width, int height);
    ~SoftImage() override;

    std::uint64_t id() const { return m_id; }
    void *eglImage() const { return m_eglImage; }

private:
    SoftDevice &m_device;
    std::uint64_t m_id;
    void *m_eglImage;
};

} // namespace jetscope
