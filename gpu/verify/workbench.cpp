// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/verify/workbench.h"

#include "gpu/filters/filterchain.h"

#include <algorithm>
#include <cstring>

namespace jetscope {

namespace {

std::size_t halfOf(int side)
{
    return static_cast<std::size_t>((side + 1) / 2);
}

std::size_t rgbaBytes(const ImageLayout &layout)
{
    return static_cast<std::size_t>(layout.width) * static_cast<std::size_t>(layout.height) * 4;
}

Result<PixelBytes> fetch(Workbench &bench, const BufferRange &from)
{
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> host, bench.device().allocate(Allocation::Pageable, from.bytes));
    JETSCOPE_TRY(bench.device().copyAsync(wholeOf(*host), from, CopyKind::DeviceToHost, bench.stream()));
    JETSCOPE_TRY(bench.device().synchronize(bench.stream()));
    const CpuRead read(bench.device(), wholeOf(*host));
    return PixelBytes(read.data(), read.data() + read.bytes());
}

/// Where there is no display: paths without GL need a queue that they never use.
class NoGlQueue final : public GlQueue {
public:
    NoGlQueue() : GlQueue(nullptr) {}
    Status run(Command) override { return nothing(); }
    bool isThreaded() const override { return false; }
    void *nativeContext() const override { return nullptr; }

protected:
    void append(const Turn &, Command) override { note(nothing()); }
    void appendTimed(NameId, std::uint32_t, const Turn &, Command) override { note(nothing()); }
    GlFence appendFence() override { return {}; }
    void appendWait(Device &, std::unique_ptr<GlWait>, std::uint32_t) override { note(nothing()); }
    Status finishAll() override { return nothing(); }

private:
    static Error nothing() { return sentence("there is no EGL display"); }
};

} // namespace

Result<std::unique_ptr<Workbench>> Workbench::open(const VerifyWorld &world)
{
    std::unique_ptr<Workbench> bench(new Workbench);
    Result<std::shared_ptr<EglDisplay>> display = world.openDisplay(world.deviceId);
    if (display.ok())
        bench->m_display = std::move(display).value();
    else
        bench->m_noDisplay = display.error().message();
    JETSCOPE_TRY_ASSIGN(bench->m_device, world.openDevice(world.deviceId, bench->m_display));
    JETSCOPE_TRY_ASSIGN(bench->m_stream, bench->m_device->createStream());
    bench->m_timer = std::make_unique<GpuTimer>(*bench->m_device, bench->m_tracer);
    bench->m_timer->addStream(*bench->m_stream, 0);
    return bench;
}

Workbench::~Workbench()
{
    if (m_device)
        static_cast<void>(m_device->synchronize()); // What failed was reported.
}

Result<GlQueue *> Workbench::queue()
{
    if (!m_display)
        return Error{"eglGetDisplay", 0, m_noDisplay};
    if (!m_queue) {
        const GlQueue::Execution execution =
            m_display->isSoftwareRasteriser() ? GlQueue::Execution::Threaded : GlQueue::Execution::Inline;
        JETSCOPE_TRY_ASSIGN(m_queue, GlQueue::create(m_display, execution, nullptr, m_tracer));
    }
    return m_queue.get();
}

FrameSync &Workbench::sync(SyncMode mode)
{
    m_sync = createFrameSync(mode, {*m_device, *m_queue, [] {}});
    return *m_sync;
}

Result<TransferContext> Workbench::context()
{
    GlQueue *made = nullptr;
    if (m_display) {
        JETSCOPE_TRY_ASSIGN(made, queue());
    } else {
        m_noQueue = std::make_unique<NoGlQueue>();
        made = m_noQueue.get();
    }
    m_sync = createFrameSync(SyncMode::Finish, {*m_device, *made, [] {}});
    return TransferContext{*m_device, *made, m_sync.get(), *m_timer, *m_stream, {}};
}

Result<Buffer *> Workbench::deviceCopy(const PixelBytes &input)
{
    JETSCOPE_TRY_ASSIGN(m_input, m_device->allocate(Allocation::Device, input.size()));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> host, m_device->allocate(Allocation::Pageable, input.size()));
    std::memcpy(CpuWrite(*m_device, wholeOf(*host)).data(), input.data(), input.size());
    JETSCOPE_TRY(m_device->copyAsync(wholeOf(*m_input), wholeOf(*host), CopyKind::HostToDevice, *m_stream));
    JETSCOPE_TRY(m_device->synchronize(*m_stream));
    return m_input.get();
}

Result<PixelBytes> Workbench::run(ChainLaunch launch)
{
    launch.outputPitch = static_cast<std::size_t>(launch.inputLayout.width) * 4;
    JETSCOPE_TRY_ASSIGN(m_output, m_device->allocate(Allocation::Device, rgbaBytes(launch.inputLayout)));
    launch.output = wholeOf(*m_output);
    JETSCOPE_TRY(m_device->launch(launch, *m_stream));
    return fetch(*this, launch.output);
}

Result<PixelBytes> Workbench::runOn(const PixelBytes &input, const ImageLayout &layout,
                                    const std::vector<Filter> &filters, PixelBytes *grey)
{
    JETSCOPE_TRY_ASSIGN(Buffer *const memory, deviceCopy(input));
    ChainLaunch launch;
    launch.inputLayout = layout;
    launch.input = wholeOf(*memory);
    launch.filters = filters;
    std::unique_ptr<Buffer> half;
    if (grey) {
        launch.resultPitch = makeImageLayout(PixelFormat::Grey8, static_cast<int>(halfOf(layout.width)),
                                             static_cast<int>(halfOf(layout.height)))
                                 .planes[0]
                                 .pitch;
        JETSCOPE_TRY_ASSIGN(half, m_device->allocate(Allocation::Device, launch.resultPitch * halfOf(layout.height)));
        launch.result = wholeOf(*half);
    }
    JETSCOPE_TRY_ASSIGN(PixelBytes rgba, run(launch));
    if (grey) {
        JETSCOPE_TRY_ASSIGN(const PixelBytes padded, fetch(*this, launch.result));
        grey->clear();
        for (std::size_t y = 0; y < halfOf(layout.height); ++y) {
            const auto row = padded.begin() + static_cast<std::ptrdiff_t>(y * launch.resultPitch);
            grey->insert(grey->end(), row, row + static_cast<std::ptrdiff_t>(halfOf(layout.width)));
        }
    }
    return rgba;
}

Result<ChainLaunch> Workbench::pictureLaunch(const PixelBytes &rgba, int width, int height)
{
    ChainLaunch launch;
    launch.inputLayout = makeImageLayout(PixelFormat::Rgba8, width, height);
    PixelBytes padded(launch.inputLayout.bytes);
    const std::size_t row = static_cast<std::size_t>(width) * 4;
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
        std::memcpy(padded.data() + y * launch.inputLayout.planes[0].pitch, rgba.data() + y * row, row);
    JETSCOPE_TRY_ASSIGN(Buffer *const memory, deviceCopy(padded));
    launch.input = wholeOf(*memory);
    return launch;
}

PixelBytes patternOf(std::size_t bytes, std::uint32_t seed)
{
    PixelBytes pattern(bytes);
    std::uint32_t state = seed * 2654435761U + 12345;
    for (std::byte &byte : pattern)
        byte = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24U);
    return pattern;
}

PixelBytes referenceOf(const PixelBytes &input, const ImageLayout &layout, const std::vector<Filter> &filters,
                       PixelBytes *grey, std::size_t greyPitch)
{
    PixelBytes rgba(rgbaBytes(layout));
    ChainWork work;
    work.inputLayout = layout;
    work.input = input.data();
    work.filters = filters;
    work.output = rgba.data();
    work.outputPitch = static_cast<std::size_t>(layout.width) * 4;
    if (grey) {
        work.resultPitch = greyPitch > 0 ? greyPitch : halfOf(layout.width);
        grey->assign(work.resultPitch * halfOf(layout.height), std::byte{0});
        work.result = grey->data();
    }
    ChainExecutor().run(work);
    return rgba;
}

std::string differenceOf(const PixelBytes &found, const PixelBytes &wanted)
{
    if (found.size() != wanted.size())
        return std::to_string(found.size()) + " bytes came in place of " + std::to_string(wanted.size());
    const auto [a, b] = std::mismatch(found.begin(), found.end(), wanted.begin());
    if (a == found.end())
        return {};
    std::size_t count = 0;
    for (std::size_t i = 0; i < found.size(); ++i)
        count += found[i] != wanted[i] ? 1 : 0;
    return std::to_string(count) + " of " + std::to_string(found.size()) + " bytes are wrong, the first at "
        + std::to_string(a - found.begin()) + ": " + std::to_string(static_cast<int>(*a)) + " in place of "
        + std::to_string(static_cast<int>(*b));
}

} // namespace jetscope
