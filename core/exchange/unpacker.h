// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace jetscope {

/// Unpacks one compressed file from front to back. One thread.
class Unpacker {
public:
    struct Step {
        std::size_t taken = 0; ///< Of the packed bytes.
        std::size_t given = 0; ///< Bytes unpacked.
        bool damaged = false;  ///< Nothing behind this place can be unpacked.
    };

    virtual ~Unpacker() = default;

    /// Unpacks as much as fits; takes or gives something as long as neither side is empty.
    virtual Step unpack(std::string_view packed, std::span<char> to) = 0;
    /// Whether the packed bytes may end here.
    virtual bool atEnd() const = 0;
};

/// Null when there is no memory for it.
std::unique_ptr<Unpacker> gzipUnpacker();
/// Null when there is no memory for it, or this build reads no zstd (readsZstd).
std::unique_ptr<Unpacker> zstdUnpacker();
bool readsZstd();

} // namespace jetscope
