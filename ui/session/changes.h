// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/session/history.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace jetscope {

/// The changes of a History whose words stay the same. Each keeps the content from before it, and after an undo that
/// from behind it. UI thread.
template <class Content>
class Changes {
public:
    /// `most`: how many are kept.
    explicit Changes(std::size_t most) : m_most(most) {}

    void add(History::Step step, Content before)
    {
        m_earlier.push_back({std::move(step), std::move(before)});
        if (m_earlier.size() > m_most)
            m_earlier.erase(m_earlier.begin());
        m_later.clear();
    }

    void clear()
    {
        m_earlier.clear();
        m_later.clear();
    }

    History::Step undoStep() const { return m_earlier.empty() ? History::Step() : m_earlier.back().step; }
    History::Step redoStep() const { return m_later.empty() ? History::Step() : m_later.back().step; }

    /// `exchange(content)` puts the content in place of the present one, and takes that. Not called without a change.
    template <class Exchange>
    void undo(Exchange exchange)
    {
        go(m_earlier, m_later, exchange);
    }
    template <class Exchange>
    void redo(Exchange exchange)
    {
        go(m_later, m_earlier, exchange);
    }

private:
    struct Change {
        History::Step step;
        Content content;
    };
    template <class Exchange>
    static void go(std::vector<Change> &from, std::vector<Change> &to, Exchange exchange)
    {
        if (from.empty())
            return;
        to.push_back(std::move(from.back())); // First: the exchange tells others, who look at both directions.
        from.pop_back();
        exchange(to.back().content);
    }

    std::size_t m_most;
    std::vector<Change> m_earlier;
    std::vector<Change> m_later;
};

} // namespace jetscope
