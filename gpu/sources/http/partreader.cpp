// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/partreader.h"

#include "core/text/shorttext.h"

#include <algorithm>
#include <charconv>

namespace jetscope {

namespace {

constexpr std::string_view kPictureStart = "\xff\xd8\xff";
constexpr std::size_t kLongestLine = 64 << 10;
constexpr std::size_t kLongestBoundary = 200;

std::string_view trimmed(std::string_view text, std::string_view what = " \t\r\n")
{
    const std::size_t first = text.find_first_not_of(what);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(what) - first + 1);
}

bool isText(std::string_view line)
{
    return std::all_of(line.begin(), line.end(), [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

/// What can contain a JPEG picture, whatever it is called.
bool mayBePicture(std::string_view type)
{
    return type.empty() || type.substr(0, 6) == "image/" || type == "application/octet-stream"
        || type.find("jpeg") != std::string_view::npos || type.substr(0, 10) == "multipart/";
}

} // namespace

void PartReader::feed(std::string_view bytes)
{
    if (m_read > 0) {
        m_buffer.erase(0, m_read);
        m_read = 0;
    }
    m_buffer += bytes;
    m_without += bytes.size();
}

std::optional<std::string> PartReader::next()
{
    std::optional<std::string> found;
    while (!m_overflowed && !found && step(found))
        ;
    return found;
}

void PartReader::finish()
{
    if (m_place == Place::Picture && !rest().empty())
        ++m_counts.damaged;
    m_place = Place::Between;
    consume(rest().size());
}

bool PartReader::step(std::optional<std::string> &found)
{
    switch (m_place) {
    case Place::Between:
        return between();
    case Place::Headers:
        return headers();
    case Place::Body:
        return body();
    case Place::Skipping:
        return skip();
    case Place::Picture:
        return picture(found);
    }
    return false;
}

bool PartReader::between()
{
    const std::string_view bytes = rest();
    if (bytes.substr(0, 2) == kPictureStart.substr(0, 2))
        return startPicture(0);
    const std::size_t end = bytes.find('\n');
    const std::string_view line = bytes.substr(0, end);
    if (const std::size_t start = line.find(kPictureStart); start != std::string_view::npos)
        return startPicture(start);
    if (end == std::string_view::npos) {
        if (bytes.size() > kLongestLine)
            consume(bytes.size() - kPictureStart.size());
        return false;
    }
    const std::string_view words = trimmed(line);
    if (isBoundary(words)) {
        consume(end + 1);
        enterHeaders();
    } else if (lowerCase(words.substr(0, 8)) == "content-") {
        enterHeaders(); // Some servers leave the first boundary out.
    } else {
        consume(end + 1);
    }
    return true;
}

void PartReader::enterHeaders()
{
    m_place = Place::Headers;
    m_type.clear();
    m_length.reset();
    m_anyHeader = false;
    m_skipped = 0;
}

bool PartReader::headers()
{
    const std::string_view bytes = rest();
    if (bytes.substr(0, 2) == kPictureStart.substr(0, 2))
        return startPicture(0);
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) {
        if (bytes.size() > kLongestLine)
            m_place = Place::Between;
        return bytes.size() > kLongestLine;
    }
    const std::string_view line = trimmed(bytes.substr(0, end));
    const bool boundary = isBoundary(line);
    if (boundary && m_anyHeader && mayBePicture(m_type))
        ++m_counts.damaged; // A part without a body.
    if (boundary)
        enterHeaders();
    else if (line.empty())
        m_place = Place::Body;
    else
        noteHeader(line);
    consume(end + 1);
    return true;
}

void PartReader::noteHeader(std::string_view line)
{
    m_anyHeader = true;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos)
        return;
    const std::string name = lowerCase(trimmed(line.substr(0, colon)));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (name == "content-type")
        m_type = lowerCase(trimmed(value.substr(0, value.find(';'))));
    std::size_t length = 0;
    if (name == "content-length"
        && std::from_chars(value.data(), value.data() + value.size(), length).ec == std::errc{})
        m_length = length;
}

bool PartReader::body()
{
    if (m_length == std::size_t{0})
        return noPicture();
    const std::string_view bytes = rest();
    const std::size_t first = bytes.find_first_not_of("\r\n");
    if (first == std::string_view::npos || bytes.size() < first + 2)
        return false;
    const std::string_view start = bytes.substr(first);
    if (start.substr(0, 2) == kPictureStart.substr(0, 2) && mayBePicture(m_type))
        return startPicture(first);
    const std::size_t end = start.find('\n');
    if (start.substr(0, 2) == "--" && end == std::string_view::npos && start.size() < kLongestBoundary)
        return false;
    if (end != std::string_view::npos && isBoundary(trimmed(start.substr(0, end))))
        consume(first);
    return noPicture();
}

/// The part has none: it is passed over.
bool PartReader::noPicture()
{
    const bool another =
        !mayBePicture(m_type) || (m_type.substr(0, 6) == "image/" && m_type.find("jp") == std::string::npos);
    ++(another ? m_counts.others : m_counts.damaged);
    if (another)
        m_otherType = m_type;
    m_place = m_length == std::size_t{0} ? Place::Between : Place::Skipping;
    return true;
}

bool PartReader::skip()
{
    const std::string_view bytes = rest();
    const std::size_t left = m_length ? *m_length - m_skipped : std::string_view::npos;
    const std::size_t boundary = boundaryIn(bytes);
    const std::size_t start = m_length ? std::string_view::npos : bytes.find(kPictureStart);
    const std::size_t end = std::min({left, boundary, start});
    const std::size_t kept = std::min(bytes.size(), m_boundary.size() + kPictureStart.size());
    const std::size_t passed = end <= bytes.size() ? end : bytes.size() - kept;
    consume(passed);
    m_skipped += passed;
    m_overflowed = m_skipped > kMaxPictureBytes;
    if (end <= bytes.size())
        m_place = Place::Between;
    return end <= bytes.size();
}

bool PartReader::startPicture(std::size_t at)
{
    consume(at);
    m_scanner = JpegScanner();
    m_place = Place::Picture;
    return true;
}

bool PartReader::picture(std::optional<std::string> &found)
{
    const std::string_view bytes = rest();
    const JpegScanner::State state = m_scanner.scan(bytes);
    const std::size_t position = m_scanner.position();
    if (state == JpegScanner::State::Inside) {
        m_overflowed = bytes.size() > kMaxPictureBytes;
        return false;
    }
    if (state == JpegScanner::State::Complete) {
        found = std::string(bytes.substr(0, position));
        consume(position);
        m_place = Place::Between;
        m_without = rest().size();
        return true;
    }
    const std::size_t boundary = boundaryIn(bytes);
    const bool torn = state == JpegScanner::State::Torn && boundary > position;
    ++(torn ? m_counts.torn : m_counts.damaged);
    if (state == JpegScanner::State::Torn)
        return startPicture(position);
    m_place = Place::Between;
    if (boundary != std::string_view::npos) {
        consume(boundary);
        return true;
    }
    const std::size_t next = bytes.find(kPictureStart, 2);
    if (next != std::string_view::npos)
        return startPicture(next);
    consume(std::max<std::size_t>(2, position));
    return true;
}

/// A line of dashes and a name; the name of the response's header is often another one.
bool PartReader::isBoundary(std::string_view line)
{
    const std::string_view name = trimmed(line, "-");
    if (!m_boundary.empty() && (name == m_boundary || name == trimmed(m_boundary, "-")))
        return true;
    if (line.substr(0, 2) != "--" || name.empty() || line.size() > kLongestBoundary || !isText(line))
        return false;
    m_boundary = std::string(name);
    return true;
}

/// Where the line with the boundary starts.
std::size_t PartReader::boundaryIn(std::string_view bytes) const
{
    if (m_boundary.empty())
        return std::string_view::npos;
    const std::string line = "--" + std::string(trimmed(m_boundary, "-"));
    return bytes.find(line);
}

} // namespace jetscope
