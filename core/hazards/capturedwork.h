// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/memory.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// What streams captured for graphs, and what graphs hold. It orders nothing and reports nothing. One thread at a time.
class CapturedWork {
public:
    using Object = const void *;

    /// One launch or copy.
    struct Piece {
        bool isLaunch = true;
        std::vector<MemoryUse> uses;
        std::vector<std::uint64_t> memories; ///< Of each use, the number of its memory; 0 if it is not known.
    };

    void begin(Object stream) { m_open[stream].clear(); }
    bool isCapturing(Object stream) const { return m_open.contains(stream); }
    bool isCapturing() const { return !m_open.empty(); }
    /// Only while the stream is captured.
    void add(Object stream, Piece piece) { m_open[stream].push_back(std::move(piece)); }
    /// A null graph: the capture has failed.
    void end(Object stream, Object graph)
    {
        if (graph)
            m_graphs[graph] = std::move(m_open[stream]);
        m_open.erase(stream);
    }
    /// Of a graph that is not known: nothing.
    std::span<const Piece> of(Object graph) const
    {
        const auto found = m_graphs.find(graph);
        return found == m_graphs.end() ? std::span<const Piece>() : std::span<const Piece>(found->second);
    }
    void remove(Object graph) { m_graphs.erase(graph); }

private:
    std::unordered_map<Object, std::vector<Piece>> m_open;
    std::unordered_map<Object, std::vector<Piece>> m_graphs;
};

} // namespace jetscope
