// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include <gst/gst.h> // Before Qt, whose keywords are names in it.

#include "gpu/sources/gstreamer/decoderwatch.h"

#include <QTest>

#include <array>
#include <cstdint>
#include <memory>

using namespace jetscope;

class TestDecoderWatch : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { gst_init(nullptr, nullptr); }
    void eachLostFrameIsCounted_data();
    void eachLostFrameIsCounted();
};

void TestDecoderWatch::eachLostFrameIsCounted_data()
{
    QTest::addColumn<QString>("payloader");
    QTest::addColumn<QList<int>>("lost");
    QTest::addColumn<bool>("whole");
    QTest::newRow("none") << "" << QList<int>{} << true;
    QTest::newRow("single frames") << "" << QList<int>{20, 40, 42, 80} << true;
    QTest::newRow("frames in a row") << "" << QList<int>{20, 21, 22, 50, 51} << true;
    QTest::newRow("numbers and stamps begin anew")
        << "seqnum-offset=65506 timestamp-offset=4294940296" << QList<int>{25, 29, 30, 31, 60} << true;
    QTest::newRow("frames of several packets") << "mtu=200" << QList<int>{20, 40, 41} << true;
    QTest::newRow("parts of frames") << "mtu=200" << QList<int>{20, 40, 41} << false;
}

/// Without a network, which loses packets by itself: of the packets of these frames all are lost, or the second.
void TestDecoderWatch::eachLostFrameIsCounted()
{
    QFETCH(QString, payloader);
    QFETCH(QList<int>, lost);
    QFETCH(bool, whole);
    for (const char *element : {"jpegenc", "rtpjpegpay", "jpegdec"})
        if (!gst_registry_check_feature_version(gst_registry_get(), element, 1, 0, 0))
            QSKIP("GStreamer lacks an element here");
    struct Loss {
        const QList<int> frames;
        const bool whole;
        int frame = -1;
        int packet = 0;
        std::uint32_t stamp = 0;

        GstPadProbeReturn take(GstBuffer *packetOfFrame)
        {
            std::array<std::uint8_t, 4> bytes{};
            gst_buffer_extract(packetOfFrame, 4, bytes.data(), bytes.size());
            const std::uint32_t now = GST_READ_UINT32_BE(bytes.data());
            const bool isNext = frame < 0 || now != stamp;
            stamp = now;
            frame += isNext ? 1 : 0;
            packet = isNext ? 0 : packet + 1;
            return frames.contains(frame) && (whole || packet == 1) ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
        }
    };
    Loss loss{lost, whole};
    const QString launch = "videotestsrc num-buffers=100 pattern=snow ! video/x-raw,format=I420,width=64,height=48,"
                           "framerate=100/1 ! jpegenc ! rtpjpegpay name=pay perfect-rtptime=false "
        + payloader + " ! identity name=link ! rtpjpegdepay ! jpegdec ! fakesink name=end";
    GstElement *pipeline = gst_parse_launch(qPrintable(launch), nullptr);
    QVERIFY(pipeline);
    const std::shared_ptr<DecoderWatch> watch = DecoderWatch::watch(pipeline);
    GstElement *link = gst_bin_get_by_name(GST_BIN(pipeline), "link");
    GstPad *pad = gst_element_get_static_pad(link, "src");
    gst_pad_add_probe(
        pad, GST_PAD_PROBE_TYPE_BUFFER,
        [](GstPad *, GstPadProbeInfo *info, gpointer self) {
            return static_cast<Loss *>(self)->take(GST_PAD_PROBE_INFO_BUFFER(info));
        },
        &loss, nullptr);
    gst_object_unref(pad);
    gst_object_unref(link);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    GstBus *bus = gst_element_get_bus(pipeline);
    constexpr auto kEnds = static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
    GstMessage *message = gst_bus_timed_pop_filtered(bus, 20 * GST_SECOND, kEnds);
    const bool ended = message && GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS;
    g_clear_pointer(&message, gst_message_unref);
    gst_object_unref(bus);
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(pipeline);
    QVERIFY(ended);
    QCOMPARE(loss.frame, 99);
    QCOMPARE(watch->faults().missed, static_cast<std::uint64_t>(whole ? lost.size() : 0));
    QCOMPARE(watch->faults().damaged, static_cast<std::uint64_t>(whole ? 0 : lost.size()));
}

QTEST_GUILESS_MAIN(TestDecoderWatch)
#include "tst_decoderwatch.moc"
