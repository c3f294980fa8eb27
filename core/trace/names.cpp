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

TraceName TraceNames::intern(std::string_view text, Category category, Purpose purpose, Certainty certainty)
{
    if (const auto known = m_index.find({text, category, purpose, certainty}); known != m_index.end())
        return known->second;
    const auto name = static_cast<TraceName>(m_names.size());
    const SpanName &added = m_names.emplace_back(SpanName{std::string(text), category, certainty, purpose});
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
    std::uint64_t bytes = m_names.size() * (sizeof(SpanName) + sizeof(Key) + 4 * sizeof(void *))
        + m_fromProcess.capacity() * sizeof(TraceName);
    for (const SpanName &name : m_names)
        bytes += name.text.capacity() > sizeof(std::string) / 2 ? name.text.capacity() : 0;
    return bytes;
}

} // namespace jetscope
