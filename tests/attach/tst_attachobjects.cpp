// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

/// Programs whose pictures come by EGLStreams and NvBuf buffers, on libraries without a Jetson: their frames without a
/// swap, their objects, and the waste.
class AttachObjectsTest : public QObject {
    Q_OBJECT

private slots:
    void findsFramesByHandOvers_data();
    void findsFramesByHandOvers();
    void findsWasteOfObjects_data();
    void findsWasteOfObjects();
    void countsObjectsInUse_data();
    void countsObjectsInUse();
    void findsEventsThatNothingWaitsFor_data();
    void findsEventsThatNothingWaitsFor();
    void readsOnlyTheDescriptor();
    void waitsForOtherEngines();
};

namespace {

Attached attachObjects(const QString &way, const QStringList &options = {})
{
    return attach({PROGRAM_OBJECTS, way, "60"}, QStringList{"--no-gpu-times"} + options);
}

/// The values that a counter had, in order.
QStringList valuesOf(const Attached &run, const QString &counter)
{
    return rowsOf(run.capture,
                  "SELECT CAST(value AS INTEGER) FROM counters WHERE name = '" + counter + "' ORDER BY time_ns");
}

} // namespace

void AttachObjectsTest::findsFramesByHandOvers_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("source");
    QTest::addColumn<int>("frames");
    QTest::addColumn<QString>("call");
    const auto row = [](const char *name, const char *way, const QStringList &options, const char *source, int frames,
                        const char *call) { QTest::newRow(name) << way << options << source << frames << call; };
    row("CUDA", "consumer", {}, "stream", 60, "cuEGLStreamConsumerReleaseFrame");
    row("GL", "gl", {}, "stream", 60, "eglStreamConsumerReleaseKHR");
    row("by an extension", "extension", {}, "stream", 60, "eglStreamConsumerReleaseAttribKHR");
    // Each but the first gives back the one before; it takes three to know.
    row("GL that releases nothing", "gl-takes", {}, "stream", 58, "eglStreamConsumerAcquireKHR");
    row("a swap is more", "gl-swaps", {}, "swap", 60, "swap");
    row("but not if the stream is asked for", "gl-swaps", {"--frame", "stream"}, "stream", 60,
        "eglStreamConsumerReleaseKHR");
    row("a call is asked for", "gl", {"--frame", "call:eglStreamConsumerAcquireKHR"},
        "call:eglStreamConsumerAcquireKHR", 60, "call");
    row("NvBuf", "nvbuf", {}, "nvbuf", 60, "NvBufSurfTransform");
    row("NvBuf is asked for", "nvbuf", {"--frame", "stream"}, "nvbuf", 60, "NvBufSurfTransform");
    row("NvBuf of JetPack 4", "nvbuf-old", {}, "nvbuf", 60, "NvBufferTransform");
}

void AttachObjectsTest::findsFramesByHandOvers()
{
    QFETCH(QString, way);
    QFETCH(QStringList, options);
    QFETCH(QString, source);
    QFETCH(int, frames);
    QFETCH(QString, call);
    const Attached run = attachObjects(way, options);
    QVERIFY2(run.plain.code == 0 && run.under.code == 0, run.describe());
    QCOMPARE(run.under.out, run.plain.out);
    QCOMPARE(run.json["frame_source"].toString(), source);
    QCOMPARE(run.json["frames"].toInt(), frames);
    QVERIFY2(run.json["frame_note"].toString().contains(call), run.describe());
    for (const QString &line : run.under.out.split('\n', Qt::SkipEmptyParts)) {
        const QByteArray function = line.section(' ', 0, 0).toUtf8();
        if (function != "NvBufSurfaceSyncForDevice") // The library's own call.
            QVERIFY2(run.calls(function.constData()) == run.counted(QString(function)), function + run.describe());
    }
    QCOMPARE(run.calls("NvBufSurfaceSyncForDevice"), 0u);
}

void AttachObjectsTest::findsWasteOfObjects_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<QStringList>("found");
    const auto row = [](const char *way, const QStringList &found) { QTest::newRow(way) << way << found; };
    row("consumer", {});
    row("consumer-leaks", {"growing-objects", "growing-objects"});
    row("consumer-closes", {});
    row("nvbuf", {});
    row("nvbuf-per-frame", {"allocation-per-frame", "registration-per-frame"});
    row("nvbuf-leaks", {"allocation-per-frame", "growing-objects", "registration-per-frame"});
    row("nvbuf-old", {});
    row("nvbuf-old-images", {"registration-per-frame"});
}

void AttachObjectsTest::findsWasteOfObjects()
{
    QFETCH(QString, way);
    QFETCH(QStringList, found);
    const Attached run = attachObjects(way);
    QVERIFY2(run.under.code == 0, run.describe());
    QStringList findings = run.findings();
    findings.sort();
    QVERIFY2(findings == found, run.describe());
    for (const QJsonValue finding : run.json["findings"].toArray()) {
        QCOMPARE(finding["grade"].toString(), "seen");
        QCOMPARE(finding["ms_per_frame"].isNull(), finding["what"].toString() == "growing-objects");
    }
}

void AttachObjectsTest::countsObjectsInUse_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<QString>("counter");
    QTest::addColumn<QStringList>("first");
    QTest::addColumn<QString>("last");
    const auto row = [](const char *way, const char *counter, const QStringList &first, const char *last) {
        QTest::newRow(qPrintable(QString(way) + ", " + counter)) << way << counter << first << last;
    };
    row("consumer", "EGLStreams", {"1"}, "0");
    row("consumer", "connections of CUDA to EGLStreams", {"1"}, "0");
    row("consumer-leaks", "EGLStreams", {"1", "2", "3"}, "60");
    row("consumer-leaks", "connections of CUDA to EGLStreams", {"1", "2"}, "60");
    row("nvbuf", "NvBuf buffers", {"3", "6", "9", "12", "13"}, "0"); // Three in each batch of the camera.
    row("nvbuf", "EGLImages", {"1"}, "0");
    row("nvbuf-old", "NvBuf buffers", {"1", "2"}, "0");
    row("nvbuf-old-images", "EGLImages", {"1", "0", "1"}, "0");
    row("consumer", "mapped EGL frames", {"1", "0", "1", "0"}, "0");
    row("memory", "pinned memory", {"1000"}, "0");
    row("memory", "zero-copy memory", {"2000", "10192", "2000"}, "0");
    row("memory", "registered host memory", {"4096"}, "0");
    const auto bytes = [](int number) { return QString::number(number); };
    constexpr int kFlat = 640 * 480 * 4;
    constexpr int kBox = 64 * 32 * 6 * 8;
    constexpr int kLayers = (256 + 64 + 16 + 4 + 1) * 3 * 8;
    row("memory", "CUDA arrays",
        {bytes(kFlat), bytes(kFlat + kBox), bytes(kFlat + kBox + kLayers), bytes(kBox + kLayers), bytes(kBox)}, "0");
    row("memory", "memory mapped by the program", {"2097152", "4194304", "2097152"}, "0");
}

void AttachObjectsTest::countsObjectsInUse()
{
    QFETCH(QString, way);
    QFETCH(QString, counter);
    QFETCH(QStringList, first);
    QFETCH(QString, last);
    const Attached run = attachObjects(way);
    const QStringList values = valuesOf(run, counter);
    QVERIFY2(values.mid(0, first.size()) == first, values.join(' ').toUtf8() + run.describe());
    QCOMPARE(values.back(), last);
}

void AttachObjectsTest::findsEventsThatNothingWaitsFor_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<int>("records");
    const auto row = [](const char *way, int records) { QTest::newRow(way) << way << records; };
    row("events-unawaited", 2 * 49); // Of the last ones it is not known. Ten frames set up.
    row("events-one-unawaited", 49);
    row("events-awaited", 0);
    row("events-timed", 0);
    row("events-timed-early", 0);
    row("events-new", 50);
    row("events-new-awaited", 0);
}

void AttachObjectsTest::findsEventsThatNothingWaitsFor()
{
    QFETCH(QString, way);
    QFETCH(int, records);
    const Attached run = attachObjects(way, {"--frame", "call:cuStreamSynchronize"});
    QVERIFY2(run.under.code == 0, run.describe());
    QCOMPARE(run.json["frames"].toInt(), 60);
    QCOMPARE(run.findings(), records > 0 ? QStringList{"event-never-awaited"} : QStringList());
    if (records == 0)
        return;
    const QJsonValue finding = run.json["findings"][0];
    QCOMPARE(finding["grade"].toString(), "possible");
    QCOMPARE(finding["calls"].toInt(), records);
    QVERIFY2(finding["ms_per_frame"].toDouble() > 0 && finding["most_share"].toDouble() > 0, run.describe());
    QVERIFY2(finding["text"].toString().contains("cuEventRecord"), run.describe());
}

/// Of NvBufferCreateEx, behind which the program has something else.
void AttachObjectsTest::readsOnlyTheDescriptor()
{
    const Attached run = attachObjects("nvbuf-old");
    QCOMPARE(valuesOf(run, "NvBuf buffers"), (QStringList{"1", "2", "1", "0"}));
}

void AttachObjectsTest::waitsForOtherEngines()
{
    const Attached run = attachObjects("nvbuf");
    QCOMPARE(rowsOf(run.capture,
                    "SELECT DISTINCT name, category FROM spans WHERE name LIKE 'NvBufSurf%Transform' "
                    "OR name LIKE 'NvBufSurfaceSync%' ORDER BY name"),
             (QStringList{"NvBufSurfTransform\twait-sync", "NvBufSurfaceSyncForCpu\twait-memory"}));
    // All frames but the first, which ends with the first copy.
    QCOMPARE(rowsOf(run.capture, "SELECT count(*) FROM frames WHERE wait_sync_ns > 0 AND wait_memory_ns > 0"),
             QStringList{"59"});
}

JETSCOPE_TEST(AttachObjectsTest)
#include "tst_attachobjects.moc"
