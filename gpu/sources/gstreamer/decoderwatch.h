// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/framesource.h"
#include "gpu/sources/ratemeter.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

typedef struct _GstBuffer GstBuffer;
typedef struct _GstCaps GstCaps;
typedef struct _GstElement GstElement;

namespace jetscope {

/// The name of the codec that caps are of: "H.264"; "raw NV12" for pictures that are not coded.
std::string codecName(const GstCaps *caps);

/// Watches what goes into the video decoder of a pipeline and what comes out, whichever decoder that is. Pictures that
/// the decoder marks as damaged are dropped, and those counted that did not come out. Any thread.
class DecoderWatch {
public:
    /// Call before the pipeline starts.
    static std::shared_ptr<DecoderWatch> watch(GstElement *pipeline);

    /// `missed` and `damaged` only.
    SourceFaults faults() const;
    /// Codec, coded size, claimed rate and decoder, as far as they are known; all empty if nothing is decoded.
    StreamFacts facts() const;
    /// Whether the stream itself, not just a decoder, says what its colours are.
    bool colorIsCoded() const;
    /// Coded frames that reached a decoder.
    std::uint64_t framesIn() const;

private:
    struct Probes;
    class Packets;
    static void elementAdded(GstElement *bin, GstElement *child, GstElement *element, void *self);
    static void attach(GstElement *element, const std::shared_ptr<DecoderWatch> &self);
    void described(GstElement *decoder, GstCaps *caps);
    void in(const GstBuffer *buffer);
    void noteJump(long frames);
    void closeLoss(bool jump);
    void lost(std::optional<std::uint64_t> frames);
    bool out(const GstBuffer *buffer);

    mutable std::mutex m_mutex;
    StreamFacts m_facts;
    SourceFaults m_faults;
    bool m_colorIsCoded = false;
    std::set<std::int64_t> m_inside; ///< The time stamps of frames in the decoder.
    std::uint64_t m_framesIn = 0;
    std::int64_t m_lastIn = -1; ///< A time stamp; negative for none.
    RateMeter m_rate;
    std::atomic<bool> m_watchesPackets{false}; ///< Then events of losses say nothing new.
    bool m_anyOut = false;
    bool m_lossOpen = false; ///< Data were lost, and it is not known of what.
    int m_framesSinceLoss = 0;
    int m_framesSinceJump = 1 << 20;
    long m_jump = 0; ///< Frames that are missing in the last jump of the stamps.
};

} // namespace jetscope
