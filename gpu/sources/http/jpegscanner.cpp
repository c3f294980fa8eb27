// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/http/jpegscanner.h"

namespace jetscope {

namespace {

constexpr unsigned char kStartOfImage = 0xd8;
constexpr unsigned char kEndOfImage = 0xd9;
constexpr unsigned char kStartOfScan = 0xda;

unsigned char byteAt(std::string_view bytes, std::size_t position)
{
    return static_cast<unsigned char>(bytes[position]);
}

/// Markers without a length, which may stand in entropy-coded data.
bool standsAlone(unsigned char marker)
{
    return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

} // namespace

JpegScanner::State JpegScanner::scan(std::string_view picture)
{
    State state = State::Inside;
    std::size_t before = 0;
    do {
        before = m_position;
        state = m_inData ? entropyData(picture) : marker(picture);
    } while (state == State::Inside && m_position != before);
    return state;
}

/// At the byte FF of a marker.
JpegScanner::State JpegScanner::marker(std::string_view picture)
{
    if (picture.size() < m_position + 2)
        return State::Inside;
    if (byteAt(picture, m_position) != 0xff)
        return State::Broken;
    const unsigned char code = byteAt(picture, m_position + 1);
    if (code == 0xff) { // A fill byte.
        ++m_position;
        return State::Inside;
    }
    if (code == kStartOfImage && m_position > 0)
        return State::Torn;
    if (code == kStartOfImage || standsAlone(code)) {
        m_position += 2;
        return State::Inside;
    }
    if (code == kEndOfImage) {
        m_position += 2;
        return State::Complete;
    }
    if (code < 0xc0)
        return State::Broken;
    if (picture.size() < m_position + 4)
        return State::Inside;
    const auto length =
        static_cast<std::size_t>(byteAt(picture, m_position + 2) << 8U | byteAt(picture, m_position + 3));
    if (length < 2)
        return State::Broken;
    if (picture.size() < m_position + 2 + length)
        return State::Inside;
    m_position += 2 + length;
    m_inData = code == kStartOfScan;
    return State::Inside;
}

JpegScanner::State JpegScanner::entropyData(std::string_view picture)
{
    const std::size_t found = picture.find('\xff', m_position);
    if (found == std::string_view::npos || found + 1 == picture.size()) {
        m_position = found == std::string_view::npos ? picture.size() : found;
        return State::Inside;
    }
    const unsigned char code = byteAt(picture, found + 1);
    m_position = found;
    if (code == 0 || standsAlone(code))
        m_position += 2;
    else
        m_inData = false;
    return State::Inside;
}

} // namespace jetscope
