// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/finding.h"
#include "core/attach/model/programmodel.h"

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// Follows textures, renderbuffers and buffers that contexts of GL share: what one context draws or uploads, another
/// one may use when a fence or a wait of the CPU orders the two, and it has to bind the object again behind that, to
/// whatever binding point. A flush alone orders nothing. What it has read may be overwritten under the same condition.
///
/// What is drawn into is known (attachments of the bound framebuffer), what a shader reads is not: that a texture was
/// bound and something was drawn makes a finding possible; reading pixels, a blit, an upload from a buffer and a
/// mapping make it certain. That something is overwritten too early is always possible only: a context that swaps is
/// held up by its window, which no call tells. Two contexts that write the same are not judged. Memory is bounded. Not
/// thread-safe.
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
    using Object = std::uint64_t;                             ///< Its kind and name; a name of 0 is none.
    using Key = std::pair<std::uint64_t, Object>;             ///< Group and object.
    enum class Kind : std::uint8_t { Texture, Renderbuffer, Buffer };
    static Object objectOf(Kind kind, std::uint64_t name)
    {
        return name == 0 ? 0 : static_cast<std::uint64_t>(kind) << 32 | (name & UINT32_MAX);
    }

    struct Bound {
        Object texture = 0;
        bool isNew = false; ///< Nothing was drawn since.
    };
    struct Learned {
        std::uint64_t commands = 0;
        std::uint64_t at = 0; ///< When: a count of events.
    };
    struct Context {
        std::uint64_t group = 0;
        std::uint64_t commands = 0;
        std::uint64_t swaps = 0;
        Clock seen; ///< Commands of others that come before the next one of this context.
        std::map<ContextId, std::deque<Learned>> learned;               ///< How it came to that.
        std::map<Object, std::uint64_t> attached;                       ///< When it was last bound or attached.
        std::map<std::pair<std::uint32_t, std::uint32_t>, Bound> units; ///< By unit and target.
        std::uint32_t unit = 0;
        std::map<std::uint32_t, std::map<std::uint32_t, Object>> framebuffers; ///< Their attachments.
        std::map<std::uint64_t, Object> buffers;                               ///< By target.
        std::map<std::uint64_t, bool> mapped;                                  ///< Target: whether the CPU may write.
        std::uint32_t drawTo = 0;
        std::uint32_t readFrom = 0;
        std::vector<std::uint64_t> unflushed; ///< Fences.
    };
    struct Written {
        ContextId context;
        std::uint64_t command = 0;
        std::uint64_t at = 0;
    };
    struct Read {
        std::uint64_t command = 0;
        std::uint64_t swaps = 0; ///< Of its context, before.
    };
    struct Fence {
        ContextId context;
        Clock behind;
        std::int64_t madeNs = 0;
        std::uint64_t at = 0;
        bool isFlushed = false;
        std::optional<AttachEvent> awaited; ///< Before it was flushed.
        std::uint32_t frame = 0;
    };
    enum class Mistake : std::uint8_t { Order, PossibleOrder, Binding, Flush, Overwrite };
    using FenceId = std::pair<std::int32_t, std::uint64_t>;
    struct Call {
        const AttachEvent &event;
        std::int32_t pid;
        std::uint32_t frame;
    };

    void makeContext(const Call &call);
    void takeState(Context &context, const Call &call);
    void attach(Context &context, Object object);
    void attachToFramebuffer(Context &context, const Call &call, Kind kind);
    void bindFramebuffer(Context &context, const Call &call);
    void endNames(Context &context, const Call &call);
    void forget(Context &context, Object object);
    void takeWork(const ContextId &id, Context &context, const Call &call);
    void takeSync(const ContextId &id, Context &context, const Call &call);
    void takeCpuWait(Context *context, const Call &call);
    void makeFence(const ContextId &id, Context &context, const Call &call);
    void endFence(const Call &call);
    void forgetOldFences();
    void flush(Context &context, std::int32_t pid);
    void learn(Context &context, const Clock &clock) const;
    void cpuKnows(const Clock &clock, std::int32_t pid);
    void finish(const ContextId &id, Context &context);
    void finishAll();
    Fence *fenceOf(const Call &call);
    void waitFor(const ContextId &id, Context &context, const Call &call);
    void draw(const ContextId &id, Context &context, const Call &call);
    void upload(const ContextId &id, Context &context, const Call &call);
    void readPixels(const ContextId &id, Context &context, const Call &call);
    void mapBuffer(const ContextId &id, Context &context, const Call &call);
    void unmapBuffer(const ContextId &id, Context &context, const Call &call);
    void readFramebuffer(const ContextId &id, Context &context, const Call &call);
    void writeFramebuffer(const ContextId &id, Context &context, const Call &call);
    /// `replaces`: it gets other memory, so that nobody waits for those that read the old one.
    void write(const ContextId &id, Context &context, Object object, const Call &call, bool replaces = false);
    void overwrite(const ContextId &id, const Context &context, const Key &key, const Call &call);
    void noteRead(const ContextId &id, Context &context, Object object);
    void read(const ContextId &id, Context &context, Object object, Mistake mistake, const Call &call);
    static bool hasSeen(const Context &context, const ContextId &other, std::uint64_t command);
    static std::uint64_t learnedAt(const Context &context, const Written &written);
    void count(Mistake mistake, const Call &call);

    const ProgramModel &m_model;
    std::map<ContextId, Context> m_contexts;
    std::map<std::int32_t, Clock> m_known; ///< What the CPU knows, by process.
    std::map<Key, Written> m_written;
    std::map<Key, std::map<ContextId, Read>> m_reads;
    std::map<FenceId, Fence> m_fences;
    std::map<Mistake, FindingTally> m_found;
    std::vector<CallSite> m_newSites;
    std::uint64_t m_events = 0;
    std::uint64_t m_groups = 0;
    bool m_hasShared = false;
    bool m_hasImages = false; ///< Of EGL, as storage of textures.
    bool m_hasGlx = false;
    bool m_tooMany = false;         ///< Something was left out, which may hide mistakes.
    bool m_lostContexts = false;    ///< A context was left out, which may have made an order.
    bool m_hasForgotFences = false; ///< Those that nobody has deleted for long.
};

} // namespace jetscope
