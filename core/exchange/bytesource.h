// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/unpacker.h"
#include "core/result.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// A file from front to back, unpacked on the way where it is packed with gzip or zstd. Holds a piece of it at a time.
/// One thread.
class ByteSource {
public:
    static Result<ByteSource> open(const std::string &path);

    /// Fills `to` from its front and says how far: less than asked for only at the end. An error when the file cannot
    /// be read or becomes more than any trace would.
    Result<std::size_t> read(std::span<char> to);

    /// The part of the file that has been read, 0 to 1.
    double fraction() const;
    bool isPacked() const { return m_unpacker != nullptr; }
    /// Whether what was read ends before it should: a packed file lacks its end, or is damaged from there on.
    bool endsEarly() const { return m_endsEarly; }

private:
    ByteSource(std::FILE *file, std::string path, std::uint64_t size);
    Status choose();
    Result<std::size_t> readFile(std::span<char> to);
    Result<std::size_t> readPacked(std::span<char> to);

    struct Close {
        void operator()(std::FILE *file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> m_file;
    std::string m_path;
    std::uint64_t m_size;
    std::uint64_t m_taken = 0; ///< Bytes of the file.
    std::uint64_t m_given = 0;
    std::unique_ptr<Unpacker> m_unpacker;
    std::string m_packed;    ///< A piece of the file.
    std::string_view m_left; ///< What of it is still packed.
    bool m_endsEarly = false;
    bool m_over = false;
};

} // namespace jetscope
