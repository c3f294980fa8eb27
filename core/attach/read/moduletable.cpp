// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/read/moduletable.h"

#include "core/text/parsenumber.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace jetscope {

namespace {

constexpr std::size_t kMaxMappings = 20'000;
constexpr std::size_t kMaxProcesses = 256;
constexpr std::size_t kMaxCodePlaces = 4096;
constexpr std::int64_t kReadEveryNs = 100'000'000;

/// Takes a hexadecimal number and the character behind it from the beginning of a line.
std::optional<std::uint64_t> takeHex(std::string_view &line, char behind)
{
    const std::optional<std::uint64_t> value = takeNumber<std::uint64_t>(line, 16);
    if (!value || !line.starts_with(behind))
        return std::nullopt;
    line.remove_prefix(1);
    return value;
}

/// "7f00-7f10 r-xp 00001000 08:01 1234   /usr/lib/libc.so.6"
std::optional<CodeMapping> parseMapping(std::string_view line)
{
    constexpr std::size_t kRights = 4;
    CodeMapping mapping;
    const auto start = takeHex(line, '-');
    const auto end = start ? takeHex(line, ' ') : std::nullopt;
    if (!end || *end <= *start || line.size() <= kRights || line[2] != 'x')
        return std::nullopt;
    line.remove_prefix(kRights + 1);
    const auto offset = takeHex(line, ' ');
    const std::size_t file = line.find('/');
    if (!offset || file == std::string_view::npos)
        return std::nullopt;
    return CodeMapping{*start, *end, {std::string(line.substr(file)), *offset}};
}

} // namespace

std::vector<CodeMapping> parseMappings(std::string_view text)
{
    std::vector<CodeMapping> mappings;
    while (!text.empty() && mappings.size() < kMaxMappings) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        if (auto mapping = parseMapping(text.substr(0, end)))
            mappings.push_back(*std::move(mapping));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    std::stable_sort(mappings.begin(), mappings.end(),
                     [](const CodeMapping &a, const CodeMapping &b) { return a.start < b.start; });
    return mappings;
}

std::optional<CodePlace> placeIn(const std::vector<CodeMapping> &mappings, std::uint64_t address)
{
    const auto after =
        std::upper_bound(mappings.begin(), mappings.end(), address,
                         [](std::uint64_t wanted, const CodeMapping &mapping) { return wanted < mapping.start; });
    if (after == mappings.begin() || address >= (after - 1)->end)
        return std::nullopt;
    const CodeMapping &mapping = *(after - 1);
    return CodePlace{mapping.place.file, mapping.place.offset + (address - mapping.start)};
}

bool ModuleTable::lookUp(const Process &process, std::pair<std::int32_t, std::uint64_t> key)
{
    std::optional<CodePlace> place = placeIn(*process.mappings, key.second);
    if (place)
        m_places[key] = *std::move(place);
    return m_places.contains(key);
}

void ModuleTable::add(std::int32_t process, std::string_view maps)
{
    if (m_processes.size() < kMaxProcesses || m_processes.contains(process))
        m_processes[process].mappings = std::make_shared<const std::vector<CodeMapping>>(parseMappings(maps));
}

void ModuleTable::see(std::int32_t process, std::uint64_t address, std::int64_t nowNs)
{
    const std::pair key(process, address);
    if (address == 0 || m_places.contains(key) || m_places.size() >= kMaxCodePlaces
        || (m_processes.size() >= kMaxProcesses && !m_processes.contains(process)))
        return;
    const auto [known, isNew] = m_processes.try_emplace(process);
    Process &found = known->second;
    if (lookUp(found, key) || (!isNew && nowNs - found.readNs < kReadEveryNs))
        return;
    found.readNs = nowNs;
    std::ifstream file(m_folder + "/" + std::to_string(process) + "/maps", std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf(); // Iterators would throw if the process ends meanwhile.
    if (text.str().empty())
        return; // It has ended.
    found.mappings = std::make_shared<const std::vector<CodeMapping>>(parseMappings(text.str()));
    lookUp(found, key);
}

std::optional<CodePlace> ModuleTable::find(std::int32_t process, std::uint64_t address) const
{
    const auto found = m_places.find({process, address});
    return found == m_places.end() ? std::nullopt : std::optional(found->second);
}

std::shared_ptr<const std::vector<CodeMapping>> ModuleTable::mappings(std::int32_t process) const
{
    const auto known = m_processes.find(process);
    return known == m_processes.end() ? nullptr : known->second.mappings;
}

} // namespace jetscope
