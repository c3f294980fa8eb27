// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/base/livecount.h"

#include <memory>

namespace jetscope {

class GlFramebuffer;

/// Draws an external texture into a framebuffer, pixel for pixel, because external textures can be sampled but not
/// copied or read. All calls require the same current context.
class ExternalDraw {
public:
    static Result<std::unique_ptr<ExternalDraw>> create();
    ~ExternalDraw();
    ExternalDraw(const ExternalDraw &) = delete;
    ExternalDraw &operator=(const ExternalDraw &) = delete;

    Status draw(unsigned externalTexture, const GlFramebuffer &to) const;

private:
    explicit ExternalDraw(unsigned program);
    unsigned m_program;
    int m_size;
    CountedHandle m_counted;
};

} // namespace jetscope
