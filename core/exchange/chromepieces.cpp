// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromepieces.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

// Large enough to make the cost per piece negligible, small enough for the CPU cache.
constexpr std::size_t kPieceBytes = 2 << 20;
constexpr std::size_t kMaxElementBytes = 64 << 20;
constexpr std::size_t kMaxOthersBytes = 1 << 20;
constexpr std::size_t kMaxKeyBytes = 1 << 16;
constexpr std::string_view kJsonSpace = " \t\r\n";
constexpr char kNothingMore = '\0'; ///< Never occurs in JSON outside of strings.

} // namespace

ChromePieces::ChromePieces(ByteSource source) : m_source(std::move(source)), m_bytes(kPieceBytes + kPadding) {}

/// Reads more data after the data kept; returns false at the end of the file.
Result<bool> ChromePieces::fetch()
{
    if (m_fileOver)
        return false;
    makeRoom();
    const std::size_t wanted = m_bytes.size() - kPadding - m_end;
    JETSCOPE_TRY_ASSIGN(const std::size_t got, m_source.read(std::span(m_bytes).subspan(m_end, wanted)));
    m_end += got;
    m_fileOver = got < wanted;
    return got > 0;
}

void ChromePieces::makeRoom()
{
    const std::size_t moved = m_from - 1;
    std::memmove(m_bytes.data(), m_bytes.data() + moved, m_end - moved);
    for (std::size_t *place : {&m_from, &m_at, &m_end})
        *place -= moved;
    m_wholeEnd -= m_wholeEnd > 0 ? moved : 0;
    if (m_end >= (m_bytes.size() - kPadding) / 2)
        m_bytes.resize(2 * m_bytes.size());
}

/// Skips these characters and returns the next one; kNothingMore at the end of the file.
Result<char> ChromePieces::skipTo(std::string_view passed)
{
    while (true) {
        for (; m_at < m_end; ++m_at)
            if (passed.find(m_bytes[m_at]) == std::string_view::npos)
                return m_bytes[m_at];
        m_from = m_at;
        JETSCOPE_TRY_ASSIGN(const bool more, fetch());
        if (!more)
            return kNothingMore;
    }
}

Result<ChromePieces::Piece> ChromePieces::next()
{
    if (const std::size_t from = std::exchange(m_next, 0)) {
        m_from = from;
        if (const std::size_t covered = std::exchange(m_coveredAt, 0))
            m_bytes[covered] = '{';
        m_starts.assign(1, 1);
        m_wholeEnd = 0;
    }
    Piece piece;
    while (piece.kind == Kind::End && m_phase != Phase::Over) {
        switch (m_phase) {
        case Phase::Start:
            JETSCOPE_TRY(start());
            break;
        case Phase::Fields:
            JETSCOPE_TRY(readField());
            break;
        case Phase::Value:
            JETSCOPE_TRY(readValue(piece));
            break;
        case Phase::Events:
            JETSCOPE_TRY(readEvents(piece));
            break;
        case Phase::Behind:
            JETSCOPE_TRY(readBehind());
            break;
        case Phase::Over:
            break;
        }
    }
    m_found.cutShort = m_found.cutShort || m_source.endsEarly();
    return piece;
}

void ChromePieces::endTooEarly()
{
    m_found.cutShort = true;
    m_phase = Phase::Over;
}

Status ChromePieces::start()
{
    JETSCOPE_TRY(fetch());
    if (std::string_view(m_bytes.data() + m_at, m_end - m_at).starts_with("\xef\xbb\xbf"))
        m_at += 3;
    JETSCOPE_TRY_ASSIGN(const char first, skipTo(kJsonSpace));
    m_isJson = first == '[' || first == '{';
    m_inObject = first == '{';
    m_foundEvents = first == '[';
    if (m_foundEvents) // An object with events may follow; its fields are read then.
        beginEvents();
    else if (m_inObject)
        m_phase = Phase::Fields;
    else
        m_phase = Phase::Over;
    m_at += m_inObject ? 1 : 0;
    return {};
}

Status ChromePieces::readField()
{
    JETSCOPE_TRY_ASSIGN(const char first, skipTo(" \t\r\n,"));
    if (first == '}') {
        ++m_at;
        if (m_objects > 0) {
            --m_objects;
            return {};
        }
        m_found.hasRest = m_found.hasRest || (m_isBehind && m_lists == m_listsBefore);
        m_phase = m_foundEvents ? Phase::Behind : Phase::Over;
        return {};
    }
    if (m_foundEvents && first != '"' && first != kNothingMore) { // A bracket too many in the list of events.
        if (first == ']')
            ++m_at;
        else
            beginEvents();
        return {};
    }
    if (first != '"') {
        endTooEarly();
        return {};
    }
    ++m_at;
    JETSCOPE_TRY_ASSIGN(const std::string key, readKey());
    JETSCOPE_TRY_ASSIGN(const char value, skipTo(" \t\r\n:"));
    return beginValue(key, value);
}

/// A raw key, or its beginning; the relevant keys have no escapes.
Result<std::string> ChromePieces::readKey()
{
    std::string key;
    m_nesting.reset();
    m_nesting.take('"');
    while (true) {
        JETSCOPE_TRY_ASSIGN(const char c, skipTo({}));
        if (m_at == m_end) // The file ends here, so there is no further character.
            return key;
        ++m_at;
        m_nesting.take(c);
        if (m_nesting.isOutermost())
            return key;
        if (key.size() < kMaxKeyBytes)
            key += c;
    }
}

Status ChromePieces::beginValue(const std::string &key, char first)
{
    if (key == "traceEvents" && first == '[') {
        m_foundEvents = true;
        beginEvents();
        return {};
    }
    if (key == "traceEvents" && first == '{' && !m_foundEvents) // Some producers pack a whole trace into it.
        ++m_objects;
    if (key == "traceEvents") {
        constexpr std::size_t kShown = 20;
        const std::string_view shown(m_bytes.data() + m_at, std::min(kShown, m_end - m_at));
        m_inPlaceOfEvents = shown.substr(0, shown.find_first_of(",}] \t\r\n"));
        if (first == '{' && !m_foundEvents) {
            ++m_at;
            m_phase = Phase::Fields;
            return {};
        }
    }
    constexpr std::string_view kUnread[] = {"systemTraceEvents", "samples", "powerTraceAsString"};
    const char closing = first == '[' ? ']' : first == '{' ? '}' : '"';
    const bool holdsSomething = (closing != '"' || first == '"') && m_at + 1 < m_end && m_bytes[m_at + 1] != closing;
    if (holdsSomething && std::find(std::begin(kUnread), std::end(kUnread), key) != std::end(kUnread))
        m_found.unreadFields.push_back(key);
    m_phase = Phase::Value;
    m_isBaseTime = key == "baseTimeNanoseconds" && first != '{' && first != '[' && m_objects == 0;
    m_keepsValue = m_isBaseTime || (key == "otherData" && first == '{' && !m_isBehind);
    m_from = m_at;
    m_nesting.reset();
    m_isScalar = first != '{' && first != '[' && first != '"';
    if (m_at < m_end && !m_isScalar)
        m_nesting.take(m_bytes[m_at++]);
    return {};
}

Status ChromePieces::readValue(Piece &piece)
{
    while (!passValue()) {
        m_keepsValue = m_keepsValue && m_at - m_from <= kMaxOthersBytes;
        m_from = m_keepsValue ? m_from : m_at;
        JETSCOPE_TRY_ASSIGN(const bool more, fetch());
        if (!more) {
            endTooEarly();
            return {};
        }
    }
    m_phase = Phase::Fields;
    m_next = m_at;
    if (m_isBaseTime)
        m_baseTime.assign(m_bytes.data() + m_from, m_at - m_from);
    else if (m_keepsValue)
        piece = {Kind::Others, {m_bytes.data() + m_from, m_at - m_from}, m_bytes.size() - m_from, nullptr};
    return {};
}

/// Returns true if the value ends within the data read so far.
bool ChromePieces::passValue()
{
    const char *const end = m_bytes.data() + m_end;
    const char *at = m_bytes.data() + m_at;
    if (m_isScalar)
        at = std::find_if(at, end, [](char c) { return std::strchr(",}] \t\r\n", c) != nullptr; });
    else
        while ((at = m_nesting.skipPlain(at, end)) != end && !m_nesting.isOutermost())
            m_nesting.take(*at++);
    m_at = static_cast<std::size_t>(at - m_bytes.data());
    return m_isScalar ? at != end : m_nesting.isOutermost();
}

/// Begins at the bracket of a list, or at an event that stands behind the end of one.
void ChromePieces::beginEvents()
{
    m_isBehind = m_lists++ > 0;
    m_phase = Phase::Events;
    m_at += m_bytes[m_at] == '[' ? 1 : 0;
    m_from = m_at;
    m_nesting.reset();
    m_starts.assign(1, 1);
    m_wholeEnd = 0;
    m_skipping = false;
}

/// What follows the end of the document: events after a bracket too many, a further list, a further document. Files
/// that were written by appending have them.
Status ChromePieces::readBehind()
{
    JETSCOPE_TRY_ASSIGN(char first, skipTo(" \t\r\n]}"));
    const bool goesOn = first == ',';
    if (goesOn) {
        JETSCOPE_TRY_ASSIGN(first, skipTo(" \t\r\n]},"));
    }
    if (first == '[' || (first == '{' && !m_inObject) || (goesOn && first != kNothingMore)) {
        m_inObject = false;
        beginEvents();
    } else if (first == '{') {
        ++m_at;
        m_isBehind = true;
        m_listsBefore = m_lists;
        m_phase = Phase::Fields;
    } else {
        m_found.hasRest = m_found.hasRest || first != kNothingMore || m_at < m_end;
        m_phase = Phase::Over;
    }
    return {};
}

Status ChromePieces::readEvents(Piece &piece)
{
    while (true) {
        const Scanned scanned = scanEvents();
        if (scanned == Scanned::EndOfList) {
            endList(piece);
            return {};
        }
        if (m_wholeEnd > 0) {
            m_next = scanned == Scanned::EndOfPiece ? m_wholeEnd : m_wholeEnd + 1;
            m_coveredAt = scanned == Scanned::EndOfPiece ? m_wholeEnd : 0;
            piece = eventsUpTo(m_wholeEnd);
            return {};
        }
        if (m_skipping || m_at - m_from > kMaxElementBytes)
            dropElement();
        JETSCOPE_TRY_ASSIGN(const bool more, fetch());
        if (!more) {
            finishEvents(piece);
            return {};
        }
    }
}

void ChromePieces::endList(Piece &piece)
{
    m_phase = m_inObject ? Phase::Fields : Phase::Behind;
    m_next = m_at + 1;
    if (!m_skipping) {
        separate(m_at, m_at + 1);
        piece = eventsUpTo(m_at);
    }
    ++m_at;
}

/// At the end of the file: what is left may be a whole element.
void ChromePieces::finishEvents(Piece &piece)
{
    endTooEarly();
    if (m_skipping)
        return;
    if (m_nesting.isOutermost()) {
        separate(m_end, m_end + 1);
        m_next = m_end;
        piece = eventsUpTo(m_end);
        return;
    }
    const std::uint64_t before = m_found.cut;
    countEvent(m_from, m_end);
    m_found.notWhole += m_found.cut - before;
}

ChromePieces::Scanned ChromePieces::scanEvents()
{
    char *const bytes = m_bytes.data();
    const char *const end = bytes + m_end;
    const char *at = bytes + m_at;
    while ((at = m_nesting.skipPlain(at, end)) != end) {
        const auto place = static_cast<std::size_t>(at - bytes);
        switch (m_nesting.take(*at)) {
        case JsonNesting::Mark::None:
            break;
        case JsonNesting::Mark::Separator:
            separate(place, place + 1);
            break;
        case JsonNesting::Mark::NewBeginning:
            bytes[place - 1] = ',';
            separate(place - 1, place);
            break;
        case JsonNesting::Mark::NewElement:
            if (joinWithoutComma(place))
                break;
            m_at = place + 1;
            return Scanned::EndOfPiece;
        case JsonNesting::Mark::End:
            m_at = place;
            return Scanned::EndOfList;
        }
        ++at;
    }
    m_at = m_end;
    return Scanned::NeedsMore;
}

/// Puts the comma that is missing before an element where there is a space. Returns false where there is none: the
/// piece ends there.
bool ChromePieces::joinWithoutComma(std::size_t place)
{
    ++m_found.withoutComma;
    if (m_skipping || kJsonSpace.find(m_bytes[place - 1]) != std::string_view::npos) {
        m_bytes[place - 1] = m_skipping ? m_bytes[place - 1] : ',';
        separate(m_skipping ? place : place - 1, place);
        return true;
    }
    countEvent(m_from + m_starts.back() - 1, place);
    m_starts.push_back(static_cast<std::uint32_t>(place + 1 - m_from + 1));
    m_wholeEnd = place;
    return false;
}

void ChromePieces::countEvent(std::size_t from, std::size_t to)
{
    while (from < to && kJsonSpace.find(m_bytes[from]) != std::string_view::npos)
        ++from;
    m_found.cut += from < to ? 1 : 0;
    m_found.behindEnd += from < to && m_isBehind ? 1 : 0;
}

/// Records that an element ends at `at` and the next one begins at `next`.
void ChromePieces::separate(std::size_t at, std::size_t next)
{
    if (std::exchange(m_skipping, false)) {
        m_from = next;
        m_starts.assign(1, 1);
        return;
    }
    countEvent(m_from + m_starts.back() - 1, at);
    m_starts.push_back(static_cast<std::uint32_t>(next - m_from + 1));
    m_wholeEnd = at;
}

void ChromePieces::dropElement()
{
    m_found.tooLarge += m_skipping ? 0 : 1;
    m_found.cut += m_skipping ? 0 : 1;
    m_found.behindEnd += !m_skipping && m_isBehind ? 1 : 0;
    m_skipping = true;
    m_from = m_at;
}

ChromePieces::Piece ChromePieces::eventsUpTo(std::size_t end)
{
    m_bytes[m_from - 1] = '[';
    m_bytes[end] = ']';
    return {Kind::Events, {m_bytes.data() + m_from - 1, end - m_from + 2}, m_bytes.size() - m_from + 1, &m_starts};
}

} // namespace jetscope
