// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/calledstreams.h"
#include "core/attach/model/streamvalues.h"
#include "core/hazards/hazardledger.h"

#include <cstddef>
#include <cstdint>
#include <set>

namespace jetscope {

/// The events of an inspected process in its hazard ledger, and the EGLSyncs that stand for them, by their handles.
/// Graphs and other processes may record events, too, which is not seen: a wait for such a record may be for any work.
/// Not thread-safe.
class CalledEvents {
public:
    CalledEvents(HazardLedger &ledger, StreamValues &values, CalledStreams &streams)
        : m_ledger(ledger), m_values(values), m_streams(streams)
    {
    }

    void add(std::uint64_t event);
    void remove(std::uint64_t event);
    /// `object`: the stream as the ledger knows it.
    void record(std::uint64_t event, std::uint64_t stream, HazardLedger::Object object, const HazardCaller &caller);
    /// The record goes into a graph, which executes it.
    void recordCaptured(std::uint64_t event);
    void graphLaunched() { m_hasGraphs = true; }
    bool hasGraphs() const { return m_hasGraphs; }

    /// A stream waits for the event; the CPU has waited for it.
    void waitInStream(std::uint64_t stream, std::uint64_t event);
    void waited(std::uint64_t event);
    /// Whether any of these waits was for a record that is not seen.
    bool hasUnseenRecords() const { return m_hasUnseenRecords; }

    void addSync(std::uint64_t sync, std::uint64_t event, const HazardCaller &caller);
    /// False if it is none of these.
    bool waitedForSync(std::uint64_t sync);
    void removeSync(std::uint64_t sync);

    /// How many of both are known.
    std::size_t size() const { return m_known.size(); }

private:
    bool isRecordUnseen(std::uint64_t event);

    HazardLedger &m_ledger;
    StreamValues &m_values;
    CalledStreams &m_streams;
    std::set<std::uint64_t> m_known; ///< By the ledger; also of EGLSyncs.
    bool m_hasGraphs = false;        ///< Some were launched.
    bool m_hasUnseenRecords = false;
};

} // namespace jetscope
