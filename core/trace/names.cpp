// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/names.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

constexpr TraceName kUnknownName = std::numeric_limits<TraceName>::max();

} // namespace

TraceName TraceNames::intern(std::string_view text, Category category, Certainty certainty)
{
    auto &index = m_index[static_cast<std::size_t>(category)][static_cast<std::size_t>(certainty)];
    if (const auto known = index.find(text); known != index.end())
        return known->second;
    const auto name = static_cast<TraceName>(m_texts.size());
    m_texts.emplace_back(text);
    m_kinds.push_back({category, certainty});
    index.emplace(m_texts.back(), name);
    return name;
}

TraceName TraceNames::fromProcess(NameId id)
{
    if (id >= m_fromProcess.size())
        m_fromProcess.resize(id + std::size_t{1}, kUnknownName);
    TraceName &name = m_fromProcess[id];
    if (name == kUnknownName && id < m_processNames.size())
        name = intern(m_processNames[id].text, m_processNames[id].category, m_processNames[id].certainty);
    if (name == kUnknownName)
        name = intern(spanName(id), spanCategory(id), spanCertainty(id));
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
    std::uint64_t bytes = m_texts.size() * (sizeof(std::string) + 4 * sizeof(void *))
        + m_kinds.capacity() * sizeof(Kind) + m_fromProcess.capacity() * sizeof(TraceName);
    for (const std::string &text : m_texts)
        bytes += text.capacity() > sizeof(std::string) / 2 ? text.capacity() : 0;
    return bytes;
}

} // namespace jetscope
