// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/system/filedescriptor.h"
#include "gpu/remote/capturename.h"

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

/// A capture in the folder of a machine.
struct BoardCapture {
    std::string name; ///< Of the file, without a folder; isCaptureName.
    std::uint64_t bytes = 0;
    std::int64_t lengthNs = 0;  ///< Of what was recorded; 0: not known.
    std::int64_t writtenNs = 0; ///< When it was written last: Unix time of the machine, for the eye only.
    bool grows = false;         ///< It is being recorded.
    std::string version;        ///< Another one whenever the content changed.
    std::string trouble;        ///< Why it cannot be fetched as it is; usually empty.
};

/// All of them, and where they are.
struct CaptureList {
    std::string folder;
    std::optional<std::uint64_t> freeBytes; ///< Of its disk; none if that is not known.
    std::vector<BoardCapture> captures;     ///< The newest first.
};

/// Where this machine's recordings for laptops are: $XDG_DATA_HOME/jetscope/captures, by default in ~/.local/share,
/// for this user alone. Any thread; all functions but `freeBytes` wait for the disk.
class CaptureFolder {
public:
    explicit CaptureFolder(std::string path) : m_path(std::move(path)) {}
    /// The user's; it is made when the first capture is.
    static CaptureFolder ofUser();
    CaptureFolder(CaptureFolder &&other) noexcept : m_path(other.m_path) {}

    const std::string &path() const { return m_path; }
    std::string pathOf(const std::string &name) const { return m_path + "/" + name; }
    Status make() const;
    /// What is free on its disk for this user; none if that is not known.
    std::optional<std::uint64_t> freeBytes() const;
    /// "12 MB free in ~/.local/share/jetscope/captures"
    std::string roomText() const;

    /// Files that a killed program left behind beside a capture are put into it. `growing` is what
    /// this process records; what another one does is seen.
    CaptureList list(const std::string &growing = {});
    Status remove(const std::string &name, const std::string &growing = {}) const;
    /// For reading from its beginning: the capture as it is now.
    Result<std::pair<FileDescriptor, BoardCapture>> openToRead(const std::string &name, const std::string &growing);
    /// SHA-256 of the whole file. Remembered for the version. An error if it is not of this version, or `stops`.
    Result<std::string> sumOf(const std::string &name, const std::string &version, const std::atomic<bool> &stops);

private:
    std::optional<BoardCapture> look(const std::string &name, const std::string &growing);

    const std::string m_path;
    std::mutex m_mutex;                                                    ///< For what is remembered by name.
    std::map<std::string, std::pair<std::string, std::int64_t>> m_lengths; ///< Version and length.
    std::map<std::string, std::pair<std::string, std::string>> m_sums;     ///< Version and sum.
};

} // namespace jetscope
