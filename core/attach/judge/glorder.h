// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/finding.h"
#include "core/attach/judge/glsequence.h"
#include "core/attach/model/glbindings.h"
#include "core/attach/model/programmodel.h"

#include <cstdint>
#include <map>
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
/// held up by its window, which no call tells. Two contexts that write the same are not judged. GlSequence says which
/// commands come before which, GlBindings what a context has bound. Memory is bounded. Not thread-safe.
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
    using ContextId = GlSequence::ContextId;
    using Key = std::pair<std::uint64_t, GlObject>; ///< Group and object.
    struct Context {
        GlSequence::Queue *queue = nullptr; ///< Never null.
        std::uint64_t group = 0;
        std::uint64_t swaps = 0;
        GlBindings bindings;
    };
    struct Written {
        ContextId context;
        std::uint64_t command = 0;
        std::uint64_t at = 0; ///< Number of the call.
    };
    struct Read {
        std::uint64_t command = 0;
        std::uint64_t swaps = 0; ///< Of its context, before.
    };
    enum class Mistake : std::uint8_t { Order, PossibleOrder, Binding, Flush, Overwrite };

    void makeContext(const GlCall &call);
    void takeObjects(Context &context, const GlCall &call);
    void forget(const Key &key);
    void forget(std::uint64_t group, const GlDeleted &deleted);
    void takeWork(Context &context, const GlCall &call);
    void draw(Context &context, const GlCall &call);
    void upload(Context &context, const GlCall &call);
    void readPixels(Context &context, const GlCall &call);
    void mapBuffer(Context &context, const GlCall &call);
    void unmapBuffer(Context &context, const GlCall &call);
    void readFramebuffer(Context &context, const GlCall &call);
    void writeFramebuffer(Context &context, const GlCall &call);
    /// `replaces`: it gets other memory, so that nobody waits for those that read the old one.
    void write(Context &context, GlObject object, const GlCall &call, bool replaces = false);
    void overwrite(const Context &context, const Key &key, const GlCall &call);
    void noteRead(Context &context, GlObject object);
    void read(const Context &context, GlObject object, Mistake mistake, const GlCall &call);
    void count(Mistake mistake, const GlCall &call);

    const ProgramModel &m_model;
    GlSequence m_sequence;
    std::map<ContextId, Context> m_contexts;
    std::map<Key, Written> m_written;
    std::map<Key, std::map<ContextId, Read>> m_reads;
    std::map<Mistake, FindingTally> m_found;
    std::vector<CallSite> m_newSites;
    std::uint64_t m_calls = 0;
    std::uint64_t m_groups = 0;
    bool m_hasShared = false;
    bool m_hasImages = false; ///< Of EGL, as storage of textures.
    bool m_hasGlx = false;
    bool m_tooMany = false;      ///< Something was left out, which may hide mistakes.
    bool m_lostContexts = false; ///< A context was left out, which may have made an order.
};

} // namespace jetscope
