// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/system/filedescriptor.h"
#include "core/text/sha256.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// A new file that comes in pieces, perhaps over several runs of the program: written as NAME.xxxxxxxxxxxx.part, where
/// the letters stand for the version of its content, until it is whole. Not thread-safe.
class ResumedFile {
public:
    /// Goes on with the part of this version that is there, else begins one. Parts of other versions are removed. The
    /// file must not exist. `goOn` is asked while the part is read; false cancels.
    template <class GoOn>
    static Result<ResumedFile> open(const std::string &path, std::string_view version, const GoOn &goOn)
    {
        JETSCOPE_TRY_ASSIGN(ResumedFile file, openPart(path, version));
        while (true) {
            JETSCOPE_TRY_ASSIGN(const bool more, file.readOn());
            if (!more)
                return file;
            if (!goOn(file.m_size))
                return cancelled();
        }
    }
    ResumedFile(ResumedFile &&) noexcept = default;
    ResumedFile &operator=(ResumedFile &&) noexcept = delete;

    /// Whether a part of another version was there.
    bool hasReplaced() const { return m_hasReplaced; }
    std::uint64_t size() const { return m_size; }
    /// The error names the remedy; what was written stays.
    Status append(std::span<const std::byte> bytes);
    /// SHA-256 of what is there.
    std::string sum() const { return m_sum.hex(); }
    /// Begins again.
    Status clear();
    /// Gives it its name.
    Status publish();

private:
    ResumedFile(std::string path, std::string partPath, FileDescriptor file, bool hasReplaced)
        : m_path(std::move(path)), m_partPath(std::move(partPath)), m_file(std::move(file)), m_hasReplaced(hasReplaced)
    {
    }
    static Result<ResumedFile> openPart(const std::string &path, std::string_view version);
    static Error cancelled();
    Result<bool> readOn();
    Error failure(int reason) const;

    std::string m_path;
    std::string m_partPath;
    FileDescriptor m_file;
    std::uint64_t m_size = 0;
    Sha256 m_sum;
    bool m_hasReplaced;
};

} // namespace jetscope
