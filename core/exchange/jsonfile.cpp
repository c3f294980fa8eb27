// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/jsonfile.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sys/mman.h>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kReadAtOnce = 4 << 20;
constexpr std::size_t kHugePage = 2 << 20;
constexpr std::string_view kSpace = " \t\r\n";

} // namespace

JsonFile::JsonFile(Bytes bytes, std::size_t capacity, std::size_t size)
    : m_bytes(std::move(bytes)), m_capacity(capacity), m_end(size)
{
    std::memset(m_bytes.get() + size, 0, m_capacity - size);
}

std::size_t JsonFile::capacityFor(std::size_t size)
{
    const std::size_t needed = size + simdjson::SIMDJSON_PADDING + 1; // One for the bracket that mend() adds.
    return (needed + kHugePage - 1) / kHugePage * kHugePage;
}

Result<JsonFile> JsonFile::read(const std::string &path, Progress &progress, double share)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (error || !file)
        return sentence(path + " cannot be read: check the path and its permissions");
    if (size >= simdjson::SIMDJSON_MAXSIZE_BYTES - simdjson::SIMDJSON_PADDING)
        return sentence(path + " is larger than 4 GB, which is the most that can be read: record a shorter trace");
    const std::size_t capacity = capacityFor(static_cast<std::size_t>(size));
    Bytes bytes(static_cast<char *>(std::aligned_alloc(kHugePage, capacity)));
    if (!bytes)
        return sentence("there is not enough memory for " + path + ": close other programs, then try again");
    // Hundreds of megabytes in small pages would cost as much as reading them; where this is refused, it is only
    // slower.
    (void)madvise(bytes.get(), capacity, MADV_HUGEPAGE);
    JsonFile json(std::move(bytes), capacity, static_cast<std::size_t>(size));
    for (std::size_t got = 0; got < size;) {
        const std::size_t wanted = std::min(kReadAtOnce, static_cast<std::size_t>(size) - got);
        if (std::fread(json.m_bytes.get() + got, 1, wanted, file.get()) != wanted)
            return sentence(path + " could not be read to its end: take another copy of it");
        got += wanted;
        if (!progress.advance(share * static_cast<double>(got) / static_cast<double>(size)))
            return cancelledError();
    }
    json.trim();
    return json;
}

void JsonFile::trim()
{
    if (text().starts_with("\xef\xbb\xbf"))
        m_begin = 3;
    const std::size_t first = text().find_first_not_of(kSpace);
    m_begin = first == std::string_view::npos ? m_end : m_begin + first;
    const std::size_t last = text().find_last_not_of(kSpace);
    m_end = last == std::string_view::npos ? m_begin : m_begin + last + 1;
}

bool JsonFile::isCutShort() const
{
    return text().starts_with('[') && (text().size() == 1 || text().back() != ']');
}

void JsonFile::mend()
{
    std::size_t whole = 1; // Behind the bracket.
    std::size_t depth = 0;
    bool inText = false;
    const std::string_view all = text();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const char c = all[i];
        if (inText) {
            i += c == '\\' ? 1 : 0;
            inText = c != '"';
        } else if (c == '"') {
            inText = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            depth -= depth > 0 ? 1 : 0;
            whole = depth == 1 ? i + 1 : whole;
        }
    }
    m_end = m_begin + whole;
    m_bytes.get()[m_end++] = ']';
    std::memset(m_bytes.get() + m_end, 0, m_capacity - m_end);
}

} // namespace jetscope
