// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// NvBuf buffers between the CPU and engines, by their calls: each mistake and its repair.
#include "core/attach/format/calltable.h"
#include "core/attach/judge/nvbufsync.h"
#include "madecall.h"
#include "tests/support/testprogram.h"

#include <QtTest/QTest>

using namespace jetscope;

class NvBufSyncTest : public QObject {
    Q_OBJECT

private slots:
    void judgesFrames_data();
    void judgesFrames();
    void judgesKeptMappings_data();
    void judgesKeptMappings();
    void saysWhatIsNotSeen();
};

namespace {

constexpr std::uint32_t kNvBufFrames = 30;

/// "FUNCTION ARGUMENTS", as a record has them.
void takeNvBufCall(NvBufSync &sync, const QString &line, std::int64_t ns, std::uint32_t frame)
{
    const QStringList words = line.split(' ');
    std::array<std::uint64_t, JSA_ARGUMENTS> argument{};
    for (qsizetype i = 1; i < words.size(); ++i)
        argument[static_cast<std::size_t>(i - 1)] = words[i].toULongLong(nullptr, 0);
    const auto function = attachCallNamed(words[0].toStdString());
    QVERIFY2(function, qPrintable(line));
    sync.take(madeCall(static_cast<jsa_call>(*function), ns, argument), 1, frame);
}

void takeNvBufCalls(NvBufSync &sync, const QString &lines, std::int64_t &ns, std::uint32_t frame)
{
    for (const QString &line : lines.split("; ", Qt::SkipEmptyParts))
        takeNvBufCall(sync, line, ns += 1000, frame);
}

/// The names of what is found, which is possible only.
QString nvBufFindings(const NvBufSync &sync)
{
    QStringList found;
    for (const WasteFinding &each : sync.findings(kNvBufFrames, {}))
        found += QString::fromStdString(each.what) + (each.grade == FindingGrade::Possible ? "" : " (grade)");
    return found.join(' ');
}

/// Buffer 1 is what the CPU writes and the engine reads, buffer 2 what the engine writes and the CPU reads: a mapping,
/// the calls of each frame, what is found.
void nvBufRow(const char *name, const char *once, const char *calls, const char *finding = "")
{
    QTest::newRow(name) << QString(once) << QString(calls) << QString(finding);
}

void addRightNvBufRows()
{
    const char *const toRead = "NvBufSurfaceMap 2 0 0 0x400000000";
    const char *const toWrite = "NvBufSurfaceMap 1 0 0 0x400000001";
    nvBufRow("read", toRead, "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2");
    nvBufRow("read before it is written anew", toRead, "NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2");
    nvBufRow(
        "read, mapped each time", "",
        "NvBufSurfTransform 1 2; NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceSyncForCpu 2; NvBufSurfaceUnMap 2");
    nvBufRow("read, of the system", "NvBufSurfaceMap 2 0 0 0x600000000", "NvBufSurfTransform 1 2");
    nvBufRow("copied", toRead, "NvBufSurfaceCopy 1 2; NvBufSurfaceSyncForCpu 2");
    nvBufRow("written", toWrite, "NvBufSurfaceSyncForDevice 1; NvBufSurfTransform 1 2");
    nvBufRow(
        "written, mapped each time", "",
        "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceSyncForDevice 1; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    nvBufRow("read only, mapped each time", "",
             "NvBufSurfaceMap 1 0 0 0x400000000; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    nvBufRow("written, nobody reads it", toWrite, "NvBufSurfTransform 2 3");
    nvBufRow("old read", "NvBufferMemMap 2", "NvBufferTransform 1 2; NvBufferMemSyncForCpu 2");
    nvBufRow("later", toRead, "NvBufSurfTransformAsync 1 2; NvBufSurfTransformSyncObjWait 9; NvBufSurfaceSyncForCpu 2");
    nvBufRow("later, by CUDA", toRead, "NvBufSurfTransformAsync 1 2; cuStreamSynchronize 7; NvBufSurfaceSyncForCpu 2");
    nvBufRow("later, asked CUDA", toRead, "NvBufSurfTransformAsync 1 2; cuStreamQuery 7; NvBufSurfaceSyncForCpu 2");
    nvBufRow("later, another one", toRead,
             "NvBufSurfTransform 1 2; NvBufSurfTransformAsync 1 3; NvBufSurfaceSyncForCpu 2");
    nvBufRow(
        "read, written anew when it is unmapped", "",
        "NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceSyncForCpu 2; NvBufSurfaceUnMap 2; NvBufSurfTransform 1 2");
    nvBufRow("read, synchronized behind both", "",
             "NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2; "
             "NvBufSurfaceSyncForCpu 2; NvBufSurfaceUnMap 2");
    nvBufRow("old read, mapped each time", "",
             "NvBufferTransform 1 2; NvBufferMemMap 2; NvBufferMemSyncForCpu 2; NvBufferMemUnMap 2");
    nvBufRow(
        "read, plane by plane", "",
        "NvBufSurfTransform 1 2; NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceMap 2 0 1 0x400000000; "
        "NvBufSurfaceSyncForCpu 2 0; NvBufSurfaceSyncForCpu 2 1; NvBufSurfaceUnMap 2 0 0; NvBufSurfaceUnMap 2 0 1");
    nvBufRow(
        "read and written, mapped each time", "",
        "NvBufSurfaceMap 1 0 0 0x400000002; NvBufSurfaceSyncForDevice 1; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    nvBufRow("read and written, mapped each time, for both", "",
             "NvBufSurfaceMap 1 0 0 0x400000002; NvBufSurfaceSyncForCpu 1; NvBufSurfaceSyncForDevice 1; "
             "NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    nvBufRow(
        "read and written, mapped each time, only read", "",
        "NvBufSurfaceMap 1 0 0 0x400000002; NvBufSurfaceSyncForCpu 1; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    nvBufRow("gone", "",
             "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceUnMap 1; NvBufSurfaceDestroy 1; "
             "NvBufSurfaceCreate 1 1; NvBufSurfTransform 1 2");
}

void addWrongNvBufRows()
{
    const char *const toRead = "NvBufSurfaceMap 2 0 0 0x400000000";
    const char *const toWrite = "NvBufSurfaceMap 1 0 0 0x400000001";
    nvBufRow("read, nothing", toRead, "NvBufSurfTransform 1 2", "hazard-nvbuf-cpu");
    nvBufRow("read, for the device", toRead, "NvBufSurfTransform 1 2; NvBufSurfaceSyncForDevice 2", "hazard-nvbuf-cpu");
    nvBufRow("read, another one", toRead, "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 1", "hazard-nvbuf-cpu");
    nvBufRow(
        "read, synchronized before it is mapped", "",
        "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2; NvBufSurfaceMap 2 0 0 0x400000000; "
        "NvBufSurfaceUnMap 2",
        "hazard-nvbuf-cpu");
    nvBufRow("read and written, nothing", "NvBufSurfaceMap 2 0 0 0x400000002", "NvBufSurfTransform 1 2",
             "hazard-nvbuf-cpu");
    nvBufRow("copied, nothing", toRead, "NvBufSurfaceCopy 1 2", "hazard-nvbuf-cpu");
    nvBufRow("written, nothing", toWrite, "NvBufSurfTransform 1 2", "hazard-nvbuf-device");
    nvBufRow("written, for the CPU", toWrite, "NvBufSurfaceSyncForCpu 1; NvBufSurfTransform 1 2",
             "hazard-nvbuf-device");
    nvBufRow("written, mapped each time, nothing", "",
             "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2", "hazard-nvbuf-device");
    nvBufRow("old write, mapped each time", "", "NvBufferMemMap 1 0 0 1; NvBufferMemUnMap 1; NvBufferTransform 1 2",
             "hazard-nvbuf-device");
    nvBufRow("read, written anew behind it", "",
             "NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2; NvBufSurfaceUnMap 2",
             "hazard-nvbuf-cpu");
    nvBufRow(
        "read, written anew between two", "",
        "NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 3 2; "
        "NvBufSurfaceUnMap 2",
        "hazard-nvbuf-cpu");
    nvBufRow("old read, written anew behind it", "",
             "NvBufferMemMap 2; NvBufferMemSyncForCpu 2; NvBufferTransform 1 2; NvBufferMemUnMap 2",
             "hazard-nvbuf-cpu");
    nvBufRow("read and written, mapped each time, nothing", "",
             "NvBufSurfaceMap 1 0 0 0x400000002; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2", "hazard-nvbuf-device");
    nvBufRow("later, nobody waits", toRead, "NvBufSurfTransformAsync 1 2; NvBufSurfaceSyncForCpu 2",
             "hazard-nvbuf-wait");
    nvBufRow("later, waited too late", toRead,
             "NvBufSurfTransformAsync 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfTransformSyncObjWait 9",
             "hazard-nvbuf-wait");
}

/// The same with calls before the first frame, in it, in the others, and behind the last one.
void keptNvBufRow(const char *name, const char *once, const char *first, const char *calls, const char *last,
                  const char *finding = "")
{
    QTest::newRow(name) << QString(once) << QString(first) << QString(calls) << QString(last) << QString(finding);
}

void addNvBufRowsKeptToRead()
{
    const char *const toRead = "NvBufSurfaceMap 2 0 0 0x400000000";
    const char *const twoToRead = "NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceMap 3 0 0 0x400000000";
    const char *const readFirst = "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2";
    const char *const copy = "NvBufSurfTransform 1 2";
    const char *const readEnd = "NvBufSurfaceUnMap 2";
    const char *const cpu = "hazard-nvbuf-cpu";
    keptNvBufRow("read, synchronized at first", toRead, readFirst, copy, readEnd, cpu);
    keptNvBufRow("read, synchronized each time", toRead, readFirst, readFirst, readEnd);
    keptNvBufRow("read, planes at first", toRead,
                 "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfaceSyncForCpu 2 1", copy, readEnd, cpu);
    keptNvBufRow("read, until it is destroyed", toRead, readFirst, copy, "NvBufSurfaceDestroy 2", cpu);
    keptNvBufRow("read, each time until it is destroyed", toRead, readFirst, readFirst, "NvBufSurfaceDestroy 2");
    keptNvBufRow("read, of two by turns", twoToRead,
                 "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 3; NvBufSurfaceSyncForCpu 3",
                 "NvBufSurfTransform 1 2 | NvBufSurfTransform 1 3", "NvBufSurfaceUnMap 2; NvBufSurfaceUnMap 3", cpu);
    keptNvBufRow("read, of two by turns, each time", twoToRead, "",
                 "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2 | NvBufSurfTransform 1 3; NvBufSurfaceSyncForCpu 3",
                 "NvBufSurfaceUnMap 2; NvBufSurfaceUnMap 3");
    keptNvBufRow("read, seldom", toRead, readFirst,
                 "NvBufSurfTransform 1 2 | NvBufSurfTransform 1 2 | NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2",
                 readEnd);
    keptNvBufRow("read, twice in all", toRead, readFirst, copy, "NvBufSurfaceSyncForCpu 2; NvBufSurfaceUnMap 2");
    keptNvBufRow("read at first, kept", toRead, readFirst, copy, "");
    keptNvBufRow("read at first, unmapped then", toRead,
                 "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfaceUnMap 2", copy, "");
    keptNvBufRow("read before it is written anew", toRead, "", "NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2",
                 readEnd);
    keptNvBufRow("read, of two parts", toRead, "",
                 "NvBufSurfTransform 1 2; NvBufSurfTransform 3 2; NvBufSurfaceSyncForCpu 2", readEnd);
}

void addNvBufRowsKeptToWrite()
{
    const char *const toWrite = "NvBufSurfaceMap 1 0 0 0x400000001";
    const char *const toReadAndWrite = "NvBufSurfaceMap 1 0 0 0x400000002";
    const char *const writtenFirst = "NvBufSurfaceSyncForDevice 1; NvBufSurfTransform 1 2";
    const char *const copy = "NvBufSurfTransform 1 2";
    const char *const writtenEnd = "NvBufSurfaceUnMap 1";
    const char *const device = "hazard-nvbuf-device";
    keptNvBufRow("written, synchronized at first", toWrite, writtenFirst, copy, writtenEnd, device);
    keptNvBufRow("written, synchronized each time", toWrite, writtenFirst, writtenFirst, writtenEnd);
    keptNvBufRow(
        "written, seldom", toWrite, writtenFirst,
        "NvBufSurfTransform 1 2 | NvBufSurfTransform 1 2 | NvBufSurfaceSyncForDevice 1; NvBufSurfTransform 1 2",
        writtenEnd);
    keptNvBufRow("written at first, kept", toWrite, writtenFirst, copy, "");
    keptNvBufRow("written at first, unmapped then", toWrite,
                 "NvBufSurfaceSyncForDevice 1; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2", copy, "");
    keptNvBufRow("written, for two", toWrite, "",
                 "NvBufSurfaceSyncForDevice 1; NvBufSurfTransform 1 2; NvBufSurfTransform 1 3", writtenEnd);
    keptNvBufRow("written, shown four times", "", "",
                 "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceSyncForDevice 1; NvBufSurfTransform 1 2 | "
                 "NvBufSurfTransform 1 2 | NvBufSurfTransform 1 2 | NvBufSurfTransform 1 2; NvBufSurfaceUnMap 1",
                 "");

    keptNvBufRow("read and written, nothing", toReadAndWrite, "", copy, writtenEnd, device);
    keptNvBufRow("read and written, for the device", toReadAndWrite, "", writtenFirst, writtenEnd);
    keptNvBufRow("read and written, for the device at first", toReadAndWrite, writtenFirst, copy, writtenEnd, device);
    keptNvBufRow("read and written, for the CPU", toReadAndWrite, "",
                 "NvBufSurfaceSyncForCpu 1; NvBufSurfTransform 1 2", writtenEnd);
    keptNvBufRow("read and written, written at first", toReadAndWrite, writtenFirst,
                 "NvBufSurfaceSyncForCpu 1; NvBufSurfTransform 1 2", writtenEnd);
}

} // namespace

void NvBufSyncTest::judgesFrames_data()
{
    QTest::addColumn<QString>("once");
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("finding");
    addRightNvBufRows();
    addWrongNvBufRows();
}

void NvBufSyncTest::judgesFrames()
{
    QFETCH(QString, once);
    QFETCH(QString, calls);
    QFETCH(QString, finding);
    NvBufSync sync;
    std::int64_t ns = 0;
    takeNvBufCalls(sync, once, ns, 0);
    for (std::uint32_t frame = 0; frame < kNvBufFrames; ++frame)
        takeNvBufCalls(sync, calls, ns, frame);
    QCOMPARE(nvBufFindings(sync), finding);
}

/// Mappings that begin before the first frame and end behind the last one.
void NvBufSyncTest::judgesKeptMappings_data()
{
    for (const char *const column : {"once", "first", "calls", "last", "finding"})
        QTest::addColumn<QString>(column);
    addNvBufRowsKeptToRead();
    addNvBufRowsKeptToWrite();
}

/// Frame by frame; "|" stands between the frames of a round.
void NvBufSyncTest::judgesKeptMappings()
{
    QFETCH(QString, once);
    QFETCH(QString, first);
    QFETCH(QString, calls);
    QFETCH(QString, last);
    QFETCH(QString, finding);
    const QStringList round = calls.split(" | ");
    NvBufSync sync;
    std::int64_t ns = 0;
    takeNvBufCalls(sync, once, ns, kNoFrame);
    takeNvBufCalls(sync, first, ns, 0);
    for (std::uint32_t frame = 1; frame < kNvBufFrames; ++frame)
        takeNvBufCalls(sync, round[static_cast<qsizetype>(frame - 1) % round.size()], ns, frame);
    takeNvBufCalls(sync, last, ns, kNoFrame);
    QCOMPARE(nvBufFindings(sync), finding);
}

/// Silence must not be taken for more than it is.
void NvBufSyncTest::saysWhatIsNotSeen()
{
    const auto reasonOf = [](const NvBufSync &sync) {
        for (const WasteCheck &check : sync.checks({}))
            if (check.what == "hazard-nvbuf-access")
                return QString::fromStdString(check.reason);
        return QString();
    };
    NvBufSync sync;
    QVERIFY(reasonOf(sync).contains("no call for an NvBuf buffer"));
    takeNvBufCall(sync, "NvBufSurfTransform 1 2", 1000, 0);
    for (const char *const unseen : {"the CPU", "cameras", "decoders", "CUDA"})
        QVERIFY2(reasonOf(sync).contains(unseen), qPrintable(reasonOf(sync)));
}

JETSCOPE_TEST(NvBufSyncTest)
#include "tst_nvbufsync.moc"
