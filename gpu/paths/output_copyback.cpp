// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Copy back: the device writes its own memory, copies it to the host, and GL uploads it. The naive baseline.
#include "core/recording/tracer.h"
#include "gpu/glqueue/glqueue.h"
#include "gpu/gputime/gputimer.h"
#include "gpu/paths/outputpath.h"

namespace jetscope {

namespace {

class CopyBackOutput final : public OutputPath {
public:
    CopyBackOutput(int width, int height, const TransferContext &context)
        : OutputPath(width, height, context), m_layout(makeImageLayout(PixelFormat::Rgba8, width, height))
    {
    }

    Status beginDevice(std::size_t slot, std::uint32_t, Stream &, ChainLaunch &launch) override
    {
        launch.output = wholeOf(*m_device[slot]);
        launch.outputPitch = m_layout.planes[0].pitch;
        return {};
    }

    Status endDevice(std::size_t slot, std::uint32_t frame, Stream &stream) override
    {
        static const NameId kCopy = internName("copy output to host", Category::Copy, Purpose::OutputCopy);
        JETSCOPE_TRY(m_context.timer.beginCopy(stream, kCopy, frame, pictureBytes(m_layout), CopyKind::DeviceToHost));
        JETSCOPE_TRY(m_context.device.copyAsync(wholeOf(*m_host[slot]), wholeOf(*m_device[slot]),
                                                CopyKind::DeviceToHost, stream));
        return m_context.timer.end();
    }

    bool isRepeatable() const override { return true; }
    bool cpuFeedsGl() const override { return true; }

    void feedGl(std::size_t slot, std::uint32_t frame) override
    {
        static const NameId kUpload = internName("glTexSubImage2D", Category::Upload, Purpose::GlUpload);
        const GlUses uses(m_context.device, glUse(slot, Access::Write));
        m_context.queue.submitTimed(kUpload, frame, uses, [this, slot] {
            const CpuRead bytes(m_context.device, wholeOf(*m_host[slot]));
            return m_textures[slot]->upload(bytes.data(), m_layout.planes[0].pitch);
        });
    }

    /// One copy down to the host and one upload to the texture.
    std::uint64_t bytesCopied() const override { return 2 * pictureBytes(m_layout); }

protected:
    Status allocate() override
    {
        for (std::size_t slot = 0; slot < slotCount(); ++slot) {
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> device,
                                m_context.device.allocate(Allocation::Device, m_layout.bytes));
            JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> host,
                                m_context.device.allocate(Allocation::Pinned, m_layout.bytes));
            m_device.push_back(std::move(device));
            m_host.push_back(std::move(host));
        }
        return {};
    }

private:
    const ImageLayout m_layout;
    std::vector<std::unique_ptr<Buffer>> m_device;
    std::vector<std::unique_ptr<Buffer>> m_host;
};

} // namespace

std::unique_ptr<OutputPath> newCopyBackOutput(int width, int height, const TransferContext &context)
{
    return std::make_unique<CopyBackOutput>(width, height, context);
}

} // namespace jetscope
