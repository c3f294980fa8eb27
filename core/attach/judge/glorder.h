// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/finding.h"
#include "core/attach/model/programmodel.h"

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// Follows textures that contexts of GL share: what one context draws or uploads, another one may use when a fence or a
/// wait of the CPU orders the two, and it has to bind the texture again. A flush alone orders nothing.
///
/// What is drawn into is known (attachments of the bound framebuffer), what a shader reads is not: that a texture was
/// bound and something was drawn makes a finding possible, reading pixels or a blit makes it certain. That a texture is
/// overwritten while another context may still read it is not judged. Memory is bounded.
/// Not thread-safe.
class GlOrder {
public:
    explicit GlOrder(const ProgramModel &model) : m_model(model) {}

    /// Calls that the model has taken, with the same numbers.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame);
    /// Calls were not recorded for a while: all that was begun counts as ordered.
    void interrupt();

    std::vector<WasteFinding> findings(std::uint32_t frames, const UnseenCalls &unseen) const;
    std::vector<WasteCheck> checks(const UnseenCalls &unseen) const;
    std::vector<CallSite> takeNewSites() { return std::exchange(m_newSites, {}); }

private:
    using ContextId = std::pair<std::int32_t, std::uint64_t>; ///< Process and handle.
    using Clock = std::map<ContextId, std::uint64_t>;         ///< Of contexts: commands so far.
    struct Bound {
        std::uint32_t texture = 0;
        std::uint64_t at = 0; ///< When: a count of events.
        bool isNew = false;   ///< Nothing was drawn since.
    };
    struct Framebuffer {
        std::map<std::uint32_t, Bound> attachments;
        std::uint64_t at = 0; ///< When it was bound.
    };
    struct Context {
        std::uint64_t group = 0;
        std::uint64_t commands = 0;
        Clock seen; ///< Commands of others that come before the next one of this context.
        std::map<std::pair<std::uint32_t, std::uint32_t>, Bound> units; ///< By unit and target.
        std::uint32_t unit = 0;
        std::map<std::uint32_t, Framebuffer> framebuffers;
        std::uint32_t drawTo = 0;
        std::uint32_t readFrom = 0;
        std::vector<std::uint64_t> unflushed; ///< Fences.
    };
    struct Written {
        ContextId context;
        std::uint64_t command = 0;
        std::uint64_t at = 0;
    };
    struct Fence {
        ContextId context;
        Clock behind;
        bool isFlushed = false;
        std::optional<AttachEvent> awaited; ///< By a context, before it was flushed.
        std::int32_t pid = 0;
        std::uint32_t frame = 0;
    };
    enum class Mistake : std::uint8_t { Order, PossibleOrder, Binding, Flush };
    using FenceId = std::pair<std::int32_t, std::uint64_t>;
    struct Call {
        const AttachEvent &event;
        std::int32_t pid;
        std::uint32_t frame;
    };

    void makeContext(const Call &call);
    void takeState(Context &context, const Call &call);
    void takeWork(const ContextId &id, Context &context, const Call &call);
    void takeSync(const ContextId &id, Context &context, const Call &call);
    void takeCpuWait(Context *context, const Call &call);
    void makeFence(const ContextId &id, Context &context, const Call &call);
    void flush(Context &context, std::int32_t pid);
    void cpuKnows(const Clock &clock, std::int32_t pid);
    void finish(const ContextId &id, Context &context);
    void waitFor(Context &context, const Call &call);
    void draw(const ContextId &id, Context &context, const Call &call);
    void readFramebuffer(const ContextId &id, Context &context, const Call &call);
    void write(const ContextId &id, Context &context, std::uint32_t texture);
    void writeFramebuffer(const ContextId &id, Context &context);
    void read(const ContextId &id, Context &context, const Bound &bound, Mistake mistake, const Call &call);
    void count(Mistake mistake, const Call &call);

    const ProgramModel &m_model;
    std::map<ContextId, Context> m_contexts;
    std::map<std::pair<std::uint64_t, std::uint32_t>, Written> m_written; ///< By group and texture.
    std::map<FenceId, Fence> m_fences;
    std::map<Mistake, FindingTally> m_found;
    std::vector<CallSite> m_newSites;
    std::uint64_t m_events = 0;
    std::uint64_t m_groups = 0;
    bool m_hasShared = false;
    bool m_tooMany = false;
};

} // namespace jetscope
