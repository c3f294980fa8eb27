// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/linereader.h"

#include "core/exchange/bytesource.h"

#include <cstring>

namespace jetscope {

namespace {

constexpr std::size_t kLinesReadAtOnce = 1 << 18;
/// Lines of logs have a few thousand bytes at most.
constexpr std::size_t kMaxLogLineBytes = 1 << 16;

/// Splits a file into lines. Of overlong lines, only their number is kept.
class LineSplitter {
public:
    explicit LineSplitter(const LineTaker &taker) : m_taker(taker) {}

    Status read(const std::string &path, Progress &progress)
    {
        JETSCOPE_TRY_ASSIGN(ByteSource source, ByteSource::open(path));
        std::string buffer(kLinesReadAtOnce, '\0');
        while (true) {
            JETSCOPE_TRY_ASSIGN(const std::size_t got, source.read(buffer));
            if (!progress.advance(source.fraction()))
                return cancelledError();
            split(std::string_view(buffer).substr(0, got));
            if (got < buffer.size())
                break;
        }
        if (m_isOverlong)
            m_taker.takeOverlong();
        else if (!m_begun.empty())
            m_taker.take(m_begun, false);
        return {};
    }

private:
    void split(std::string_view text)
    {
        while (!text.empty()) {
            const void *found = std::memchr(text.data(), '\n', text.size());
            if (!found) {
                begin(text);
                return;
            }
            const std::string_view line =
                text.substr(0, static_cast<std::size_t>(static_cast<const char *>(found) - text.data()));
            text.remove_prefix(line.size() + 1);
            end(line);
        }
    }

    /// The line goes on in the next part of the file.
    void begin(std::string_view part)
    {
        m_isOverlong = m_isOverlong || m_begun.size() + part.size() > kMaxLogLineBytes;
        if (m_isOverlong)
            m_begun.clear();
        else
            m_begun += part;
    }

    void end(std::string_view part)
    {
        if (!m_isOverlong && m_begun.empty() && part.size() <= kMaxLogLineBytes) {
            m_taker.take(part, true);
            return;
        }
        begin(part);
        if (m_isOverlong)
            m_taker.takeOverlong();
        else
            m_taker.take(m_begun, true);
        m_begun.clear();
        m_isOverlong = false;
    }

    const LineTaker &m_taker;
    std::string m_begun;
    bool m_isOverlong = false;
};

} // namespace

Status readLines(const std::string &path, const LineTaker &taker, Progress &progress)
{
    return LineSplitter(taker).read(path, progress);
}

} // namespace jetscope
