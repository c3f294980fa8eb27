// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/bytesource.h"
#include "core/exchange/jsonnesting.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Cuts a Chrome trace into pieces that a parser takes one after the other, so that no more than a piece is in memory:
/// some of the events as an array of their own, or an object beside the events. Finds where events begin and end
/// without understanding them, so that a damaged one costs no other. One thread.
class ChromePieces {
public:
    enum class Kind { End, Events, Others };
    struct Piece {
        Kind kind = Kind::End;
        std::string_view text;    ///< "[{…},{…}]" or "{…}"; valid until the next piece.
        std::size_t capacity = 0; ///< Of the text and of what may be read behind it.
        /// Where each element begins in the text, and one more, as if another element followed the last one.
        const std::vector<std::uint32_t> *elements = nullptr;
    };

    explicit ChromePieces(ByteSource source);

    Result<Piece> next();

    double fraction() const { return m_source.fraction(); }
    bool foundEvents() const { return m_foundEvents; }
    /// The beginning of what stands in place of the events, if it is no array: "null".
    const std::string &inPlaceOfEvents() const { return m_inPlaceOfEvents; }
    bool isJson() const { return m_isJson; }
    bool isPacked() const { return m_source.isPacked(); }
    /// The file ends before its events do, or is packed and damaged.
    bool cutShort() const { return m_cutShort || m_source.endsEarly(); }
    /// Events that are larger than a piece may become, which nobody reads.
    std::uint64_t tooLarge() const { return m_tooLarge; }

    /// As many bytes may be read behind a piece.
    static constexpr std::size_t kPadding = 128;

private:
    enum class Phase { Start, Fields, Value, Events, Over };

    Result<bool> fetch();
    void makeRoom();
    Result<char> skipTo(std::string_view passed);
    Status start();
    Status readField();
    Result<std::string> readKey();
    Status beginValue(const std::string &key, char first);
    Status readValue(Piece &piece);
    bool passValue();
    void beginEvents();
    Status readEvents(Piece &piece);
    bool scanEvents();
    void separate(std::size_t at, std::size_t next);
    void dropElement();
    Piece eventsUpTo(std::size_t end);
    void endTooEarly();

    ByteSource m_source;
    std::vector<char> m_bytes;
    std::size_t m_from = 1; ///< Beginning of what is kept; there is room for a bracket before it.
    std::size_t m_at = 1;   ///< What is understood ends here.
    std::size_t m_end = 1;
    std::size_t m_next = 0; ///< What is kept begins here once the piece that was given out is done with; 0 without one.
    Phase m_phase = Phase::Start;
    JsonNesting m_nesting;
    std::vector<std::uint32_t> m_starts; ///< Of elements, counted from the bracket before them.
    std::size_t m_wholeEnd = 0;          ///< End of the last whole element; 0 before there is one.
    bool m_skipping = false;             ///< The present element is too large.
    bool m_keepsValue = false;
    bool m_isScalar = false;
    bool m_inObject = false;
    bool m_isJson = false;
    bool m_foundEvents = false;
    bool m_cutShort = false;
    bool m_fileOver = false;
    std::uint64_t m_tooLarge = 0;
    std::string m_inPlaceOfEvents;
};

} // namespace jetscope
