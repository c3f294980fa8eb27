// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/gstreamer/picturenumbers.h"

#include "core/time/clock.h"
#include "gpu/sources/gstreamer/pipelinestate.h"

#include <gst/gst.h>

namespace jetscope {

namespace {

GQuark arrivalKey()
{
    static const GQuark kKey = g_quark_from_static_string("jetscope-arrival");
    return kKey;
}

} // namespace

std::shared_ptr<PictureNumbers> PictureNumbers::watch(GstElement *sink)
{
    auto numbers = std::make_shared<PictureNumbers>();
    GstPad *pad = gst_element_get_static_pad(sink, "sink");
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad *, GstPadProbeInfo *info, gpointer data) {
            Shared<PictureNumbers>::of(data).note(GST_PAD_PROBE_INFO_BUFFER(info));
            return GST_PAD_PROBE_OK;
        },
        Shared<PictureNumbers>::data(numbers), Shared<PictureNumbers>::destroy);
    gst_object_unref(pad);
    return numbers;
}

void PictureNumbers::note(GstBuffer *buffer)
{
    const std::int64_t now = nowNs();
    const std::lock_guard lock(m_mutex);
    const auto stamp = GST_BUFFER_PTS_IS_VALID(buffer) ? static_cast<std::int64_t>(GST_BUFFER_PTS(buffer)) : -1;
    const bool repeated = GST_BUFFER_FLAG_IS_SET(buffer, GST_BUFFER_FLAG_GAP) || (stamp >= 0 && stamp == m_lastStamp);
    if (stamp >= 0)
        m_rate.add(stamp);
    m_lastStamp = stamp;
    // With the buffer, because any number of others may pass before its reader asks. A buffer that comes again gets a
    // new number.
    gst_mini_object_set_qdata(GST_MINI_OBJECT_CAST(buffer), arrivalKey(), new Arrival{m_count, now, repeated},
                              [](gpointer arrival) { delete static_cast<Arrival *>(arrival); });
    ++m_count;
}

PictureNumbers::Arrival PictureNumbers::arrivalOf(GstBuffer *buffer) const
{
    const std::lock_guard lock(m_mutex);
    const auto *arrival =
        static_cast<const Arrival *>(gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(buffer), arrivalKey()));
    return arrival ? *arrival : Arrival{m_count > 0 ? m_count - 1 : 0, nowNs(), false};
}

std::uint64_t PictureNumbers::count() const
{
    const std::lock_guard lock(m_mutex);
    return m_count;
}

double PictureNumbers::measuredFps() const
{
    const std::lock_guard lock(m_mutex);
    return m_rate.fps();
}

} // namespace jetscope
