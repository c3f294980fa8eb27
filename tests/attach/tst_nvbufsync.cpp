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

} // namespace

/// Buffer 1 is what the CPU writes and the engine reads, buffer 2 what the engine writes and the CPU reads.
void NvBufSyncTest::judgesFrames_data()
{
    QTest::addColumn<QString>("once");
    QTest::addColumn<QString>("calls");
    QTest::addColumn<QString>("finding");
    const auto row = [](const char *name, const char *once, const char *calls, const char *finding = "") {
        QTest::newRow(name) << QString(once) << QString(calls) << QString(finding);
    };
    const char *const toRead = "NvBufSurfaceMap 2 0 0 0x400000000";
    const char *const toWrite = "NvBufSurfaceMap 1 0 0 0x400000001";
    row("read", toRead, "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2");
    row("read before it is written anew", toRead, "NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2");
    row("read, mapped each time", "",
        "NvBufSurfTransform 1 2; NvBufSurfaceMap 2 0 0 0x400000000; NvBufSurfaceSyncForCpu 2; NvBufSurfaceUnMap 2");
    row("read, of the system", "NvBufSurfaceMap 2 0 0 0x600000000", "NvBufSurfTransform 1 2");
    row("copied", toRead, "NvBufSurfaceCopy 1 2; NvBufSurfaceSyncForCpu 2");
    row("written", toWrite, "NvBufSurfaceSyncForDevice 1; NvBufSurfTransform 1 2");
    row("written, mapped each time", "",
        "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceSyncForDevice 1; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    row("read only, mapped each time", "",
        "NvBufSurfaceMap 1 0 0 0x400000000; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2");
    row("written, nobody reads it", toWrite, "NvBufSurfTransform 2 3");
    row("old read", "NvBufferMemMap 2", "NvBufferTransform 1 2; NvBufferMemSyncForCpu 2");
    row("later", toRead, "NvBufSurfTransformAsync 1 2; NvBufSurfTransformSyncObjWait 9; NvBufSurfaceSyncForCpu 2");
    row("later, by CUDA", toRead, "NvBufSurfTransformAsync 1 2; cuStreamSynchronize 7; NvBufSurfaceSyncForCpu 2");
    row("later, asked CUDA", toRead, "NvBufSurfTransformAsync 1 2; cuStreamQuery 7; NvBufSurfaceSyncForCpu 2");
    row("later, another one", toRead, "NvBufSurfTransform 1 2; NvBufSurfTransformAsync 1 3; NvBufSurfaceSyncForCpu 2");
    row("gone", "",
        "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceUnMap 1; NvBufSurfaceDestroy 1; "
        "NvBufSurfaceCreate 1 1; NvBufSurfTransform 1 2");

    row("read, nothing", toRead, "NvBufSurfTransform 1 2", "hazard-nvbuf-cpu");
    row("read, for the device", toRead, "NvBufSurfTransform 1 2; NvBufSurfaceSyncForDevice 2", "hazard-nvbuf-cpu");
    row("read, another one", toRead, "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 1", "hazard-nvbuf-cpu");
    row("read, synchronized before it is mapped", "",
        "NvBufSurfTransform 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfTransform 1 2; NvBufSurfaceMap 2 0 0 0x400000000; "
        "NvBufSurfaceUnMap 2",
        "hazard-nvbuf-cpu");
    row("read and written, nothing", "NvBufSurfaceMap 2 0 0 0x400000002", "NvBufSurfTransform 1 2", "hazard-nvbuf-cpu");
    row("copied, nothing", toRead, "NvBufSurfaceCopy 1 2", "hazard-nvbuf-cpu");
    row("written, nothing", toWrite, "NvBufSurfTransform 1 2", "hazard-nvbuf-device");
    row("written, for the CPU", toWrite, "NvBufSurfaceSyncForCpu 1; NvBufSurfTransform 1 2", "hazard-nvbuf-device");
    row("written, mapped each time, nothing", "",
        "NvBufSurfaceMap 1 0 0 0x400000001; NvBufSurfaceUnMap 1; NvBufSurfTransform 1 2", "hazard-nvbuf-device");
    row("old write, mapped each time", "", "NvBufferMemMap 1 0 0 1; NvBufferMemUnMap 1; NvBufferTransform 1 2",
        "hazard-nvbuf-device");
    row("later, nobody waits", toRead, "NvBufSurfTransformAsync 1 2; NvBufSurfaceSyncForCpu 2", "hazard-nvbuf-wait");
    row("later, waited too late", toRead,
        "NvBufSurfTransformAsync 1 2; NvBufSurfaceSyncForCpu 2; NvBufSurfTransformSyncObjWait 9", "hazard-nvbuf-wait");
}

void NvBufSyncTest::judgesFrames()
{
    QFETCH(QString, once);
    QFETCH(QString, calls);
    QFETCH(QString, finding);
    NvBufSync sync;
    std::int64_t ns = 0;
    for (const QString &line : once.split("; ", Qt::SkipEmptyParts))
        takeNvBufCall(sync, line, ns += 1000, 0);
    for (std::uint32_t frame = 0; frame < kNvBufFrames; ++frame)
        for (const QString &line : calls.split("; "))
            takeNvBufCall(sync, line, ns += 1000, frame);
    QStringList found;
    for (const WasteFinding &each : sync.findings(kNvBufFrames, {})) {
        QCOMPARE(each.grade, FindingGrade::Possible);
        found += QString::fromStdString(each.what);
    }
    QCOMPARE(found.join(' '), finding);
}

JETSCOPE_TEST(NvBufSyncTest)
#include "tst_nvbufsync.moc"
