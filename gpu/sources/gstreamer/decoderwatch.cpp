// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/decoderwatch.h"

#include "gpu/sources/gstreamer/pipelinestate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <gst/gst.h>
#include <gst/pbutils/pbutils.h>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace jetscope {

namespace {

/// The event of a loss may overtake frames that a parser holds, or come after them.
constexpr int kBesideLoss = 3;
constexpr std::size_t kMaxInside = 256; ///< More than any decoder holds.

std::int64_t stampOf(const GstBuffer *buffer)
{
    return GST_BUFFER_PTS_IS_VALID(buffer) ? static_cast<std::int64_t>(GST_BUFFER_PTS(buffer)) : -1;
}

bool isDecoder(GstElement *element)
{
    GstElementFactory *factory = gst_element_get_factory(element);
    constexpr GstElementFactoryListType kPictures =
        GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE;
    return factory && !GST_IS_BIN(element)
        && gst_element_factory_list_is_type(factory, GST_ELEMENT_FACTORY_TYPE_DECODER | kPictures);
}

bool isDepayloader(GstElement *element)
{
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory && gst_element_factory_list_is_type(factory, GST_ELEMENT_FACTORY_TYPE_DEPAYLOADER);
}

std::string nameOf(GstElement *element)
{
    GstElementFactory *factory = gst_element_get_factory(element);
    return factory ? gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(factory)) : "";
}

/// The decoders that this machine has for these caps, best first.
std::vector<std::string> decodersFor(const GstCaps *caps)
{
    std::vector<std::string> names;
    GList *all = gst_element_factory_list_get_elements(
        GST_ELEMENT_FACTORY_TYPE_DECODER | GST_ELEMENT_FACTORY_TYPE_MEDIA_VIDEO | GST_ELEMENT_FACTORY_TYPE_MEDIA_IMAGE,
        GST_RANK_MARGINAL);
    GList *fit = gst_element_factory_list_filter(all, caps, GST_PAD_SINK, FALSE);
    fit = g_list_sort(fit, gst_plugin_feature_rank_compare_func);
    for (const GList *each = fit; each; each = each->next)
        names.emplace_back(gst_plugin_feature_get_name(GST_PLUGIN_FEATURE(each->data)));
    gst_plugin_feature_list_free(fit);
    gst_plugin_feature_list_free(all);
    return names;
}

bool isChosenAutomatically(GstElement *decoder)
{
    GstObject *parent = gst_object_get_parent(GST_OBJECT(decoder));
    const bool automatic = parent && !GST_IS_PIPELINE(parent);
    gst_clear_object(&parent);
    return automatic;
}

std::string reasonFor(GstElement *decoder, const GstCaps *caps, const std::string &codec)
{
    if (!isChosenAutomatically(decoder))
        return "the pipeline names it";
    const std::vector<std::string> all = decodersFor(caps);
    if (all.size() <= 1)
        return "the only one for " + codec + " on this machine";
    std::string others;
    for (const std::string &name : all)
        if (name != nameOf(decoder))
            others += (others.empty() ? "" : ", ") + name;
    return "GStreamer ranks it above " + others;
}

} // namespace

std::string codecName(const GstCaps *caps)
{
    if (!caps || gst_caps_get_size(caps) == 0)
        return {};
    const GstStructure *structure = gst_caps_get_structure(caps, 0);
    const std::string_view name = gst_structure_get_name(structure);
    if (name == "video/x-raw") {
        const char *format = gst_structure_get_string(structure, "format");
        return format ? std::string("raw ") + format : "raw";
    }
    constexpr std::array<std::pair<std::string_view, const char *>, 3> kNames{
        {{"video/x-h264", "H.264"}, {"video/x-h265", "H.265"}, {"image/jpeg", "MJPEG"}}};
    for (const auto &[theirs, ours] : kNames)
        if (name == theirs)
            return ours;
    if (name == "application/x-rtp") {
        const char *encoding = gst_structure_get_string(structure, "encoding-name");
        return encoding ? encoding : "RTP";
    }
    gchar *description = gst_caps_is_fixed(caps) ? gst_pb_utils_get_codec_description(caps) : nullptr;
    const std::string text = description ? description : std::string(name);
    g_free(description);
    return text;
}

/// What GStreamer calls.
struct DecoderWatch::Probes {
    static GstPadProbeReturn into(GstPad *pad, GstPadProbeInfo *info, gpointer data)
    {
        DecoderWatch &self = Shared<DecoderWatch>::of(data);
        if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER) {
            self.in(GST_PAD_PROBE_INFO_BUFFER(info));
            return GST_PAD_PROBE_OK;
        }
        GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info);
        if (GST_EVENT_TYPE(event) == GST_EVENT_GAP && !self.m_watchesPackets)
            self.lost({});
        if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS)
            return GST_PAD_PROBE_OK;
        GstCaps *caps = nullptr;
        gst_event_parse_caps(event, &caps);
        if (GstElement *decoder = gst_pad_get_parent_element(pad)) {
            self.described(decoder, caps);
            gst_object_unref(decoder);
        }
        return GST_PAD_PROBE_OK;
    }

    static GstPadProbeReturn outOf(GstPad *, GstPadProbeInfo *info, gpointer data)
    {
        return Shared<DecoderWatch>::of(data).out(GST_PAD_PROBE_INFO_BUFFER(info)) ? GST_PAD_PROBE_OK
                                                                                   : GST_PAD_PROBE_DROP;
    }
};

/// Finds what is missing of a stream of RTP packets before its depayloader, by the numbers and time stamps that the
/// sender gave them: a busy jitter buffer sends no event for some losses, and its own stamps follow the arrivals. One
/// pad's thread.
class DecoderWatch::Packets {
public:
    explicit Packets(std::shared_ptr<DecoderWatch> watch) : m_watch(std::move(watch)) {}

    static GstPadProbeReturn take(GstPad *, GstPadProbeInfo *info, gpointer data)
    {
        Packets &self = Shared<Packets>::of(data);
        if (GST_PAD_PROBE_INFO_TYPE(info) & GST_PAD_PROBE_TYPE_BUFFER)
            self.take(GST_PAD_PROBE_INFO_BUFFER(info));
        else if (GstEvent *event = GST_PAD_PROBE_INFO_EVENT(info); GST_EVENT_TYPE(event) == GST_EVENT_CAPS)
            self.describe(event);
        return GST_PAD_PROBE_OK;
    }

private:
    void describe(GstEvent *event)
    {
        GstCaps *caps = nullptr;
        gst_event_parse_caps(event, &caps);
        const char *media = gst_structure_get_string(gst_caps_get_structure(caps, 0), "media");
        m_isVideo = media && std::string_view(media) == "video";
    }
    /// The packets of a frame have the same stamp.
    void take(GstBuffer *packet)
    {
        // RFC 3550, 5.1: two bytes of flags, two of the number, four of the stamp.
        std::array<std::uint8_t, 8> head{};
        if (!m_isVideo || gst_buffer_extract(packet, 0, head.data(), head.size()) != head.size())
            return;
        const auto number = static_cast<std::uint16_t>(GST_READ_UINT16_BE(&head[2]));
        const std::uint32_t stamp = GST_READ_UINT32_BE(&head[4]);
        const auto missing = static_cast<std::uint16_t>(number - m_expected);
        const auto step = static_cast<std::int32_t>(stamp - m_stamp);
        if (m_begun && missing > 0 && missing < kMaxMissing) {
            m_watch->lost(wholeFramesIn(step));
            m_rate.restart();
        }
        m_ticks += m_begun ? step : 0;
        if (!m_begun || step != 0)
            m_rate.add(m_ticks);
        m_begun = true;
        m_expected = static_cast<std::uint16_t>(number + 1);
        m_stamp = stamp;
    }
    /// Empty before the rate is known.
    std::optional<std::uint64_t> wholeFramesIn(std::int32_t ticks) const
    {
        if (m_rate.periodNs() <= 0)
            return std::nullopt;
        const double periods = static_cast<double>(ticks) / static_cast<double>(m_rate.periodNs());
        return static_cast<std::uint64_t>(std::max(0L, std::lround(periods) - 1));
    }

    static constexpr std::uint16_t kMaxMissing = 1 << 15; ///< A number further ahead is one from behind.

    const std::shared_ptr<DecoderWatch> m_watch;
    bool m_isVideo = false;
    bool m_begun = false;
    std::uint16_t m_expected = 0;
    std::uint32_t m_stamp = 0;
    std::int64_t m_ticks = 0; ///< The sender's clock since the first packet.
    RateMeter m_rate;         ///< In its ticks.
};

std::shared_ptr<DecoderWatch> DecoderWatch::watch(GstElement *pipeline)
{
    auto self = std::make_shared<DecoderWatch>();
    g_signal_connect_data(pipeline, "deep-element-added", G_CALLBACK(elementAdded), Shared<DecoderWatch>::data(self),
                          Shared<DecoderWatch>::destroySignal<GClosure>, static_cast<GConnectFlags>(0));
    GstIterator *elements = gst_bin_iterate_recurse(GST_BIN(pipeline));
    while (gst_iterator_foreach(
               elements,
               [](const GValue *item, gpointer data) {
                   attach(GST_ELEMENT(g_value_get_object(item)), *static_cast<std::shared_ptr<DecoderWatch> *>(data));
               },
               &self)
           == GST_ITERATOR_RESYNC)
        gst_iterator_resync(elements);
    gst_iterator_free(elements);
    return self;
}

void DecoderWatch::elementAdded(GstElement *, GstElement *, GstElement *element, void *self)
{
    attach(element, Shared<DecoderWatch>::pointer(self));
}

void DecoderWatch::attach(GstElement *element, const std::shared_ptr<DecoderWatch> &self)
{
    constexpr const char *kWatched = "jetscope-watched";
    constexpr auto both = static_cast<GstPadProbeType>(GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM);
    const bool depayloads = isDepayloader(element);
    GstPad *sink = depayloads || isDecoder(element) ? gst_element_get_static_pad(element, "sink") : nullptr;
    GstPad *source = sink ? gst_element_get_static_pad(element, "src") : nullptr;
    const bool isNew = source && !g_object_get_data(G_OBJECT(element), kWatched);
    if (isNew)
        g_object_set_data(G_OBJECT(element), kWatched, element);
    if (isNew && depayloads) {
        self->m_watchesPackets = true;
        gst_pad_add_probe(sink, both, Packets::take, Shared<Packets>::data(std::make_shared<Packets>(self)),
                          Shared<Packets>::destroy);
    } else if (isNew) {
        gst_pad_add_probe(sink, both, Probes::into, Shared<DecoderWatch>::data(self), Shared<DecoderWatch>::destroy);
        gst_pad_add_probe(source, GST_PAD_PROBE_TYPE_BUFFER, Probes::outOf, Shared<DecoderWatch>::data(self),
                          Shared<DecoderWatch>::destroy);
    }
    gst_clear_object(&source);
    gst_clear_object(&sink);
}

void DecoderWatch::described(GstElement *decoder, GstCaps *caps)
{
    const GstStructure *structure = gst_caps_get_structure(caps, 0);
    StreamFacts facts;
    facts.codec = codecName(caps);
    gst_structure_get_int(structure, "width", &facts.width);
    gst_structure_get_int(structure, "height", &facts.height);
    int over = 0;
    int under = 0;
    if (gst_structure_get_fraction(structure, "framerate", &over, &under) && over > 0 && under > 0)
        facts.claimedFps = static_cast<double>(over) / under;
    facts.decoder = nameOf(decoder);
    const gchar *kind = gst_element_get_metadata(decoder, GST_ELEMENT_METADATA_KLASS);
    facts.decoderKind =
        kind && std::string_view(kind).find("Hardware") != std::string_view::npos ? "hardware" : "software";
    facts.decoderReason = reasonFor(decoder, caps, facts.codec);
    const std::lock_guard lock(m_mutex);
    m_facts = std::move(facts);
    m_colorIsCoded = gst_structure_has_field(structure, "colorimetry") || m_facts.codec == "MJPEG";
}

void DecoderWatch::in(const GstBuffer *buffer)
{
    const std::int64_t stamp = stampOf(buffer);
    const std::lock_guard lock(m_mutex);
    ++m_framesIn;
    if (stamp < 0)
        return;
    const std::int64_t interval = m_rate.periodNs();
    if (interval > 0 && m_lastIn >= 0)
        noteJump(std::lround(static_cast<double>(stamp - m_lastIn) / static_cast<double>(interval)) - 1);
    m_rate.add(stamp);
    m_lastIn = stamp;
    m_inside.insert(stamp);
    if (m_inside.size() > kMaxInside)
        m_inside.erase(m_inside.begin());
}

/// `frames` more than one interval lie between the stamps of two frames. Without a loss beside it, the stream is one of
/// a varying rate; a loss without a jump was a part of a frame, which decoders fill with what they can.
void DecoderWatch::noteJump(long frames)
{
    m_framesSinceJump = std::min(m_framesSinceJump + 1, kBesideLoss + 1);
    if (frames > 0) {
        m_jump = frames;
        m_framesSinceJump = 0;
    }
    if (!m_lossOpen)
        return;
    if (m_framesSinceJump <= kBesideLoss)
        closeLoss(true);
    else if (++m_framesSinceLoss > kBesideLoss)
        closeLoss(false);
}

void DecoderWatch::closeLoss(bool jump)
{
    m_faults.missed += jump ? static_cast<std::uint64_t>(m_jump) : 0;
    m_faults.damaged += jump ? 0 : 1;
    m_framesSinceJump = kBesideLoss + 1;
    m_lossOpen = false;
}

/// `frames` are missing as a whole; where it is none, a part of one is. Empty: what is missing is seen from the stamps.
void DecoderWatch::lost(std::optional<std::uint64_t> frames)
{
    const std::lock_guard lock(m_mutex);
    if (frames) {
        m_faults.missed += *frames;
        m_faults.damaged += *frames == 0 ? 1 : 0;
        return;
    }
    m_lossOpen = true;
    m_framesSinceLoss = 0;
}

/// Pictures come out in the order of their stamps, so what is older than this one does not come any more. What a
/// decoder skips before its first picture depends on earlier ones that were never sent.
bool DecoderWatch::out(const GstBuffer *buffer)
{
    const std::int64_t stamp = stampOf(buffer);
    const std::lock_guard lock(m_mutex);
    const bool damaged = GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_CORRUPTED);
    if (const auto found = m_inside.find(stamp); found != m_inside.end()) {
        if (m_anyOut)
            m_faults.damaged += static_cast<std::uint64_t>(std::distance(m_inside.begin(), found));
        m_inside.erase(m_inside.begin(), std::next(found));
    }
    m_faults.damaged += m_anyOut && damaged ? 1 : 0;
    m_anyOut = m_anyOut || !damaged;
    return !damaged;
}

SourceFaults DecoderWatch::faults() const
{
    const std::lock_guard lock(m_mutex);
    return m_faults;
}

StreamFacts DecoderWatch::facts() const
{
    const std::lock_guard lock(m_mutex);
    return m_facts;
}

bool DecoderWatch::colorIsCoded() const
{
    const std::lock_guard lock(m_mutex);
    return m_colorIsCoded;
}

std::uint64_t DecoderWatch::framesIn() const
{
    const std::lock_guard lock(m_mutex);
    return m_framesIn;
}

} // namespace jetscope
