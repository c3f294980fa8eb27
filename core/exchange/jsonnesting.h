// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace jetscope {

/// Tracks the nesting depth and strings of JSON, character by character. Valid JSON has no line break in a string, so a
/// string with one probably lacks its closing quotation mark: after it, a line that begins with a brace is treated as a
/// new element.
class JsonNesting {
public:
    /// Meaning of a character between the elements of an array.
    enum class Mark : std::uint8_t {
        None,
        Separator,
        End,
        NewBeginning, ///< Of an element, while the one before it is not whole.
        NewElement,   ///< Of an element, without a separator before it.
    };

    void reset() { *this = {}; }
    bool isOutermost() const { return m_depth == 0 && !m_inText; }

    /// Skips characters without a structural meaning up to `end`; returns the position of the first other character.
    const char *skipPlain(const char *at, const char *end) const
    {
        if (m_suspicious)
            return at;
        if (m_inText && !m_escaped)
            while (at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= ' ')
                ++at;
        else if (!m_inText)
            while (at != end && kKinds[static_cast<unsigned char>(*at)] == 0)
                ++at;
        return at;
    }

    /// Takes one character. Inlined because it runs for most characters of a file.
    [[gnu::always_inline]] Mark take(char c)
    {
        if (m_suspicious && beginsAnew(c)) {
            *this = {};
            m_depth = 1;
            return Mark::NewBeginning;
        }
        if (m_inText) {
            takeOfText(c);
            return Mark::None;
        }
        switch (c) {
        case '"':
            m_inText = true;
            return Mark::None;
        case '{':
        case '[':
            return m_depth++ == 0 && m_isWhole ? beginsBehind(c) : Mark::None;
        case '}':
        case ']':
            if (m_depth == 0)
                return Mark::End;
            m_isWhole = --m_depth == 0;
            return Mark::None;
        case ',':
            if (m_depth > 0)
                return Mark::None;
            m_suspicious = m_isWhole = false; // A string that seemed to have no end really contained a line break.
            return Mark::Separator;
        default:
            return Mark::None;
        }
    }

private:
    /// Characters with a meaning outside of strings.
    struct Kinds {
        std::uint8_t of[256] = {};
        constexpr Kinds()
        {
            for (const char c : {'"', '{', '[', '}', ']', ','})
                of[static_cast<unsigned char>(c)] = 1;
        }
        constexpr std::uint8_t operator[](unsigned char c) const { return of[c]; }
    };
    static const Kinds kKinds;

    void takeOfText(char c)
    {
        if (m_escaped)
            m_escaped = false;
        else if (c == '\\')
            m_escaped = true;
        else if (c == '"')
            m_inText = false;
        else if (c == '\n')
            m_suspicious = m_atLineStart = true;
    }

    /// An object right behind another one; a list there is part of something damaged.
    Mark beginsBehind(char c)
    {
        m_isWhole = false;
        return c == '{' ? Mark::NewElement : Mark::None;
    }

    bool beginsAnew(char c)
    {
        if (c == '\n')
            m_atLineStart = true;
        else if (c != ' ' && c != '\t' && c != '\r' && c != ',')
            return m_atLineStart && c == '{' ? true : (m_atLineStart = false);
        return false;
    }

    std::size_t m_depth = 0;
    bool m_isWhole = false; ///< An object or a list has ended since the last separator.
    bool m_inText = false;
    bool m_escaped = false;
    bool m_suspicious = false;
    bool m_atLineStart = false;
};

inline constexpr JsonNesting::Kinds JsonNesting::kKinds{};

} // namespace jetscope
