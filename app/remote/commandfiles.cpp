// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/remote/commandfiles.h"

#include "core/text/utf8.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace jetscope {

void SharedFolder::share(const std::string &file)
{
    std::error_code gone;
    const auto time = std::filesystem::last_write_time(file, gone);
    if (!gone)
        m_shared[file] = time;
}

bool SharedFolder::isShared() const
{
    std::error_code ended;
    for (std::filesystem::directory_iterator entry(m_path, ended), end; !ended && entry != end;
         entry.increment(ended)) {
        std::error_code gone;
        const auto shared = m_shared.find(entry->path().string());
        if (shared == m_shared.end() || entry->last_write_time(gone) != shared->second)
            return false;
    }
    return !ended;
}

/// A file of the folder; empty for any other path.
std::string CommandFiles::fileAt(const std::string &path) const
{
    const std::string prefix = m_folder.path() + "/";
    const bool isInside = path.starts_with(prefix) && path.find('/', prefix.size()) == std::string::npos
        && isPlainLine(path) && path != prefix + "." && path != prefix + "..";
    return isInside ? path : std::string();
}

void CommandFiles::read(const ReadFile &wish)
{
    Result<FileStream> file = openRegularFile(fileAt(wish.path));
    std::error_code unknown;
    if (!std::filesystem::exists(fileAt(wish.path), unknown))
        return m_pipe.send(FileEnd{wish.id, 0, kMissing});
    const std::uint64_t size = std::filesystem::file_size(wish.path, unknown);
    if (m_sent || !file.ok() || unknown || wish.fromByte > size)
        return m_pipe.send(FileEnd{wish.id, 0, file.ok() ? "it cannot be read" : file.error().text});
    m_sent = std::move(file).value();
    m_sentPath = wish.path;
    m_sentId = wish.id;
    m_sentSize = size;
    m_sentBytes = wish.fromByte;
    std::fseek(m_sent.get(), static_cast<long>(wish.fromByte), SEEK_SET);
}

void CommandFiles::pass()
{
    while (m_sent && m_pipe.mayAddBulk()) {
        FileBlock block{m_sentId, m_sentBytes, std::vector<std::byte>(kMaxFileBlock)};
        block.bytes.resize(std::fread(block.bytes.data(), 1, block.bytes.size(), m_sent.get()));
        m_sentBytes += block.bytes.size();
        if (!block.bytes.empty()) {
            m_pipe.send(block);
            m_pipe.push();
            continue;
        }
        m_sent.reset();
        if (m_sentBytes == m_sentSize)
            m_folder.share(m_sentPath);
        m_pipe.send(FileEnd{m_sentId, m_sentSize, m_sentBytes == m_sentSize ? "" : "it changed while it was read"});
    }
}

/// What came over an earlier connection is there already, which the answer says.
void CommandFiles::write(const WriteFile &wish)
{
    const std::string path = fileAt(wish.path);
    m_taken.reset(path.empty() ? nullptr : std::fopen(path.c_str(), "abe"));
    m_takenPath = path;
    const long size = m_taken && std::fseek(m_taken.get(), 0, SEEK_END) == 0 ? std::ftell(m_taken.get()) : -1;
    m_takenBytes = size > 0 ? static_cast<std::uint64_t>(size) : 0;
    m_takenError = size >= 0 ? "" : "it cannot be written";
    m_pipe.send(FileEnd{wish.id, m_takenBytes, m_takenError});
}

void CommandFiles::take(const FileBlock &block)
{
    if (!m_taken || block.fromByte != m_takenBytes)
        return;
    if (std::fwrite(block.bytes.data(), 1, block.bytes.size(), m_taken.get()) != block.bytes.size())
        m_takenError = std::strerror(errno);
    m_takenBytes += block.bytes.size();
}

void CommandFiles::finish(const FileEnd &end)
{
    std::FILE *const file = m_taken.release();
    if (file && std::fclose(file) != 0 && m_takenError.empty())
        m_takenError = std::strerror(errno);
    if (m_takenError.empty() && m_takenBytes != end.size)
        m_takenError = "it is not whole";
    if (m_takenError.empty())
        m_folder.share(m_takenPath);
    m_pipe.send(FileEnd{end.id, m_takenBytes, m_takenError});
}

} // namespace jetscope
