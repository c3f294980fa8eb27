// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/names.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace jetscope {

namespace {

constexpr TraceName kUnknownName = std::numeric_limits<TraceName>::max();

} // namespace

std::size_t TraceNames::KeyHash::operator()(const Key &key) const
{
    const std::size_t kind = (static_cast<std::size_t>(key.category) << 16)
        | (static_cast<std::size_t>(key.purpose) << 8) | static_cast<std::size_t>(key.certainty);
    return std::hash<std::string_view>()(key.text) ^ (kind * 0x9e3779b97f4a7c15U);
}

TraceNames TraceNames::forReading() const
{
    TraceNames names;
    names.m_blocks = m_blocks;
    names.m_size = m_size;
    return names;
}

TraceName TraceNames::intern(std::string_view text, Category category, Purpose purpose, Certainty certainty)
{
    if (const auto known = m_index.find({text, category, purpose, certainty}); known != m_index.end())
        return known->second;
    if (m_size % kBlock == 0)
        m_blocks.emplace_back(new SpanName[kBlock]);
    SpanName &added = m_blocks.back()[m_size % kBlock];
    added = {std::string(text), category, certainty, purpose};
    const auto name = static_cast<TraceName>(m_size++);
    m_index.emplace(Key{added.text, category, purpose, certainty}, name);
    return name;
}

TraceName TraceNames::fromProcess(NameId id)
{
    if (id >= m_fromProcess.size())
        m_fromProcess.resize(id + std::size_t{1}, kUnknownName);
    TraceName &name = m_fromProcess[id];
    if (name == kUnknownName && id < m_processNames.size())
        name = intern(m_processNames[id]);
    if (name == kUnknownName)
        name = intern(internedName(id));
    return name;
}

void TraceNames::addProcessNames(std::size_t first, const std::vector<SpanName> &names)
{
    for (std::size_t i = m_processNames.size() - std::min(first, m_processNames.size()); i < names.size(); ++i)
        m_processNames.push_back(names[i]);
}

std::uint64_t TraceNames::memoryBytes() const
{
    // Size of a name and its index entry; short texts are stored inside the string object.
    std::uint64_t bytes =
        m_size * (sizeof(SpanName) + sizeof(Key) + 4 * sizeof(void *)) + m_fromProcess.capacity() * sizeof(TraceName);
    for (std::size_t name = 0; name < m_size; ++name) {
        const std::string &text = at(static_cast<TraceName>(name)).text;
        bytes += text.capacity() > sizeof(std::string) / 2 ? text.capacity() : 0;
    }
    return bytes;
}

} // namespace jetscope
