// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// DMA-BUFs with a real driver: the kernel's virtual camera (vivid) fills memory of the software iGPU.
#include "gpu/device/backends.h"
#include "gpu/device/device.h"
#include "gpu/sources/cameras.h"
#include "gpu/sources/framesource.h"

#include <QTest>

#include <algorithm>
#include <cstring>
#include <vector>

#include <unistd.h>

using namespace jetscope;

class TestVividDmabuf : public QObject {
    Q_OBJECT

private slots:
    void theDriverImportsDmabufs();
};

/// Memory that the software iGPU exports is a DMA-BUF where the kernel has udmabuf. The driver fills it: the colour
/// bars are what the device's own address shows.
void TestVividDmabuf::theDriverImportsDmabufs()
{
    if (::access("/dev/udmabuf", R_OK | W_OK) != 0)
        QSKIP("this kernel makes no DMA-BUFs of a process's memory (no /dev/udmabuf)");
    const std::vector<CameraInfo> all = listCameras();
    const auto camera =
        std::find_if(all.begin(), all.end(), [](const CameraInfo &each) { return each.driver == "vivid"; });
    if (camera == all.end())
        QSKIP("the driver vivid is not loaded");
    Result<std::unique_ptr<Device>> device = openDevice("soft:thor", nullptr);
    QVERIFY2(device.ok(), device.ok() ? "" : device.error().message().c_str());
    Result<std::unique_ptr<FrameSource>> opened = openSource(camera->uri + "?size=320x180&fps=30", Pacing::Real);
    QVERIFY2(opened.ok(), opened.ok() ? "" : opened.error().message().c_str());
    FrameSource &source = *opened.value();
    if (source.dmabufsWanted() == 0)
        QSKIP("this driver imports no DMA-BUFs");
    std::vector<std::unique_ptr<Buffer>> buffers;
    std::vector<int> files;
    for (std::size_t i = 0; i < source.dmabufsWanted(); ++i) {
        buffers.push_back(device.value()->allocate(Allocation::Exported, source.info().layout.bytes).value());
        files.push_back(device.value()->exportDmabuf(*buffers.back()).value());
        std::memset(buffers.back()->host(), 0, buffers.back()->bytes());
        const Status queued = source.queueDmabuf(buffers.back()->host(), files.back());
        QVERIFY2(queued.ok(), queued.ok() ? "" : queued.error().message().c_str());
    }
    for (int frame = 0; frame < 8; ++frame) {
        const auto read = source.readQueued();
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().message().c_str());
        std::byte *const memory = read.value()->memory;
        // Nothing of the picture is left as it was: the colour bars have no byte of 0 in their first rows.
        QVERIFY(std::count(memory, memory + source.info().layout.planes[0].rowBytes, std::byte{0}) == 0);
        const auto which = std::find_if(buffers.begin(), buffers.end(),
                                        [memory](const auto &buffer) { return buffer->host() == memory; });
        QVERIFY(which != buffers.end());
        std::memset(memory, 0, source.info().layout.bytes);
        const Status queued = source.queueDmabuf(memory, files[static_cast<std::size_t>(which - buffers.begin())]);
        QVERIFY2(queued.ok(), queued.ok() ? "" : queued.error().message().c_str());
    }
    QVERIFY(source.state().copies.empty());
    source.flush();
    opened.value().reset();
    for (const int file : files)
        ::close(file);
}

QTEST_GUILESS_MAIN(TestVividDmabuf)
#include "tst_vividdmabuf.moc"
