// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/unpacker.h"
#include "core/result.h"
#include "core/system/regularfile.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// Reads a file sequentially and decompresses gzip and zstd. Only a part of the file is in memory at a time. Not
/// thread-safe.
class ByteSource {
public:
    static Result<ByteSource> open(const std::string &path);

    /// Fills `to` and returns the number of bytes, which is smaller than `to` only at the end. An error if the file
    /// cannot be read or if its decompressed size is implausible for a trace.
    Result<std::size_t> read(std::span<char> to);

    /// The fraction of the file that has been read, 0 to 1.
    double fraction() const;
    bool isPacked() const { return m_unpacker != nullptr; }
    /// Whether the data ends too early: the compressed file is truncated, or damaged from that point on.
    bool endsEarly() const { return m_endsEarly; }

private:
    ByteSource(FileStream file, std::string path, std::uint64_t size);
    Status choose();
    Result<std::size_t> readFile(std::span<char> to);
    Result<std::size_t> readPacked(std::span<char> to);

    FileStream m_file;
    std::string m_path;
    std::uint64_t m_size;
    std::uint64_t m_taken = 0; ///< Bytes read from the file.
    std::uint64_t m_given = 0;
    std::unique_ptr<Unpacker> m_unpacker;
    std::string m_packed;    ///< A part of the file.
    std::string_view m_left; ///< The part of m_packed that is still compressed.
    bool m_endsEarly = false;
    bool m_over = false;
};

} // namespace jetscope
