// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QCryptographicHash>

#include <cstddef>
#include <string>

namespace jetscope {

/// SHA-256 over output frames in the order in which they are added. One thread at a time.
class FrameChecksum {
public:
    /// RGBA8, top row first, unpadded.
    void add(const std::byte *rgba, int width, int height);
    std::string hex() const;

private:
    QCryptographicHash m_hash{QCryptographicHash::Sha256};
};

} // namespace jetscope
