// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/http/jpegscanner.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// Takes JPEG pictures out of the body of an HTTP response, as browsers do: pictures are found by their markers, and
/// what the server says of boundaries, types and lengths only helps where it is true. Pure; one thread at a time.
class PartReader {
public:
    /// Larger pictures end the stream.
    static constexpr std::size_t kMaxPictureBytes = 64 << 20;

    struct Counts {
        std::uint64_t damaged = 0; ///< Empty parts, and pictures that were cut off.
        std::uint64_t torn = 0;    ///< Pictures in which another one starts.
        std::uint64_t others = 0;  ///< Parts that are no pictures, such as audio.
    };

    /// The boundary that the response names, without dashes; may be empty.
    explicit PartReader(std::string boundary) : m_boundary(std::move(boundary)) {}

    void feed(std::string_view bytes);
    /// The next complete picture, if there is one.
    std::optional<std::string> next();
    /// The connection ended: a picture that did not end is damaged.
    void finish();

    const Counts &counts() const { return m_counts; }
    /// Whether a picture grew larger than kMaxPictureBytes; then nothing else is read.
    bool overflowed() const { return m_overflowed; }
    /// The bytes since the last picture's end, to find out that there are none.
    std::size_t bytesWithoutPicture() const { return m_without; }
    /// The type of the last part that was no JPEG picture: "image/png"; empty if there was none.
    const std::string &otherType() const { return m_otherType; }

private:
    enum class Place { Between, Headers, Body, Skipping, Picture };

    // Each returns whether it came further; if not, more bytes are needed.
    bool step(std::optional<std::string> &found);
    bool between();
    bool headers();
    bool body();
    bool skip();
    bool picture(std::optional<std::string> &found);
    bool noPicture();
    bool startPicture(std::size_t at);
    void enterHeaders();
    bool isBoundary(std::string_view line);
    std::size_t boundaryIn(std::string_view bytes) const;
    void noteHeader(std::string_view line);
    std::string_view rest() const { return std::string_view(m_buffer).substr(m_read); }
    void consume(std::size_t bytes) { m_read += bytes; }

    std::string m_boundary;
    std::string m_buffer;
    std::size_t m_read = 0; ///< The bytes of m_buffer that were consumed.
    Place m_place = Place::Between;
    JpegScanner m_scanner;
    std::string m_type; ///< Of the current part, lower case.
    std::optional<std::size_t> m_length;
    bool m_anyHeader = false;
    Counts m_counts;
    std::string m_otherType;
    std::size_t m_without = 0;
    std::size_t m_skipped = 0; ///< Of the current part.
    bool m_overflowed = false;
};

} // namespace jetscope
