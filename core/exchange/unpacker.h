// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace jetscope {

/// Decompresses one file sequentially. Not thread-safe.
class Unpacker {
public:
    struct Step {
        std::size_t taken = 0; ///< Compressed bytes consumed.
        std::size_t given = 0; ///< Decompressed bytes written.
        bool damaged = false;  ///< The rest of the file cannot be decompressed.
    };

    virtual ~Unpacker() = default;

    /// Decompresses as much as fits; makes progress as long as neither side is empty.
    virtual Step unpack(std::string_view packed, std::span<char> to) = 0;
    /// Whether the compressed data may end here.
    virtual bool atEnd() const = 0;
};

/// Null if out of memory.
std::unique_ptr<Unpacker> gzipUnpacker();
/// Null if out of memory or if this build has no zstd support (readsZstd).
std::unique_ptr<Unpacker> zstdUnpacker();
bool readsZstd();

} // namespace jetscope
