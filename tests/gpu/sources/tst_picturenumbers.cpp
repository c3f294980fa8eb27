// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include <gst/app/gstappsink.h> // Before Qt, whose keywords are names in it.
#include <gst/gst.h>

#include "gpu/sources/gstreamer/picturenumbers.h"

#include <QTest>

using namespace jetscope;

class TestPictureNumbers : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { gst_init(nullptr, nullptr); }
    void aReaderMayAskLate();
};

/// Hundreds of pictures pass, in the few buffers of a pool, between taking one and asking for its number.
void TestPictureNumbers::aReaderMayAskLate()
{
    GstElement *pipeline =
        gst_parse_launch("videotestsrc num-buffers=500 ! video/x-raw,format=GRAY8,width=16,height=16 ! "
                         "appsink name=sink max-buffers=2 sync=false",
                         nullptr);
    QVERIFY(pipeline);
    GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
    const std::shared_ptr<PictureNumbers> numbers = PictureNumbers::watch(sink);
    gst_element_set_state(pipeline, GST_STATE_PLAYING);
    GstSample *first = gst_app_sink_try_pull_sample(GST_APP_SINK(sink), 20 * GST_SECOND);
    QVERIFY(first);
    g_object_set(sink, "drop", TRUE, nullptr);
    QTRY_COMPARE_WITH_TIMEOUT(numbers->count(), std::uint64_t{500}, 20'000);
    GstSample *last = nullptr;
    for (GstSample *next = nullptr; (next = gst_app_sink_try_pull_sample(GST_APP_SINK(sink), GST_SECOND)) != nullptr;) {
        if (last)
            gst_sample_unref(last);
        last = next;
    }
    QVERIFY(last);
    QCOMPARE(numbers->arrivalOf(gst_sample_get_buffer(first)).number, std::uint64_t{0});
    QCOMPARE(numbers->arrivalOf(gst_sample_get_buffer(last)).number, std::uint64_t{499});
    gst_sample_unref(first);
    gst_sample_unref(last);
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(sink);
    gst_object_unref(pipeline);
}

QTEST_GUILESS_MAIN(TestPictureNumbers)
#include "tst_picturenumbers.moc"
