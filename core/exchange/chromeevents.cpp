// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromeevents.h"

#include "core/exchange/jsonfile.h"
#include "core/exchange/jsontoken.h"

#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace jetscope {

namespace {

namespace json = simdjson::ondemand;

constexpr std::uint64_t kEventsReadBetweenLooks = 1 << 13;
// Reading the file is quick against understanding it.
constexpr double kReadingShare = 0.1;

/// The value as it stands in the file, without the space behind it.
std::string_view tokenOf(json::value &value)
{
    std::string_view raw = value.raw_json_token();
    while (!raw.empty() && static_cast<unsigned char>(raw.back()) <= ' ')
        raw.remove_suffix(1);
    return raw;
}

/// Whether a key in the file is this one; `key` ends with the quotation mark. Reading over the end of the file is what
/// its padding is for.
template <std::size_t size>
bool isKey(const char *raw, const char (&key)[size])
{
    return std::memcmp(raw, key, size - 1) == 0;
}

/// A key as it stands in the file. Those that matter have no escapes, and the others are only shown.
std::string_view keyText(const char *raw)
{
    std::size_t size = 0;
    while (raw[size] != '"')
        size += raw[size] == '\\' ? 2 : 1;
    return {raw, size};
}

/// Reads the events of one file into one listener.
class EventReading {
public:
    EventReading(const std::string &path, const JsonFile &file, const ChromeListener &listener, Progress &progress,
                 double share)
        : m_path(path), m_text(file.text()), m_listener(listener), m_progress(progress), m_share(share)
    {
    }

    Status read(json::document &document);
    std::uint64_t events() const { return m_event.number; }

private:
    Status readEvents(simdjson::simdjson_result<json::array> events);
    Status readEvent(simdjson::simdjson_result<json::value> element);
    std::string_view *tokenFor(const char *key);
    Status readField(const char *key, json::value &value);
    Status readText(std::string_view &to, std::string_view what, json::value &value);
    Status readArguments(json::value &value);
    Status readOthers(json::value &value);
    template <class Take>
    Status eachScalar(json::value &value, Take take);
    Error damaged(simdjson::error_code code) const;

    const std::string &m_path;
    std::string_view m_text;
    const ChromeListener &m_listener;
    Progress &m_progress;
    double m_share;
    ChromeEvent m_event;
};

Error EventReading::damaged(simdjson::error_code code) const
{
    const std::string place =
        m_event.number > 0 ? " at or behind event " + std::to_string(m_event.number) : std::string();
    if (code == simdjson::UTF8_ERROR)
        return sentence(m_path + " is not valid UTF-8: write the trace again, or convert it with iconv");
    if (code == simdjson::MEMALLOC)
        return sentence("there is not enough memory for " + m_path + ": close other programs, then try again");
    return sentence(m_path + " is no valid JSON" + place + " (" + simdjson::error_message(code)
                    + "): take another copy of it");
}

Status EventReading::read(json::document &document)
{
    json::json_type type{};
    if (const auto error = document.type().get(type))
        return damaged(error);
    if (type == json::json_type::array)
        return readEvents(document.get_array());
    json::object object;
    if (const auto error = document.get_object().get(object))
        return damaged(error);
    bool found = false;
    for (auto field : object) {
        json::value value;
        std::string_view key;
        if (const auto error = field.unescaped_key().get(key))
            return damaged(error);
        if (const auto error = field.value().get(value))
            return damaged(error);
        if (key == "otherData") {
            JETSCOPE_TRY(readOthers(value));
        } else if (key == "traceEvents") {
            found = true;
            JETSCOPE_TRY(readEvents(value.get_array()));
        }
    }
    return found ? Status()
                 : Status(sentence(m_path + " has no traceEvents: it is no Chrome trace; take another file"));
}

Status EventReading::readEvents(simdjson::simdjson_result<json::array> events)
{
    json::array array;
    if (const auto error = std::move(events).get(array))
        return damaged(error);
    for (auto element : array) {
        ++m_event.number;
        JETSCOPE_TRY(readEvent(element));
        if (m_event.number % kEventsReadBetweenLooks != 0 || m_event.time.empty())
            continue;
        const auto read = static_cast<double>(m_event.time.data() - m_text.data());
        const double part = std::min(1.0, std::max(0.0, read / static_cast<double>(m_text.size())));
        if (!m_progress.advance(m_share * (kReadingShare + part * (1 - kReadingShare))))
            return cancelledError();
    }
    return {};
}

Status EventReading::readEvent(simdjson::simdjson_result<json::value> element)
{
    json::object object;
    if (const auto error = element.get_object().get(object))
        return damaged(error);
    const std::uint64_t number = m_event.number;
    m_event.phase = 0;
    m_event.name = m_event.category = m_event.time = m_event.duration = m_event.process = m_event.thread = {};
    m_event.arguments.clear();
    m_event.number = number;
    // Fields are looked at where they lie: copies of what the parser gives out cost more than all the rest.
    for (auto result : object) {
        if (const auto error = result.error())
            return damaged(error);
        json::field &&field = std::move(result).value_unsafe();
        const char *const key = field.key().raw();
        if (std::string_view *const token = tokenFor(key))
            *token = tokenOf(field.value());
        else
            JETSCOPE_TRY(readField(key, field.value()));
    }
    return m_listener.event(m_event);
}

/// Where a field goes that is kept as its token; null for others.
std::string_view *EventReading::tokenFor(const char *key)
{
    if (isKey(key, "ts\""))
        return &m_event.time;
    if (isKey(key, "dur\""))
        return &m_event.duration;
    if (isKey(key, "tid\""))
        return &m_event.thread;
    if (isKey(key, "pid\""))
        return &m_event.process;
    return nullptr;
}

Status EventReading::readField(const char *key, json::value &value)
{
    if (isKey(key, "name\""))
        return readText(m_event.name, "name", value);
    if (isKey(key, "cat\""))
        return readText(m_event.category, "cat", value);
    if (isKey(key, "args\""))
        return readArguments(value);
    if (isKey(key, "ph\"")) {
        std::string_view phase;
        JETSCOPE_TRY(readText(phase, "ph", value));
        m_event.phase = phase.size() == 1 ? phase.front() : '\0';
    }
    return {};
}

Status EventReading::readText(std::string_view &to, std::string_view what, json::value &value)
{
    const std::string_view token = tokenOf(value);
    if (const auto plain = plainTextOf(token)) {
        to = *plain;
        return {};
    }
    to = {};
    if (token == "null")
        return {};
    if (const auto error = value.get_string().get(to))
        return sentence(m_path + ": " + std::string(what) + " of event " + std::to_string(m_event.number)
                        + " is no valid text (" + simdjson::error_message(error) + "): take another copy of the file");
    return {};
}

template <class Take>
Status EventReading::eachScalar(json::value &value, Take take)
{
    json::json_type type{};
    if (const auto error = value.type().get(type))
        return damaged(error);
    if (type != json::json_type::object)
        return {};
    json::object object;
    if (const auto error = value.get_object().get(object))
        return damaged(error);
    for (auto result : object) {
        if (const auto error = result.error())
            return damaged(error);
        json::field &&field = std::move(result).value_unsafe();
        const std::string_view token = tokenOf(field.value());
        if (!token.starts_with('{') && !token.starts_with('['))
            take(ChromeArgument{keyText(field.key().raw()), token});
    }
    return {};
}

Status EventReading::readArguments(json::value &value)
{
    m_event.arguments.clear();
    return eachScalar(value, [this](const ChromeArgument &argument) { m_event.arguments.push_back(argument); });
}

Status EventReading::readOthers(json::value &value)
{
    return eachScalar(value, m_listener.other);
}

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
    Result<JsonFile> read = JsonFile::read(path, progress, share * kReadingShare);
    if (!read.ok())
        return read.error();
    JsonFile &file = read.value();
    const bool cutShort = file.isCutShort();
    if (cutShort)
        file.mend();
    EventReading reading(path, file, listener, progress, share);
    json::parser parser;
    json::document document;
    const simdjson::padded_string_view padded(file.text().data(), file.text().size(), file.capacity());
    if (const auto error = parser.iterate(padded).get(document))
        return sentence(path + " is no valid JSON (" + simdjson::error_message(error) + "): take another copy of it");
    JETSCOPE_TRY(reading.read(document));
    return ChromeFile{reading.events(), cutShort};
}

} // namespace jetscope
