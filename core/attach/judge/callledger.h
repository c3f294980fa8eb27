// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/callhazards.h"
#include "core/attach/judge/finding.h"
#include "core/attach/model/calledstreams.h"
#include "core/attach/model/pixelstore.h"
#include "core/attach/model/programmodel.h"
#include "core/attach/model/streamvalues.h"
#include "core/hazards/hazardledger.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace jetscope {

struct CopyRows;

/// Tells the hazard ledger what an inspected program does, as far as its calls say so: allocations, copies, launches,
/// waits, and what GL reads and writes in memory of the host. A process has a ledger of its own. What kernels use is
/// not in their calls, and the CPU's own accesses are not seen.
///
/// A hazard is *seen* if both accesses stand in arguments of calls. It is *possible* if the order of the calls leaves
/// the CPU no time for a legal access, if it depends on an attribute of the device that is not known, or if graphs may
/// have made the order that seems to be missing.
///
/// Host functions count as run from the beginning of the call that submits them, because what they tell the CPU is not
/// seen. What one thread of the CPU knows, all know
/// from then on: how they hand work to each other is not seen. Memory is bounded. Not thread-safe.
class CallLedger {
public:
    explicit CallLedger(const ProgramModel &model) : m_model(model), m_pixels(model) {}

    /// concurrentManagedAccess of the GPU; call before the first event. Empty: not known.
    void setConcurrentManagedAccess(std::optional<bool> value) { m_concurrentManagedAccess = value; }
    /// Calls that the model has taken, with the same numbers; `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame);
    /// Calls were not recorded for a while.
    void interrupt();
    void setUnseen(const UnseenCalls &unseen) { m_unseen = unseen; }
    void setWatchedResults(const WatchedResults &watched) { m_watched = watched; }

    std::vector<WasteFinding> findings(std::uint32_t frames) const;
    /// Every rule that is about what programs call, and why it is not checked.
    std::vector<WasteCheck> checks() const;
    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites();

private:
    using Object = HazardLedger::Object;
    using Use = HazardLedger::Use;
    static Object objectOf(std::uint64_t handle)
    {
        return reinterpret_cast<Object>(static_cast<std::uintptr_t>(handle));
    }
    struct FailedCall {
        AttachEvent event;
        std::int32_t tid = 0;
        HazardCaller caller;
    };
    struct Process {
        Process(const HazardLedger::Conditions &conditions, const ProgramModel &model, std::int32_t pid)
            : ledger(conditions), values(ledger), streams(ledger, values, model, pid)
        {
        }

        HazardLedger ledger;
        StreamValues values;
        CalledStreams streams;
        std::int64_t lastNs = 0;             ///< When its newest call ended.
        bool hasHostFunctions = false;       ///< There were any.
        bool hasGraphs = false;              ///< Some were launched.
        std::deque<FailedCall> notPermitted; ///< Before the first one.
        bool newManaged = false;             ///< Managed memory was allocated since the last launch.
        std::set<std::uint64_t> events;      ///< Those that the ledger knows, and EGLSyncs.
        bool launched = false;               ///< In this frame.
        bool wasIdle = true;                 ///< At some time of this frame.
        AttachEvent lastLaunch;
    };
    struct Call { ///< What the functions below share.
        const AttachEvent &event;
        std::int32_t pid;
        std::int32_t tid;
        HazardCaller caller;
    };
    using Evidence = HazardEvidence;

    /// Null if it is not followed. Only a call of CUDA makes it known.
    Process *processOf(std::int32_t pid, bool isCuda);
    void giveUp(std::int32_t pid);
    Evidence ofManaged() const { return m_concurrentManagedAccess ? Evidence::Calls : Evidence::UnknownDevice; }
    bool turnsAreTaken() const { return m_concurrentManagedAccess != std::optional(true); }
    bool hasGlobalMemory(std::int32_t pid) const;
    void beginFrame(std::uint32_t frame);
    void takeFailed(Process &process, const Call &call);
    void takeRead(Process &process, const Call &call);
    void addReadFindings(std::vector<WasteFinding> &found, std::uint32_t frames) const;
    WasteCheck readCheck() const;
    void takeNotPermitted(Process &process, const Call &call);
    void takeHostFunction(Process &process, const Call &call);
    bool takeMemory(Process &process, const Call &call);
    bool takeWork(Process &process, const Call &call);
    void tellCpu(Process &process, const Call &call, std::uint64_t stream, Object object);
    void takeValues(Process &process, const Call &call, std::uint64_t stream, Object object);
    bool takeWait(Process &process, const Call &call);
    void takeObject(Process &process, const Call &call);
    void takeCaptured(Process &process, const AttachEvent &event);
    /// Whether the event may have been recorded in a way that is not seen: by a graph, or by another process.
    bool isRecordUnseen(const Process &process, std::uint64_t event);
    void waitInStream(Process &process, std::uint64_t stream, std::uint64_t event);
    void waitForEvent(Process &process, std::uint64_t event);
    static void learnAll(Process &process);
    static void comeBehindGl(Process &process, std::uint64_t stream);
    static void handToGl(Process &process, std::uint64_t stream);
    /// Work that is ordered with GL. Whether it is that.
    bool takeInterop(Process &process, const Call &call);
    /// What the hazards rest on that the call makes.
    Evidence takeGl(Process &process, const Call &call);
    void takeFence(Process &process, const Call &call);
    void takeGlWait(Process &process, const Call &call);
    Evidence takeImage(Process &process, const Call &call);
    void addMemory(Process &process, const Call &call);
    void nameMemory(Process &process, const Call &call) const;
    void freeMemory(Process &process, const Call &call);
    void attach(Process &process, const Call &call);
    void copy(Process &process, const Call &call, bool blocks);
    void set(Process &process, const Call &call, std::uint64_t stream, Object object);
    /// Whether the order of the stream's work is not known, because of a wait for a value.
    bool isUnordered(const Process &process, std::uint64_t stream);
    std::uint64_t directionOf(const AttachEvent &event) const;
    std::optional<Use> useOf(std::uint64_t address, std::uint64_t bytes, Access access, std::uint64_t rows = 1,
                             std::uint64_t pitch = 0) const;
    std::optional<Use> overwrite(Process &process, std::uint64_t address, const CopyRows &rows) const;
    void noteIdle(Process &process) const;
    void complete(Process &process, std::uint64_t stream, Object object) const;
    bool hasForgotten() const;
    std::string accessReason() const;
    void report(Process &process, const Call &call, Evidence evidence);
    void count(RuleId rule, Evidence evidence, const Call &call, const std::string &text, const std::string &memory);

    const ProgramModel &m_model;
    std::optional<bool> m_concurrentManagedAccess;
    std::map<std::int32_t, std::unique_ptr<Process>> m_processes;
    CallHazards m_hazards;
    CallHazards m_reads; ///< Of results that were watched.
    WatchedResults m_watched;
    PixelStore m_pixels;
    std::set<std::int32_t> m_givenUp; ///< Processes that are not followed any more.
    std::uint32_t m_frame = kNoFrame;
    UnseenCalls m_unseen;
    bool m_sawCuda = false;
    bool m_unordered = false; ///< Work whose order is not known was left out.
    UnseenAccesses m_unseenAccesses;
    bool m_tooMany = false;      ///< Calls were not followed because there were too many objects.
    bool m_hasForgotten = false; ///< Accesses in a process that is not followed any more.
};

} // namespace jetscope
