// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakeboarddevice.h"

#include "gpu/device/cpuaccess.h"
#include "gpu/device/forwardingdevice.h"
#include "gpu/gl/api.h"
#include "tests/support/fakeboardstreams.h"
#include "tests/support/fakeeglimage.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <thread>

namespace jetscope::testing {

namespace {

/// What the device wrote into a buffer, until NvBufSurfaceSyncForCpu.
std::map<FakeEglImage *, std::vector<unsigned char>> &writtenByDevice()
{
    static std::map<FakeEglImage *, std::vector<unsigned char>> written;
    return written;
}

NvivaSurfaceApi g_library(nullptr);
bool g_forgetsCpu = false;
bool g_forgetsDevice = false;

int syncBoardForCpu(nvbuf::Surface *surface, int index, int plane)
{
    auto *const image = static_cast<FakeEglImage *>(surface->list[0].data);
    if (const auto found = writtenByDevice().find(image); found != writtenByDevice().end() && !g_forgetsCpu)
        std::copy(found->second.begin(), found->second.end(), image->pixels);
    return g_library.syncForCpu(surface, index, plane);
}

int syncBoardForDevice(nvbuf::Surface *surface, int index, int plane)
{
    if (!g_forgetsDevice)
        return g_library.syncForDevice(surface, index, plane);
    static_cast<FakeEglImage *>(surface->list[0].data)->isForDevice = false; // What the CPU wrote is in its cache.
    return 0;
}

/// An NvBufSurface as the device knows it.
class SurfaceImage final : public Image {
public:
    explicit SurfaceImage(FakeEglImage &surface)
        : Image(static_cast<int>(surface.width), static_cast<int>(surface.height)), m_surface(surface)
    {
        ++m_surface.registrations;
    }
    ~SurfaceImage() override
    {
        --m_surface.registrations;
        writtenByDevice().erase(&m_surface);
    }
    FakeEglImage &surface() const { return m_surface; }

private:
    FakeEglImage &m_surface;
};

/// A wait that lets GL go on at once.
class NoWait final : public GlWait {
protected:
    Status serverWait() override { return {}; }
};

/// Sizes by which the device knows whose work it is.
constexpr std::size_t kMemoryRowBytes = std::size_t{4} * 160 * 96;
constexpr int kMemoryRowWidth = 160;
constexpr int kSharedRowWidth = 128;
constexpr int kWorkRowWidth = 163;
constexpr int kFirstWorkWidth = 64;
constexpr int kFirstWorkHeight = 32;
constexpr std::size_t kLargeBytes = std::size_t{4} << 20U;

class FakeBoardDevice final : public ForwardingDevice {
public:
    FakeBoardDevice(std::unique_ptr<Device> soft, std::shared_ptr<EglDisplay> display, std::string fault,
                    FakeBoardCamera camera)
        : ForwardingDevice(std::move(soft)),
          m_display(std::move(display)),
          m_fault(std::move(fault)),
          m_camera(std::move(camera))
    {
        m_facts.software = false;
        m_facts.eglStream = m_facts.eglStreamInput = m_facts.glInterop = m_facts.nvBuf = Capability::yes();
        spoilFacts();
    }

    Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) override
    {
        if (is("memory.registered-large") && bytes >= kLargeBytes)
            return Error{"cudaHostRegister", 1, "it is as large as drivers of 2021 do not take"};
        return inner().registerHost(memory, bytes);
    }
    Status attach(Buffer &managed, Attach target, Stream &stream) override
    {
        m_hasAttached = true;
        const bool isBusyTrial = m_streams > 1;
        if (isBusyTrial && is(target == Attach::Host ? "managed.host" : "managed.single"))
            return {};
        return inner().attach(managed, target, stream);
    }
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override
    {
        const bool isOfRow = kind == CopyKind::HostToDevice && from.bytes == kMemoryRowBytes
            && is(from.buffer->allocation() == Allocation::Pageable ? "memory.pageable" : "memory.pinned");
        if (isOfRow && ++m_turn > 1) // A copy that is lost leaves the bytes of the one before.
            return {};
        return inner().copyAsync(to, from, kind, stream);
    }
    Result<std::unique_ptr<Stream>> createStream() override
    {
        ++m_streams;
        return inner().createStream();
    }
    Result<std::int64_t> elapsedNs(const Event &from, const Event &to) override
    {
        JETSCOPE_TRY_ASSIGN(const std::int64_t ns, inner().elapsedNs(from, to));
        return is("events.time") ? ns / 1000 : ns; // Microseconds for nanoseconds.
    }
    WaitPolicy waitPolicy() const override
    {
        const WaitPolicy policy = inner().waitPolicy();
        return is("waits.policy") && policy == WaitPolicy::Yield ? WaitPolicy::Block : policy;
    }
    void endCpuAccess(const BufferRange &range, Access access) override
    {
        if (is("managed.concurrent") && m_streams > 1 && access == Access::Write
            && range.buffer->allocation() == Allocation::Managed)
            *range.host() ^= std::byte{1}; // As if a page were moved with old bytes.
    }

    Status launch(const ChainLaunch &work, Stream &stream) override
    {
        ChainLaunch changed = work;
        JETSCOPE_TRY(takeInput(changed));
        JETSCOPE_TRY(spoil(changed));
        if (dropsOutput(work))
            return {};
        return launchInto(changed, stream);
    }

    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override
    {
        auto *const surface = static_cast<FakeEglImage *>(eglImage);
        if (surface->magic == FakeEglImage::kMagic)
            return std::unique_ptr<Image>(new SurfaceImage(*surface));
        return inner().registerEglImage(eglImage, width, height);
    }
    Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout) override
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> picture, m_camera.registerPicture(eglImage, layout));
        m_pictures.insert(picture.get());
        return picture;
    }
    Result<std::unique_ptr<Image>> registerGlTexture(unsigned texture, int width, int height) override
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<EglImage> eglImage,
                            EglImage::create(m_display, eglGetCurrentContext(), texture));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Image> image, inner().registerEglImage(eglImage->native(), width, height));
        m_interop.insert(image.get());
        m_eglImages.push_back(std::move(eglImage));
        return image;
    }
    Status map(Image &, Stream &) override { return {}; }
    Status unmap(Image &, Stream &) override { return {}; }

    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override
    {
        if (!is("sync.gl-to-device"))
            return inner().eventFromFence(fence);
        return inner().createEvent(Timing::Off); // Complete, since it was never recorded.
    }
    Status glWait(GlWait &wait) override
    {
        while (is("sync.device-to-gl/never"))
            std::this_thread::sleep_for(std::chrono::seconds(1));
        return is("sync.device-to-gl") ? Status() : inner().glWait(wait);
    }

    Result<std::unique_ptr<FrameProducer>> connectProducer(void *, int width, int height, FrameMemory) override
    {
        return std::unique_ptr<FrameProducer>(new Producer(*this, width, height));
    }
    Result<std::unique_ptr<Image>> makeFrame(FrameProducer &producer) override
    {
        return static_cast<Producer &>(producer).make();
    }
    Status present(FrameProducer &, Image &frame, Stream &) override
    {
        fakeBoardStream().display = m_display;
        fakeBoardStream().repeatsForGl = is("stream.to-gl");
        fakeBoardStream().repeatsForDevice = is("stream.to-device");
        fakeBoardStream().waiting.push_back(&static_cast<MemoryImage &>(frame));
        return {};
    }
    Result<Image *> takeBack(FrameProducer &, Stream &) override
    {
        std::deque<MemoryImage *> &consumed = fakeBoardStream().consumed;
        if (consumed.size() < 2)
            return static_cast<Image *>(nullptr);
        Image *const oldest = consumed.front();
        consumed.pop_front();
        return oldest;
    }
    Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *) override
    {
        return std::unique_ptr<FrameConsumer>(new Consumer);
    }
    Result<std::optional<FrameConsumer::Acquired>> acquire(FrameConsumer &, Stream &) override
    {
        MemoryImage *const next = fakeBoardStream().next(fakeBoardStream().repeatsForDevice);
        if (!next)
            return std::optional<FrameConsumer::Acquired>();
        return std::optional(
            FrameConsumer::Acquired{next, makeImageLayout(PixelFormat::Rgba8, next->width(), next->height())});
    }
    Status release(FrameConsumer &, Stream &) override { return {}; }

private:
    /// Frames are in memory that this device allocates; all calls go to the device itself.
    class Producer final : public FrameProducer {
    public:
        Producer(FakeBoardDevice &device, int width, int height) : m_device(device), m_width(width), m_height(height) {}
        Result<std::unique_ptr<Image>> make()
        {
            JETSCOPE_TRY_ASSIGN(
                std::unique_ptr<Buffer> memory,
                m_device.inner().allocate(Allocation::PinnedMapped,
                                          makeImageLayout(PixelFormat::Rgba8, m_width, m_height).bytes));
            return std::unique_ptr<Image>(new MemoryImage(std::move(memory), m_width, m_height));
        }

    protected:
        Result<std::unique_ptr<Image>> makeFrame() override { return make(); }
        Status present(Image &, Stream &) override { return {}; }
        Result<Image *> takeBack(Stream &) override { return static_cast<Image *>(nullptr); }

    private:
        FakeBoardDevice &m_device;
        const int m_width;
        const int m_height;
    };
    class Consumer final : public FrameConsumer {
    protected:
        Result<std::optional<Acquired>> acquire(Stream &) override { return std::optional<Acquired>(); }
        Status release(Stream &) override { return {}; }
    };

    bool is(std::string_view row) const { return m_fault == row; }

    /// "attribute.pageable" and so on: the driver tells the other value.
    void spoilFacts()
    {
        static const std::map<std::string_view, std::string_view> kNames = {
            {"attribute.integrated", "integrated"},
            {"attribute.map-host", "canMapHostMemory"},
            {"attribute.managed", "managedMemory"},
            {"attribute.host-register", "hostRegisterSupported"},
            {"attribute.concurrent", "concurrentManagedAccess"},
            {"attribute.pageable", "pageableMemoryAccess"}};
        if (const auto name = kNames.find(m_fault); name != kNames.end())
            for (DeviceAttribute &attribute : m_facts.attributes)
                if (attribute.name == name->second)
                    attribute.value = 1 - attribute.value.value_or(0);
        if (is("attribute.capability"))
            m_facts.computeMinor += 2;
        if (is("memory.registered/refused"))
            m_facts.hostRegister = Capability::no("the registration failed");
    }

    /// Memory that lasts as long as the device, with these bytes or with zeros.
    Result<Buffer *> keep(std::size_t bytes, const std::byte *content)
    {
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Buffer> made, inner().allocate(Allocation::PinnedMapped, bytes));
        if (content)
            std::memcpy(made->host(), content, bytes);
        else
            std::memset(made->host(), 0, bytes);
        m_kept.push_back(std::move(made));
        return m_kept.back().get();
    }

    /// Puts the bytes of an image that the software iGPU does not know in its place.
    Status takeInput(ChainLaunch &work)
    {
        if (auto *const frame = dynamic_cast<MemoryImage *>(work.inputImage)) {
            work.inputLayout = frame->layout();
            work.input = wholeOf(frame->memory());
        } else if (auto *const surface = dynamic_cast<SurfaceImage *>(work.inputImage)) {
            JETSCOPE_TRY(takeSurface(surface->surface(), work));
        } else if (work.inputImage && m_pictures.count(work.inputImage) > 0) {
            std::vector<std::byte> picture = m_camera.read(*work.inputImage, work.inputLayout);
            if (m_firstPicture.empty())
                m_firstPicture = picture;
            const std::vector<std::byte> &shown = is("csi.buffers") ? m_firstPicture : picture;
            JETSCOPE_TRY_ASSIGN(Buffer *const memory, keep(shown.size(), shown.data()));
            work.input = wholeOf(*memory);
        } else {
            return {};
        }
        work.inputImage = nullptr;
        return {};
    }

    Status takeSurface(const FakeEglImage &surface, ChainLaunch &work)
    {
        JETSCOPE_TRY_ASSIGN(Buffer *const memory, keep(work.inputLayout.bytes, nullptr));
        for (std::size_t y = 0; y < surface.height && surface.isForDevice; ++y)
            std::memcpy(memory->host() + y * work.inputLayout.planes[0].pitch, surface.pixels + y * surface.pitch,
                        std::size_t{4} * surface.width);
        work.input = wholeOf(*memory);
        return {};
    }

    Status spoil(ChainLaunch &work)
    {
        const ImageLayout &layout = work.inputLayout;
        if (is("device.works") && layout.width == kFirstWorkWidth && layout.height == kFirstWorkHeight)
            work.filters = {Filter::Invert};
        if (layout.width == kWorkRowWidth) {
            if (is("filters.bytes") && work.filters == std::vector<Filter>{Filter::Sobel})
                work.filters = {Filter::Gaussian5};
            if (is("formats.bytes") && layout.format == PixelFormat::Uyvy)
                work.filters = {Filter::Invert};
        }
        const bool isStale = readsOld(work);
        if (isStale) {
            JETSCOPE_TRY_ASSIGN(Buffer *const old, keep(layout.bytes, nullptr));
            work.inputImage = nullptr;
            work.input = wholeOf(*old);
        }
        return {};
    }

    /// Whether the device's cache still has what was there before.
    bool readsOld(const ChainLaunch &work) const
    {
        if (work.inputImage)
            return is("memory.gl-texture") && work.inputLayout.width == kMemoryRowWidth;
        if (!work.input || work.input.bytes != kMemoryRowBytes)
            return false;
        switch (work.input.buffer->allocation()) {
        case Allocation::PinnedMapped:
            return is("memory.zero-copy");
        case Allocation::Registered:
            return is("memory.registered");
        case Allocation::Managed:
            return is(m_hasAttached ? "memory.unified-attach" : "memory.unified");
        default:
            return false;
        }
    }

    /// Every second picture for GL is lost.
    bool dropsOutput(const ChainLaunch &work)
    {
        if (!work.outputImage || work.outputImage->width() != kSharedRowWidth
            || dynamic_cast<MemoryImage *>(work.outputImage))
            return false;
        return is(m_interop.count(work.outputImage) > 0 ? "gl.interop" : "gl.eglimage") && ++m_turn % 2 == 0;
    }

    Status launchInto(ChainLaunch &work, Stream &stream)
    {
        if (auto *const frame = dynamic_cast<MemoryImage *>(work.outputImage)) {
            work.outputImage = nullptr;
            work.output = wholeOf(frame->memory());
            work.outputPitch = frame->layout().planes[0].pitch;
            return inner().launch(work, stream);
        }
        auto *const image = dynamic_cast<SurfaceImage *>(work.outputImage);
        if (!image)
            return inner().launch(work, stream);
        FakeEglImage &surface = image->surface();
        JETSCOPE_TRY_ASSIGN(Buffer *const memory, keep(std::size_t{surface.pitch} * surface.height, nullptr));
        work.outputImage = nullptr;
        work.output = wholeOf(*memory);
        work.outputPitch = surface.pitch;
        JETSCOPE_TRY(inner().launch(work, stream));
        return inner().launchHost(stream, [memory, &surface] {
            const auto *const from = reinterpret_cast<unsigned char *>(memory->host());
            writtenByDevice()[&surface].assign(from, from + memory->bytes());
        });
    }

    const std::shared_ptr<EglDisplay> m_display;
    const std::string m_fault;
    const FakeBoardCamera m_camera;
    std::vector<std::unique_ptr<Buffer>> m_kept;
    std::vector<std::unique_ptr<EglImage>> m_eglImages;
    std::set<const Image *> m_interop;
    std::set<const Image *> m_pictures;
    std::vector<std::byte> m_firstPicture;
    int m_streams = 0;
    int m_turn = 0;
    bool m_hasAttached = false;
};

} // namespace

std::unique_ptr<Device> makeFakeBoardDevice(std::unique_ptr<Device> soft, std::shared_ptr<EglDisplay> display,
                                            std::string fault, FakeBoardCamera camera)
{
    return std::make_unique<FakeBoardDevice>(std::move(soft), std::move(display), std::move(fault), std::move(camera));
}

NvivaSurfaceApi fakeBoardSurfaces(const NvivaSurfaceApi &library, const std::string &fault)
{
    g_library = library;
    g_forgetsCpu = fault == "nvbuf.to-cpu";
    g_forgetsDevice = fault == "nvbuf.to-device";
    NvivaSurfaceApi api = library;
    api.syncForCpu = syncBoardForCpu;
    api.syncForDevice = syncBoardForDevice;
    return api;
}

} // namespace jetscope::testing
