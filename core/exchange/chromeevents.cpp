// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeevents.h"

#include "core/exchange/chromepieces.h"
#include "core/exchange/jsontoken.h"

#include <simdjson.h>

#include <cstring>
#include <utility>

namespace jetscope {

namespace {

namespace json = simdjson::ondemand;

static_assert(ChromePieces::kPadding > simdjson::SIMDJSON_PADDING);

/// The raw value as written in the file, without trailing space.
std::string_view tokenOf(json::value &value)
{
    std::string_view raw = value.raw_json_token();
    while (!raw.empty() && static_cast<unsigned char>(raw.back()) <= ' ')
        raw.remove_suffix(1);
    return raw;
}

/// Whether a key in the file is this one; `key` ends with the quotation mark. May read past the end of the file into
/// its padding.
template <std::size_t size>
bool isKey(const char *raw, const char (&key)[size])
{
    return std::memcmp(raw, key, size - 1) == 0;
}

/// A raw key. The relevant keys have no escapes, and others are only displayed.
std::string_view keyText(const char *raw)
{
    std::size_t size = 0;
    while (raw[size] != '"')
        size += raw[size] == '\\' ? 2 : 1;
    return {raw, size};
}

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

/// Describes an unexpected value of which only the beginning was read.
std::string inWords(std::string_view value)
{
    if (value.front() == '"')
        return "a text";
    return value.front() == '{' ? "an object" : std::string(value);
}

/// Reads the events of one file's pieces and passes them to one listener.
class EventReading {
public:
    EventReading(const std::string &path, const ChromeListener &listener) : m_path(path), m_listener(listener) {}

    Status read(const ChromePieces::Piece &piece)
    {
        if (piece.kind == ChromePieces::Kind::Others) {
            (void)readOthers(piece); // An error there affects no event.
            return {};
        }
        std::size_t done = 0;
        Code code = readTogether(piece, done);
        const std::vector<std::uint32_t> &starts = *piece.elements;
        const auto elementAt = [&](std::size_t i) {
            return piece.text.substr(starts[i], starts[i + 1] - 1 - starts[i]);
        };
        if (code != simdjson::SUCCESS && done > 0)
            noteWhatFollows(elementAt(done - 1));
        // After an error, the rest of the piece is read event by event, so that only damaged events are lost.
        for (; code != simdjson::SUCCESS && done + 1 < starts.size(); ++done) {
            const std::string_view element = elementAt(done);
            if (isBlank(element))
                continue;
            const Code alone = readAlone(element.data(), element.size(), piece.capacity - starts[done]);
            if (alone == simdjson::MEMALLOC)
                return sentence("there is not enough memory for " + m_path + ": close other programs, then try again");
            if (alone == simdjson::SUCCESS) {
                noteWhatFollows(element);
                continue;
            }
            if (m_file.damaged++ == 0) {
                m_file.firstDamaged = m_event.number;
                m_firstDamage = alone;
            }
        }
        return {};
    }

    Result<ChromeFile> finish(const ChromePieces &pieces) const
    {
        if (!pieces.foundEvents() || (m_file.events == 0 && m_file.damaged > 0))
            return nothingToRead(pieces);
        ChromeFile file = pieces.found();
        file.events = m_file.events;
        file.damaged = m_file.damaged;
        file.firstDamaged = m_file.firstDamaged;
        file.empty = m_file.empty;
        file.textBetween = m_file.textBetween;
        file.baseUnixNs = wholeNumberOf(plainTextOf(pieces.baseTime()).value_or(pieces.baseTime())).value_or(0);
        return file;
    }

private:
    using Code = simdjson::error_code;

    /// Reads events until the first error and sets `read` to their number.
    Code readTogether(const ChromePieces::Piece &piece, std::size_t &read)
    {
        json::document document;
        json::array array;
        if (const auto error =
                m_parser.iterate(simdjson::padded_string_view(piece.text.data(), piece.text.size(), piece.capacity))
                    .get(document))
            return error;
        if (const auto error = document.get_array().get(array))
            return error;
        for (auto element : array) {
            json::object object;
            if (const auto error = element.get_object().get(object))
                return error;
            ++m_event.number;
            if (const auto error = readEvent(object)) {
                --m_event.number;
                return error;
            }
            ++read;
        }
        return simdjson::SUCCESS;
    }

    Code readAlone(const char *text, std::size_t size, std::size_t capacity)
    {
        json::document document;
        json::object object;
        ++m_event.number;
        if (const auto error = m_parser.iterate(simdjson::padded_string_view(text, size, capacity)).get(document))
            return error;
        if (const auto error = document.get_object().get(object))
            return error;
        return readEvent(object);
    }

    Code readEvent(json::object object)
    {
        m_event.phase = 0;
        for (std::string_view *field :
             {&m_event.name, &m_event.category, &m_event.time, &m_event.duration, &m_event.process, &m_event.thread,
              &m_event.id, &m_event.binding, &m_event.scope})
            *field = {};
        m_event.isLocalId = false;
        m_event.arguments.clear();
        bool any = false;
        // Fields are processed in place: copying them would take longer than all other work.
        for (auto result : object) {
            if (const auto error = result.error())
                return error;
            json::field &&field = std::move(result).value_unsafe();
            const char *const key = field.key().raw();
            any = true;
            if (std::string_view *const token = tokenFor(key))
                *token = tokenOf(field.value());
            else if (const auto error = readField(key, field.value()))
                return error;
        }
        if (any) { // Some producers write an empty event after a trailing comma.
            ++m_file.events;
            m_listener.event(m_event);
        } else {
            ++m_file.empty;
        }
        return simdjson::SUCCESS;
    }

    /// The member that stores a field as a token; null for other fields.
    std::string_view *tokenFor(const char *key)
    {
        switch (key[0]) {
        case 't':
            return isKey(key, "ts\"") ? &m_event.time : isKey(key, "tid\"") ? &m_event.thread : nullptr;
        case 'd':
            return isKey(key, "dur\"") ? &m_event.duration : nullptr;
        case 'p':
            return isKey(key, "pid\"") ? &m_event.process : nullptr;
        case 'i':
            return isKey(key, "id\"") ? &m_event.id : nullptr;
        case 'b':
            return isKey(key, "bp\"") ? &m_event.binding : nullptr;
        case 's':
            return isKey(key, "scope\"") ? &m_event.scope : nullptr;
        default:
            return nullptr;
        }
    }

    Code readField(const char *key, json::value &value)
    {
        if (isKey(key, "name\"")) {
            m_event.name = textOf(value, m_name);
        } else if (isKey(key, "cat\"")) {
            m_event.category = textOf(value, m_category);
        } else if (isKey(key, "args\"")) {
            m_event.arguments.clear();
            return eachScalar(value, [this](const ChromeArgument &argument) { m_event.arguments.push_back(argument); });
        } else if (isKey(key, "id2\"")) {
            return eachScalar(value, [this](const ChromeArgument &argument) {
                m_event.id = argument.value;
                m_event.isLocalId = argument.key == "local";
            });
        } else if (isKey(key, "ph\"")) {
            const std::string_view phase = textOf(value, m_phase);
            m_event.phase = phase.size() == 1 ? phase.front() : '\0';
        }
        return simdjson::SUCCESS;
    }

    /// A decoded string; other values unchanged, except that null becomes an empty text.
    static std::string_view textOf(json::value &value, std::string &decoded)
    {
        const std::string_view token = tokenOf(value);
        if (const auto plain = plainTextOf(token))
            return *plain;
        decoded = token == "null" ? std::string() : readableOf(token);
        return decoded;
    }

    Code readOthers(const ChromePieces::Piece &piece)
    {
        json::document document;
        json::value value;
        if (const auto error =
                m_parser.iterate(simdjson::padded_string_view(piece.text.data(), piece.text.size(), piece.capacity))
                    .get(document))
            return error;
        if (const auto error = document.get_value().get(value))
            return error;
        return eachScalar(value, m_listener.other);
    }

    template <class Take>
    static Code eachScalar(json::value &value, Take take)
    {
        json::json_type type{};
        if (const auto error = value.type().get(type))
            return error;
        if (type != json::json_type::object)
            return simdjson::SUCCESS;
        json::object object;
        if (const auto error = value.get_object().get(object))
            return error;
        for (auto result : object) {
            if (const auto error = result.error())
                return error;
            json::field &&field = std::move(result).value_unsafe();
            const std::string_view token = tokenOf(field.value());
            if (!token.starts_with('{') && !token.starts_with('['))
                take(ChromeArgument{keyText(field.key().raw()), token});
        }
        return simdjson::SUCCESS;
    }

    /// An event that was read from a piece with an error may be followed by something else.
    void noteWhatFollows(std::string_view element)
    {
        const std::size_t last = element.find_last_not_of(" \t\r\n");
        m_file.textBetween += last != std::string_view::npos && element[last] != '}' ? 1 : 0;
    }

    Error nothingToRead(const ChromePieces &pieces) const
    {
        if (!pieces.isJson() && pieces.isPacked())
            return sentence(m_path
                            + " holds no Chrome trace (JSON), or is damaged from its beginning: unpack it to see");
        if (!pieces.inPlaceOfEvents().empty())
            return sentence(
                m_path + " has no events (its traceEvents is " + inWords(pieces.inPlaceOfEvents())
                + " in place of a list): nothing was recorded, or the file is damaged; record the trace again");
        if (!pieces.foundEvents() && pieces.found().cutShort)
            return sentence(m_path + " ends before its first event: take another copy of it");
        if (!pieces.foundEvents())
            return sentence(m_path + " has no traceEvents: it is no Chrome trace; take another file");
        if (m_firstDamage == simdjson::INCORRECT_TYPE)
            return sentence(m_path + " has no event that can be read (what stands in place of event "
                            + std::to_string(m_file.firstDamaged)
                            + " is no object): it is no Chrome trace; take another file");
        return sentence(m_path + " has no event that can be read (event " + std::to_string(m_file.firstDamaged)
                        + " is no valid JSON): take another copy of it");
    }

    const std::string &m_path;
    const ChromeListener &m_listener;
    json::parser m_parser;
    ChromeEvent m_event;
    std::string m_name; ///< Decoded value if it has escapes.
    std::string m_category;
    std::string m_phase;
    ChromeFile m_file;
    Code m_firstDamage = simdjson::SUCCESS;
};

} // namespace

std::string_view ChromeEvent::argument(std::string_view key) const
{
    std::string_view found;
    for (const ChromeArgument &argument : arguments)
        if (argument.key == key)
            found = argument.value;
    return found;
}

Result<ChromeFile> readChromeEvents(const std::string &path, const ChromeListener &listener, Progress &progress,
                                    double share)
{
    JETSCOPE_TRY_ASSIGN(ByteSource source, ByteSource::open(path));
    ChromePieces pieces(std::move(source));
    EventReading reading(path, listener);
    while (true) {
        JETSCOPE_TRY_ASSIGN(const ChromePieces::Piece piece, pieces.next());
        if (piece.kind == ChromePieces::Kind::End)
            break;
        JETSCOPE_TRY(reading.read(piece));
        if (!progress.advance(share * pieces.fraction()))
            return cancelledError();
    }
    return reading.finish(pieces);
}

} // namespace jetscope
