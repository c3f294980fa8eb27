// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/tracefile/queryfunctions.h"

#include "core/text/utf8.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace jetscope {

namespace {

constexpr unsigned kStepsBetweenQuestions = 1U << 16U;

bool isNull(sqlite3_value *value)
{
    return sqlite3_value_type(value) == SQLITE_NULL;
}

/// Valid until the value is converted again.
std::string_view textOfValue(sqlite3_value *value)
{
    const auto *bytes = reinterpret_cast<const char *>(sqlite3_value_text(value));
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))) : std::string_view();
}

std::string_view blobOfValue(sqlite3_value *value)
{
    const auto *bytes = static_cast<const char *>(sqlite3_value_blob(value));
    return bytes ? std::string_view(bytes, static_cast<std::size_t>(sqlite3_value_bytes(value))) : std::string_view();
}

void giveText(sqlite3_context *context, std::string_view text)
{
    sqlite3_result_text64(context, text.data() ? text.data() : "", text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// In linear time, which std::string_view::find does not promise.
std::size_t foundAt(std::string_view in, std::string_view what, std::size_t from)
{
    const void *const found = memmem(in.data() + from, in.size() - from, what.data(), what.size());
    return found ? static_cast<std::size_t>(static_cast<const char *>(found) - in.data()) : std::string_view::npos;
}

bool continuesCharacter(char c)
{
    return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

/// Length of the character at the beginning, as SQLite counts them: also of invalid ones.
std::size_t stepOver(std::string_view text)
{
    std::size_t length = 1;
    if (static_cast<unsigned char>(text[0]) >= 0xc0)
        while (length < text.size() && continuesCharacter(text[length]))
            ++length;
    return length;
}

void instr(sqlite3_context *context, int, sqlite3_value **values)
{
    if (isNull(values[0]) || isNull(values[1]))
        return;
    const bool areBlobs = sqlite3_value_type(values[0]) == SQLITE_BLOB && sqlite3_value_type(values[1]) == SQLITE_BLOB;
    const std::string_view in = areBlobs ? blobOfValue(values[0]) : textOfValue(values[0]);
    const std::string_view what = areBlobs ? blobOfValue(values[1]) : textOfValue(values[1]);
    const std::size_t at = what.empty() ? 0 : in.size() < what.size() ? std::string_view::npos : foundAt(in, what, 0);
    if (at == std::string_view::npos)
        return sqlite3_result_int(context, 0);
    const std::string_view before = in.substr(0, at);
    const auto characters = areBlobs
        ? static_cast<std::ptrdiff_t>(at)
        : std::count_if(before.begin(), before.end(), [](char c) { return !continuesCharacter(c); });
    sqlite3_result_int64(context, characters + 1);
}

void replace(sqlite3_context *context, int, sqlite3_value **values)
{
    if (isNull(values[0]) || isNull(values[1]))
        return;
    const std::string_view in = textOfValue(values[0]);
    const std::string_view what = textOfValue(values[1]);
    if (what.empty())
        return sqlite3_result_value(context, values[0]); // SQLite does not look at the third value then.
    if (isNull(values[2]))
        return;
    const std::string_view by = textOfValue(values[2]);
    const auto most =
        static_cast<std::size_t>(sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1));
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = foundAt(in, what, 0); at != std::string_view::npos; at = foundAt(in, what, done)) {
        out.append(in.substr(done, at - done)).append(by);
        done = at + what.size();
        if (out.size() > most)
            return sqlite3_result_error_toobig(context);
    }
    giveText(context, out.append(in.substr(done)));
}

enum Sides { Left = 1, Right = 2 };

template <int sides>
void trim(sqlite3_context *context, int count, sqlite3_value **values)
{
    if (isNull(values[0]) || (count > 1 && isNull(values[1])))
        return;
    std::string_view text = textOfValue(values[0]);
    std::unordered_set<std::string_view> characters;
    for (std::string_view rest = count > 1 ? textOfValue(values[1]) : " "; !rest.empty();) {
        const std::size_t length = stepOver(rest);
        characters.insert(rest.substr(0, length));
        rest.remove_prefix(length);
    }
    while ((sides & Left) != 0 && !text.empty() && characters.contains(text.substr(0, stepOver(text))))
        text.remove_prefix(stepOver(text));
    while ((sides & Right) != 0 && !text.empty()) {
        std::size_t at = text.size() - 1;
        while (at > 0 && continuesCharacter(text[at]))
            --at;
        if (!characters.contains(text.substr(at)))
            break;
        text.remove_suffix(text.size() - at);
    }
    giveText(context, text);
}

// --- LIKE and GLOB

struct PatternKind {
    char any;  ///< Matches any text.
    char one;  ///< Matches any character.
    bool sets; ///< "[a-z]"
    bool foldsCase;
};

constexpr PatternKind kLike{'%', '_', false, true};
constexpr PatternKind kGlob{'*', '?', true, false};

std::uint32_t codeOf(std::string_view character)
{
    return characterLength(character) == character.size() ? codePointOf(character)
                                                          : static_cast<unsigned char>(character[0]);
}

/// Whether the character is in the set at the beginning of the pattern, behind its "["; `length` becomes that of the
/// set with its "]". Empty if it has no end.
std::optional<bool> isInSet(std::string_view pattern, std::uint32_t character, std::size_t &length)
{
    std::size_t at = 0;
    const bool inverted = pattern.starts_with('^');
    at += inverted ? 1 : 0;
    bool found = false;
    std::uint32_t first = 0; ///< Of a range, if hasFirst.
    bool hasFirst = false;
    for (bool isFirst = true; at < pattern.size(); isFirst = false) {
        const std::size_t step = stepOver(pattern.substr(at));
        const std::uint32_t here = codeOf(pattern.substr(at, step));
        at += step;
        if (here == ']' && !isFirst) {
            length = at;
            return found != inverted;
        }
        if (here == '-' && hasFirst && at < pattern.size() && pattern[at] != ']') {
            const std::size_t lastStep = stepOver(pattern.substr(at));
            found = found || (character >= first && character <= codeOf(pattern.substr(at, lastStep)));
            at += lastStep;
            hasFirst = false;
        } else {
            found = found || character == here;
            first = here;
            hasFirst = here != ']'; // Only the first character can be one, and it begins no range.
        }
    }
    return std::nullopt;
}

char folded(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Compares a text with a pattern; goes back to the last "any" only, which is enough and keeps the time to the product
/// of both lengths.
class PatternMatch {
public:
    PatternMatch(const PatternKind &kind, std::string_view pattern, std::string_view text, std::string_view escape)
        : m_kind(kind), m_pattern(pattern), m_text(text), m_escape(escape)
    {
    }

    /// Empty if `goOn` returned false.
    std::optional<bool> matches(const std::function<bool()> &goOn)
    {
        unsigned steps = 0;
        while (m_at < m_text.size()) {
            if (++steps % kStepsBetweenQuestions == 0 && !goOn())
                return std::nullopt;
            if (matchAny() || matchOne())
                continue;
            if (!m_afterAny)
                return false;
            m_place = *m_afterAny;
            m_anyEnd += stepOver(m_text.substr(m_anyEnd));
            m_at = m_anyEnd;
        }
        while (matchAny()) {}
        return m_place == m_pattern.size();
    }

private:
    bool isEscaped() const { return !m_escape.empty() && m_pattern.substr(m_place).starts_with(m_escape); }

    bool matchAny()
    {
        if (m_place >= m_pattern.size() || isEscaped() || m_pattern[m_place] != m_kind.any)
            return false;
        m_afterAny = ++m_place;
        m_anyEnd = m_at;
        return true;
    }

    /// One character of the text with the pattern's next one.
    bool matchOne()
    {
        if (m_place >= m_pattern.size())
            return false;
        const std::string_view character = m_text.substr(m_at, stepOver(m_text.substr(m_at)));
        std::size_t place = m_place;
        if (isEscaped()) {
            place += m_escape.size();
            if (place >= m_pattern.size())
                return false;
        } else if (m_pattern[place] == m_kind.one) {
            return advance(place + 1, character);
        } else if (m_kind.sets && m_pattern[place] == '[') {
            std::size_t length = 0;
            return isInSet(m_pattern.substr(place + 1), codeOf(character), length).value_or(false)
                && advance(place + 1 + length, character);
        }
        const std::string_view wanted = m_pattern.substr(place, stepOver(m_pattern.substr(place)));
        const bool equal = wanted == character
            || (m_kind.foldsCase && wanted.size() == 1 && character.size() == 1
                && folded(wanted[0]) == folded(character[0]));
        return equal && advance(place + wanted.size(), character);
    }

    bool advance(std::size_t place, std::string_view character)
    {
        m_place = place;
        m_at += character.size();
        return true;
    }

    const PatternKind &m_kind;
    std::string_view m_pattern;
    std::string_view m_text;
    std::string_view m_escape;
    std::size_t m_place = 0; ///< In the pattern.
    std::size_t m_at = 0;    ///< In the text.
    std::optional<std::size_t> m_afterAny;
    std::size_t m_anyEnd = 0; ///< What the last "any" matches ends here.
};

/// SQLite's patterns and texts end at their first NUL.
std::string_view untilNul(std::string_view text)
{
    return text.substr(0, text.find('\0'));
}

template <const PatternKind &kind>
void match(sqlite3_context *context, int count, sqlite3_value **values)
{
    static const bool neverMatchesBlobs = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS") != 0;
    if (neverMatchesBlobs
        && (sqlite3_value_type(values[0]) == SQLITE_BLOB || sqlite3_value_type(values[1]) == SQLITE_BLOB))
        return sqlite3_result_int(context, 0);
    const std::string_view whole = textOfValue(values[0]);
    if (whole.size() > static_cast<std::size_t>(
            sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1)))
        return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1);
    std::string_view escape;
    if (count > 2) {
        if (isNull(values[2]))
            return;
        escape = textOfValue(values[2]);
        if (escape.empty() || stepOver(escape) != escape.size())
            return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1);
    }
    if (isNull(values[0]) || isNull(values[1]))
        return;
    const auto &goOn = *static_cast<const std::function<bool()> *>(sqlite3_user_data(context));
    const auto matches = PatternMatch(kind, untilNul(whole), untilNul(textOfValue(values[1])), escape).matches(goOn);
    if (!matches)
        return sqlite3_result_error_code(context, SQLITE_INTERRUPT);
    sqlite3_result_int(context, *matches ? 1 : 0);
}

/// Lack of memory becomes SQLite's error: exceptions do not pass through its code.
template <void (*function)(sqlite3_context *, int, sqlite3_value **)>
void guarded(sqlite3_context *context, int count, sqlite3_value **values)
{
    try {
        function(context, count, values);
    } catch (const std::bad_alloc &) {
        sqlite3_result_error_nomem(context);
    }
}

} // namespace

void replaceSlowFunctions(sqlite3 *handle, const std::function<bool()> &goOn)
{
    struct Row {
        const char *name;
        int arguments;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
    };
    constexpr Row kRows[] = {
        {"instr", 2, guarded<instr>},       {"replace", 3, guarded<replace>},   {"trim", 1, guarded<trim<3>>},
        {"trim", 2, guarded<trim<3>>},      {"ltrim", 1, guarded<trim<Left>>},  {"ltrim", 2, guarded<trim<Left>>},
        {"rtrim", 1, guarded<trim<Right>>}, {"rtrim", 2, guarded<trim<Right>>}, {"like", 2, guarded<match<kLike>>},
        {"like", 3, guarded<match<kLike>>}, {"glob", 2, guarded<match<kGlob>>},
    };
    for (const Row &row : kRows)
        sqlite3_create_function(handle, row.name, row.arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                const_cast<void *>(static_cast<const void *>(&goOn)), row.call, nullptr, nullptr);
}

} // namespace jetscope
