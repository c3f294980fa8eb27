// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

namespace jetscope {

// What every back end's copyAsync has in common.

inline Status checkCopy(const BufferRange &to, const BufferRange &from)
{
    if (!to || !from || to.bytes != from.bytes || !to.fits() || !from.fits())
        return Error{"cudaMemcpyAsync", 1, "source and destination must be ranges of one length within their buffers"};
    return {};
}

/// The address that this kind of copy writes; null where the buffer has none on that side.
inline std::byte *copyTarget(const BufferRange &to, CopyKind kind)
{
    return kind == CopyKind::DeviceToHost ? to.host() : to.device();
}

inline const std::byte *copySource(const BufferRange &from, CopyKind kind)
{
    return kind == CopyKind::HostToDevice ? from.host() : from.device();
}

} // namespace jetscope
