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

/// Properties of a file that was read.
struct ChromeFile {
    std::uint64_t cut = 0;     ///< All events, counted where the file is cut into events.
    std::uint64_t events = 0;  ///< Events that were passed to the listener.
    bool cutShort = false;     ///< The file is truncated, or compressed and damaged; an incomplete event is skipped.
    std::uint64_t damaged = 0; ///< Events with invalid JSON.
    std::uint64_t firstDamaged = 0; ///< Number of the first damaged event.
    std::uint64_t tooLarge = 0;     ///< Events larger than 64 MB.
    std::uint64_t notWhole = 0;     ///< Events of which only the beginning is there.
    std::uint64_t empty = 0;        ///< Events without a field.
    std::uint64_t withoutComma = 0; ///< Events that follow another one without a comma between.
    std::uint64_t behindEnd = 0;    ///< Events behind the end of the list, or in further lists or documents.
    std::uint64_t textBetween = 0;  ///< Events that are followed by something that is no event.
    bool hasRest = false;           ///< Something that is no event stands behind the end.
    std::int64_t baseUnixNs = 0;    ///< Unix time at the time 0 of the events (baseTimeNanoseconds); 0 if not said.
    std::vector<std::string> unreadFields; ///< Fields beside the events that hold further events.
};

/// Splits a Chrome trace into pieces that are parsed one by one, so that only one piece is in memory: an array with
/// some of the events, or an object with the fields beside the events. Finds the boundaries of events without parsing
/// them, so that a damaged event does not affect others. Not thread-safe.
class ChromePieces {
public:
    enum class Kind { End, Events, Others };
    struct Piece {
        Kind kind = Kind::End;
        std::string_view text;    ///< "[{…},{…}]" or "{…}"; valid until the next piece.
        std::size_t capacity = 0; ///< Size of the text plus the bytes that may be read after it.
        /// Offsets of the elements in the text, followed by the offset at which a further element would begin.
        const std::vector<std::uint32_t> *elements = nullptr;
    };

    explicit ChromePieces(ByteSource source);

    Result<Piece> next();

    double fraction() const { return m_source.fraction(); }
    bool foundEvents() const { return m_foundEvents; }
    /// If the value of the events is not an array: its first characters, for example "null".
    const std::string &inPlaceOfEvents() const { return m_inPlaceOfEvents; }
    /// The value of baseTimeNanoseconds, which PyTorch and viztracer write beside the events: Unix time at their time
    /// 0.
    const std::string &baseTime() const { return m_baseTime; }
    bool isJson() const { return m_isJson; }
    bool isPacked() const { return m_source.isPacked(); }
    /// What was found where the file is cut into events: ChromeFile without what only their content tells. `cutShort`
    /// is final when the end was reached.
    const ChromeFile &found() const { return m_found; }

    /// This many bytes may be read after the end of a piece.
    static constexpr std::size_t kPadding = 128;

private:
    enum class Phase { Start, Fields, Value, Events, Behind, Over };
    enum class Scanned { NeedsMore, EndOfList, EndOfPiece };

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
    Status readBehind();
    Status readEvents(Piece &piece);
    void finishEvents(Piece &piece);
    void endList(Piece &piece);
    Scanned scanEvents();
    bool joinWithoutComma(std::size_t place);
    void countEvent(std::size_t from, std::size_t to);
    void separate(std::size_t at, std::size_t next);
    void dropElement();
    Piece eventsUpTo(std::size_t end);
    void endTooEarly();

    ByteSource m_source;
    std::vector<char> m_bytes;
    std::size_t m_from = 1; ///< Start of the data kept; one byte before it is free for a bracket.
    std::size_t m_at = 1;   ///< End of the scanned data.
    std::size_t m_end = 1;
    std::size_t m_next = 0; ///< New value of m_from after the current piece; 0 without a piece.
    Phase m_phase = Phase::Start;
    JsonNesting m_nesting;
    std::vector<std::uint32_t> m_starts; ///< Offsets of the elements, relative to the bracket before them.
    std::size_t m_wholeEnd = 0;          ///< End of the last complete element; 0 if there is none.
    bool m_skipping = false;             ///< The current element is too large.
    bool m_keepsValue = false;
    bool m_isScalar = false;
    bool m_inObject = false;
    bool m_isJson = false;
    bool m_foundEvents = false;
    bool m_fileOver = false;
    bool m_isBehind = false;     ///< A list of events has ended.
    std::size_t m_objects = 0;   ///< Traces within traces that are open.
    std::size_t m_coveredAt = 0; ///< Where the bracket behind a piece covers the first character of the next event.
    std::uint64_t m_lists = 0;
    std::uint64_t m_listsBefore = 0; ///< When the current document began.
    ChromeFile m_found;
    std::string m_inPlaceOfEvents;
    std::string m_baseTime;
    bool m_isBaseTime = false; ///< Of the value that is passed.
};

} // namespace jetscope
