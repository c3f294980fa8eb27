// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/model/programmodel.h"
#include "core/attach/model/streamvalues.h"
#include "core/hazards/hazardledger.h"

#include <cstdint>
#include <set>
#include <vector>

namespace jetscope {

/// A handle of an inspected program as an object of its hazard ledger.
inline HazardLedger::Object ledgerObjectOf(std::uint64_t handle)
{
    return reinterpret_cast<HazardLedger::Object>(static_cast<std::uintptr_t>(handle)); // A handle is an address.
}

/// The streams of an inspected process in its hazard ledger, by their handles, and the order that the legacy default
/// stream makes: it and all streams but non-blocking ones wait for each other. Not thread-safe.
class CalledStreams {
public:
    using Object = HazardLedger::Object;

    CalledStreams(HazardLedger &ledger, StreamValues &values, const ProgramModel &model, std::int32_t pid)
        : m_ledger(ledger), m_values(values), m_model(model), m_pid(pid)
    {
    }

    void add(std::uint64_t stream);
    /// The stream is destroyed. Its work goes on, and nothing tells the CPU when it is complete.
    void remove(std::uint64_t stream);
    /// Work is submitted: the stream as the ledger knows it, behind all that it waits for. Call `endWork` behind it.
    Object beginWork(std::uint64_t stream);
    void endWork(std::uint64_t stream);
    /// The same, but no work is submitted.
    Object awaited(std::uint64_t stream);
    /// Whether the order of its work is not known, so that what the work does is left out.
    bool isLeftOut(std::uint64_t stream);
    /// Whether that was so of any.
    bool hasLeftOut() const { return m_hasLeftOut; }
    /// The CPU has waited for a stream, or for all of them.
    void waited(std::uint64_t stream);
    void waitedForAll();
    std::vector<std::uint64_t> all() const { return {m_streams.begin(), m_streams.end()}; }
    /// Whether there are too many to follow, also when those of threads are given up whose work is complete: nothing
    /// says which threads have ended.
    bool areTooMany();

    /// Streams with host functions that the CPU has not waited for.
    void addHostFunction(std::uint64_t stream) { m_withHostFunctions.insert(stream); }
    bool hasHostFunction(std::uint64_t stream) const { return m_withHostFunctions.contains(stream); }
    void endHostFunctions() { m_withHostFunctions.clear(); }

private:
    bool isTooMuch() const;
    bool isNonBlocking(std::uint64_t stream) const { return !m_model.of(m_pid).isBlocking(stream).value_or(true); }
    void defaultWaitsFor(std::uint64_t stream);

    HazardLedger &m_ledger;
    StreamValues &m_values;
    const ProgramModel &m_model;
    const std::int32_t m_pid;
    std::set<std::uint64_t> m_streams;           ///< Those that the ledger knows.
    std::set<std::uint64_t> m_busy;              ///< With work that the legacy default stream has not waited for.
    std::set<std::uint64_t> m_withHostFunctions; ///< Since the last wait.
    bool m_hasLegacyWork = false;
    bool m_hasLeftOut = false;
};

} // namespace jetscope
