// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/span.h"

#include <array>
#include <atomic>
#include <limits>
#include <map>
#include <mutex>
#include <tuple>

namespace jetscope {

namespace {

/// Entries are published once and never move, so reading needs no lock. The table has room for every possible id;
/// unused parts remain unmapped zero pages.
class NameTable {
public:
    NameTable() { add({}, Category::Tool, Purpose::Work, Certainty::Exact); }

    NameId intern(std::string_view name, Category category, Purpose purpose, Certainty certainty)
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_ids.find({category, purpose, certainty, name});
        if (known != m_ids.end())
            return known->second;
        return m_count < m_entries.size() ? add(name, category, purpose, certainty) : kUnnamed;
    }

    void appendNewTo(std::vector<SpanName> &names)
    {
        const std::lock_guard lock(m_mutex);
        for (std::size_t id = names.size(); id < m_count; ++id)
            names.push_back(at(static_cast<NameId>(id)));
    }

    const SpanName &at(NameId id) const
    {
        const SpanName *entry = m_entries[id].load(std::memory_order_acquire);
        return entry ? *entry : *m_entries[kUnnamed].load(std::memory_order_acquire);
    }

private:
    /// The name of a default-constructed Span, and of names after the ids are exhausted.
    static constexpr NameId kUnnamed = 0;

    NameId add(std::string_view name, Category category, Purpose purpose, Certainty certainty)
    {
        const auto id = static_cast<NameId>(m_count++);
        auto *entry = new SpanName{std::string(name), category, certainty, purpose};
        m_entries[id].store(entry, std::memory_order_release);
        m_ids.emplace(std::tuple{category, purpose, certainty, std::string_view(entry->text)}, id);
        return id;
    }

    std::mutex m_mutex;
    std::map<std::tuple<Category, Purpose, Certainty, std::string_view>, NameId> m_ids;
    std::size_t m_count = 0;
    std::array<std::atomic<const SpanName *>, std::numeric_limits<NameId>::max() + std::size_t{1}> m_entries{};
};

/// Never destroyed, because threads may still read names while the process exits.
NameTable &names()
{
    static auto *const table = new NameTable;
    return *table;
}

struct CategoryRow {
    Category category;
    std::string_view name; ///< In files and for users.
};

constexpr auto kCategories = std::to_array<CategoryRow>({
    {Category::Capture, "capture"},
    {Category::Upload, "upload"},
    {Category::Copy, "copy"},
    {Category::Kernel, "kernel"},
    {Category::CpuStage, "cpu-stage"},
    {Category::Submit, "submit"},
    {Category::Draw, "draw"},
    {Category::Present, "present"},
    {Category::Tool, "tool"},
    {Category::WaitSync, "wait-sync"},
    {Category::WaitMemory, "wait-memory"},
    {Category::WaitSlot, "wait-slot"},
    {Category::WaitInput, "wait-input"},
});
static_assert(hasEveryRow(kCategories, &CategoryRow::category));

} // namespace

std::string_view categoryName(Category category)
{
    const auto index = static_cast<std::size_t>(category);
    return index < kCategories.size() ? kCategories[index].name : "?";
}

NameId internName(std::string_view name, Category category, Purpose purpose, Certainty certainty)
{
    return names().intern(name, category, purpose, certainty);
}

NameId boundedName(NameId id)
{
    const SpanName &name = names().at(id);
    return names().intern(name.text, name.category, name.purpose, Certainty::Bounded);
}

const SpanName &internedName(NameId id)
{
    return names().at(id);
}

void appendNewNames(std::vector<SpanName> &all)
{
    names().appendNewTo(all);
}

} // namespace jetscope
