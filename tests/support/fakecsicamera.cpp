// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakecsicamera.h"

#include <gst/base/gstbasetransform.h>
#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>

namespace jetscope::testing {

namespace {

constexpr int kWidth = 66; ///< Unless the caps name another.
constexpr int kHeight = 36;
constexpr std::uint64_t kFirstDescriptor = 40;

struct FakeBuffer {
    nvbuf::Surface surface{};
    nvbuf::SurfaceParams params{};
    std::uint64_t number = 0;
    bool out = false;   ///< With the application.
    bool alive = true;
    bool orphan = false; ///< Its pool is gone; it goes when the application gives it back.
    bool registered = false;
    char image = 0;     ///< Its address stands for the EGLImage.
};

struct State {
    mutable std::mutex mutex;
    std::condition_variable returned;
    std::vector<std::unique_ptr<FakeBuffer>> buffers; ///< Of all pools there ever were: nothing here is used after it was freed.
    std::vector<std::string> violations;
    std::uint64_t nextNumber = 0;
    std::uint32_t colourFormat = nvbuf::kNv12;
    bool blockLinear = false;
    std::string spoilt;
    bool refusesImages = false;
    bool lost = false;
    bool flushing = false;
    bool running = false;
    std::size_t registrations = 0;
    std::size_t maps = 0;
    int started = 0;

    void expect(bool holds, const char *rule)
    {
        if (!holds)
            violations.emplace_back(rule);
    }
    FakeBuffer *ofSurface(const nvbuf::Surface *surface)
    {
        const auto found = std::find_if(buffers.begin(), buffers.end(), [&](const auto &buffer) { return &buffer->surface == surface; });
        return found == buffers.end() ? nullptr : found->get();
    }
    FakeBuffer *ofImage(const void *image)
    {
        const auto found = std::find_if(buffers.begin(), buffers.end(), [&](const auto &buffer) { return &buffer->image == image; });
        return found == buffers.end() ? nullptr : found->get();
    }
    /// The buffer and what is in it are gone.
    void free(FakeBuffer &buffer)
    {
        expect(!buffer.registered, "an image is unregistered before its buffer goes");
        expect(buffer.params.eglImage == nullptr, "an image is destroyed before its buffer goes");
        buffer.alive = false;
    }
};

State *g_state = nullptr; // The elements and the table's functions have no other way to it.

using Lock = std::unique_lock<std::mutex>;

std::byte pixel(std::uint64_t number, std::size_t plane, std::size_t row, std::size_t byte)
{
    return static_cast<std::byte>(number * 37 + plane * 101 + row * 5 + byte * 3);
}

// --- the library

int mapEglImage(nvbuf::Surface *surface, int index)
{
    const Lock lock(g_state->mutex);
    FakeBuffer *buffer = g_state->ofSurface(surface);
    g_state->expect(buffer && index == 0, "the first buffer of a batch that the library knows is mapped");
    if (!buffer)
        return -1;
    g_state->expect(buffer->alive && buffer->out, "a buffer is mapped while the application has it");
    g_state->expect(buffer->params.eglImage == nullptr, "a buffer is mapped once");
    if (g_state->refusesImages)
        return -1;
    ++g_state->maps;
    buffer->params.eglImage = &buffer->image;
    return 0;
}

int unMapEglImage(nvbuf::Surface *surface, int index)
{
    const Lock lock(g_state->mutex);
    FakeBuffer *buffer = g_state->ofSurface(surface);
    g_state->expect(buffer && index == 0, "the first buffer of a batch that the library knows is unmapped");
    if (!buffer)
        return -1;
    g_state->expect(buffer->alive, "a buffer is unmapped while it lives");
    g_state->expect(buffer->params.eglImage != nullptr, "what is unmapped is mapped");
    g_state->expect(!buffer->registered, "an image is unregistered before it is unmapped");
    buffer->params.eglImage = nullptr;
    return 0;
}

// --- the device

class FakePicture final : public Image {
public:
    FakePicture(void *image, int width, int height) : Image(width, height), m_image(image) {}
    ~FakePicture() override
    {
        const Lock lock(g_state->mutex);
        FakeBuffer *buffer = g_state->ofImage(m_image);
        g_state->expect(buffer && buffer->alive && buffer->params.eglImage == m_image, "an image is unregistered before it is unmapped");
        if (buffer)
            buffer->registered = false;
    }
    void *eglImage() const { return m_image; }

private:
    void *const m_image;
};

class FakeReader final : public Device {
public:
    FakeReader() : Device(DeviceFacts()) {}

    Result<std::unique_ptr<Image>> registerSurface(void *image, const ImageLayout &layout, SurfaceView view) override
    {
        const Lock lock(g_state->mutex);
        FakeBuffer *buffer = g_state->ofImage(image);
        g_state->expect(view == SurfaceView::Picture, "a camera's buffer shows the picture itself");
        g_state->expect(buffer && buffer->params.eglImage == image, "an image is mapped before it is registered");
        if (!buffer)
            return notHere();
        g_state->expect(!buffer->registered, "a descriptor is registered once");
        g_state->expect(layout.width == static_cast<int>(buffer->params.width) && layout.height == static_cast<int>(buffer->params.height),
                        "an image is registered with the size that it has");
        buffer->registered = true;
        ++g_state->registrations;
        return std::unique_ptr<Image>(new FakePicture(image, layout.width, layout.height));
    }

    Result<std::unique_ptr<Stream>> createStream() override { return notHere(); }
    Result<std::unique_ptr<Event>> createEvent(Timing) override { return notHere(); }
    Status record(Event &, Stream &) override { return notHere(); }
    Result<bool> query(const Event &) override { return notHere(); }
    Result<std::int64_t> elapsedNs(const Event &, const Event &) override { return notHere(); }
    Status wait(Stream &, const Event &) override { return notHere(); }
    Status synchronize(const Event &) override { return notHere(); }
    Status synchronize(Stream &) override { return notHere(); }
    Status synchronize() override { return notHere(); }
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &) override { return notHere(); }
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &) override { return notHere(); }
    Result<std::unique_ptr<Buffer>> allocate(Allocation, std::size_t) override { return notHere(); }
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *, std::size_t) override { return notHere(); }
    Status attach(Buffer &, Attach, Stream &) override { return notHere(); }
    Status copyAsync(std::byte *, const std::byte *, std::size_t, CopyKind, Stream &) override { return notHere(); }
    Status launchHost(Stream &, std::function<void()>) override { return notHere(); }
    Status launch(const ChainLaunch &, Stream &) override { return notHere(); }
    Status setWaitPolicy(WaitPolicy) override { return notHere(); }
    WaitPolicy waitPolicy() const override { return WaitPolicy::Auto; }
    Result<std::unique_ptr<Image>> registerEglImage(void *, int, int) override { return notHere(); }
    Result<MemoryInfo> memoryInfo() override { return notHere(); }

private:
    static Error notHere() { return Error{"FakeReader", 0, "this device only reads a camera's buffers"}; }
};

// --- nvarguscamerasrc

struct CameraElement {
    GstPushSrc parent;
    GstVideoInfo info;
};

void describe(FakeBuffer &buffer, std::uint64_t descriptor, const GstVideoInfo &info)
{
    nvbuf::SurfaceParams &params = buffer.params;
    const auto width = static_cast<std::uint32_t>(info.width);
    const auto height = static_cast<std::uint32_t>(info.height);
    params.width = width;
    params.height = height;
    params.pitch = 256;
    params.colorFormat = g_state->colourFormat;
    params.layout = g_state->blockLinear ? 1 : 0;
    params.descriptor = descriptor;
    params.planes.count = 2;
    for (std::uint32_t plane = 0; plane < 2; ++plane) {
        params.planes.width[plane] = plane == 0 ? width : (width + 1) / 2;
        params.planes.height[plane] = plane == 0 ? height : (height + 1) / 2;
        params.planes.pitch[plane] = 256;
        params.planes.bytesPerPixel[plane] = plane + 1;
    }
    buffer.surface.batchSize = 1;
    buffer.surface.filled = 1;
    buffer.surface.memory = nvbuf::kSurfaceArray;
    buffer.surface.list = &params;
    const std::string &spoilt = g_state->spoilt;
    if (spoilt == "memory") buffer.surface.memory = 2;
    if (spoilt == "batchSize") buffer.surface.batchSize = 0;
    if (spoilt == "list") buffer.surface.list = nullptr;
    if (spoilt == "width") params.width = 0x80000000;
    if (spoilt == "height") params.height = 0;
    if (spoilt == "layout") params.layout = 7;
    if (spoilt == "planes.count") params.planes.count = 0xffffffff;
    if (spoilt == "planes.width") params.planes.width[1] = width;
    if (spoilt == "planes.height") params.planes.height[1] = height;
    if (spoilt == "planes.pitch") params.planes.pitch[0] = width - 1;
    if (spoilt == "chroma pitch") params.planes.pitch[1] = width - 1;
}

gboolean cameraSetCaps(GstBaseSrc *source, GstCaps *caps)
{
    return gst_video_info_from_caps(&reinterpret_cast<CameraElement *>(source)->info, caps);
}

GstCaps *cameraFixate(GstBaseSrc *, GstCaps *caps)
{
    GstCaps *fixed = gst_caps_make_writable(gst_caps_truncate(caps));
    GstStructure *structure = gst_caps_get_structure(fixed, 0);
    gst_structure_fixate_field_nearest_int(structure, "width", kWidth);
    gst_structure_fixate_field_nearest_int(structure, "height", kHeight);
    gst_structure_fixate_field_nearest_fraction(structure, "framerate", 100, 1);
    return gst_caps_fixate(fixed);
}

gboolean cameraStart(GstBaseSrc *source)
{
    Lock lock(g_state->mutex);
    if (g_state->running) {
        lock.unlock();
        GST_ELEMENT_ERROR(source, RESOURCE, BUSY, ("the camera is in use"), (nullptr));
        return FALSE;
    }
    g_state->running = true;
    ++g_state->started;
    g_state->lost = false;
    g_state->flushing = false;
    return TRUE;
}

/// The pool goes: at once what it has, the rest as it comes back.
gboolean cameraStop(GstBaseSrc *)
{
    const Lock lock(g_state->mutex);
    g_state->running = false;
    for (const auto &buffer : g_state->buffers) {
        if (buffer->alive && !buffer->out)
            g_state->free(*buffer);
        buffer->orphan = true;
    }
    g_state->nextNumber = 0;
    return TRUE;
}

gboolean cameraUnlock(GstBaseSrc *)
{
    {
        const Lock lock(g_state->mutex);
        g_state->flushing = true;
    }
    g_state->returned.notify_all();
    return TRUE;
}

gboolean cameraUnlockStop(GstBaseSrc *)
{
    const Lock lock(g_state->mutex);
    g_state->flushing = false;
    return TRUE;
}

void giveBack(gpointer data)
{
    {
        const Lock lock(g_state->mutex);
        auto *buffer = static_cast<FakeBuffer *>(data);
        buffer->out = false;
        if (buffer->orphan)
            g_state->free(*buffer);
    }
    g_state->returned.notify_all();
}

/// Descriptors come again when their buffers are gone, as a kernel's do.
std::uint64_t freeDescriptor()
{
    std::uint64_t descriptor = kFirstDescriptor;
    const auto taken = [&](const auto &buffer) { return buffer->alive && buffer->params.descriptor == descriptor; };
    while (std::any_of(g_state->buffers.begin(), g_state->buffers.end(), taken))
        ++descriptor;
    return descriptor;
}

/// The buffer that was free for longest; none when the wait is over without one.
FakeBuffer *takeBuffer(Lock &lock, const GstVideoInfo &info)
{
    const auto isOurs = [](const auto &buffer) { return buffer->alive && !buffer->orphan; };
    while (std::count_if(g_state->buffers.begin(), g_state->buffers.end(), isOurs) < FakeCsiCamera::kBuffers) {
        auto buffer = std::make_unique<FakeBuffer>();
        describe(*buffer, freeDescriptor(), info);
        g_state->buffers.push_back(std::move(buffer));
    }
    FakeBuffer *free = nullptr;
    g_state->returned.wait(lock, [&] {
        for (const auto &buffer : g_state->buffers)
            if (isOurs(buffer) && !buffer->out && (!free || buffer->number < free->number))
                free = buffer.get();
        return free || g_state->flushing;
    });
    return free;
}

GstFlowReturn cameraCreate(GstPushSrc *source, GstBuffer **made)
{
    const GstVideoInfo &info = reinterpret_cast<CameraElement *>(source)->info;
    Lock lock(g_state->mutex);
    g_state->returned.wait_for(lock, std::chrono::milliseconds(10), [] { return g_state->flushing; }); // The sensor's rate.
    if (g_state->lost && g_state->nextNumber > 0) {
        g_state->lost = false;
        lock.unlock();
        GST_ELEMENT_ERROR(source, RESOURCE, READ, ("the camera service went away"), (nullptr));
        return GST_FLOW_ERROR;
    }
    FakeBuffer *buffer = g_state->flushing ? nullptr : takeBuffer(lock, info);
    if (!buffer || g_state->flushing)
        return GST_FLOW_FLUSHING;
    buffer->out = true;
    buffer->number = g_state->nextNumber++;
    // An older release maps another, larger structure.
    const gsize bytes = g_state->spoilt == "bytes" ? 1008 : sizeof buffer->surface;
    static std::array<char, 1008> older{};
    void *data = g_state->spoilt == "bytes" ? static_cast<void *>(older.data()) : &buffer->surface;
    lock.unlock();
    *made = gst_buffer_new();
    gst_buffer_append_memory(*made, gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY, data, bytes, 0, bytes, buffer, giveBack));
    return GST_FLOW_OK;
}

void ignoreProperty(GObject *, guint, const GValue *, GParamSpec *) {}

void addTemplate(GstElementClass *kind, const char *name, GstPadDirection direction, const char *caps)
{
    GstCaps *parsed = gst_caps_from_string(caps);
    gst_element_class_add_pad_template(kind, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, parsed));
    gst_caps_unref(parsed);
}

void initCameraClass(gpointer kind, gpointer)
{
    G_OBJECT_CLASS(kind)->set_property = ignoreProperty;
    g_object_class_install_property(G_OBJECT_CLASS(kind), 1,
                                    g_param_spec_int("sensor-id", "sensor-id", "sensor-id", 0, 255, 0, G_PARAM_WRITABLE));
    addTemplate(GST_ELEMENT_CLASS(kind), "src", GST_PAD_SRC,
                "video/x-raw(memory:NVMM),format=NV12,width=[1,8192],height=[1,8192],framerate=[0/1,240/1]");
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(kind), "fake camera", "Source/Video", "for tests", "Jetscope");
    GST_BASE_SRC_CLASS(kind)->set_caps = cameraSetCaps;
    GST_BASE_SRC_CLASS(kind)->fixate = cameraFixate;
    GST_BASE_SRC_CLASS(kind)->start = cameraStart;
    GST_BASE_SRC_CLASS(kind)->stop = cameraStop;
    GST_BASE_SRC_CLASS(kind)->unlock = cameraUnlock;
    GST_BASE_SRC_CLASS(kind)->unlock_stop = cameraUnlockStop;
    GST_PUSH_SRC_CLASS(kind)->create = cameraCreate;
}

void initCamera(GTypeInstance *camera, gpointer)
{
    gst_base_src_set_live(GST_BASE_SRC(camera), TRUE);
    gst_base_src_set_format(GST_BASE_SRC(camera), GST_FORMAT_TIME);
    gst_base_src_set_do_timestamp(GST_BASE_SRC(camera), TRUE);
}

// --- nvvidconv: out of the hardware's memory into the CPU's

struct ConverterElement {
    GstBaseTransform parent;
};

GstCaps *converterCaps(GstBaseTransform *, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
    GstCaps *other = gst_caps_copy(caps);
    for (guint i = 0; i < gst_caps_get_size(other); ++i)
        gst_caps_set_features(other, i, direction == GST_PAD_SINK ? gst_caps_features_new_empty() : gst_caps_features_new("memory:NVMM", nullptr));
    if (filter) {
        GstCaps *both = gst_caps_intersect(other, filter);
        gst_caps_unref(other);
        other = both;
    }
    return other;
}

gboolean converterSize(GstBaseTransform *, GstPadDirection, GstCaps *, gsize, GstCaps *other, gsize *bytes)
{
    GstVideoInfo info;
    if (!gst_video_info_from_caps(&info, other))
        return FALSE;
    *bytes = info.size;
    return TRUE;
}

GstFlowReturn convert(GstBaseTransform *converter, GstBuffer *from, GstBuffer *to)
{
    GstCaps *caps = gst_pad_get_current_caps(GST_BASE_TRANSFORM_SRC_PAD(converter));
    GstVideoInfo info;
    GstVideoFrame frame;
    GstMapInfo map;
    const bool known = caps && gst_video_info_from_caps(&info, caps);
    if (caps)
        gst_caps_unref(caps);
    if (!known || !gst_buffer_map(from, &map, GST_MAP_READ))
        return GST_FLOW_ERROR;
    std::uint64_t number = 0;
    {
        const Lock lock(g_state->mutex);
        const FakeBuffer *buffer = g_state->ofSurface(reinterpret_cast<const nvbuf::Surface *>(map.data));
        g_state->expect(buffer && buffer->out, "the converter reads a buffer that it was given");
        number = buffer ? buffer->number : 0;
    }
    gst_buffer_unmap(from, &map);
    if (!gst_video_frame_map(&frame, &info, to, GST_MAP_WRITE))
        return GST_FLOW_ERROR;
    for (guint plane = 0; plane < 2; ++plane)
        for (int row = 0; row < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, plane); ++row)
            for (int byte = 0; byte < GST_VIDEO_FRAME_COMP_WIDTH(&frame, plane) * static_cast<int>(plane + 1); ++byte)
                static_cast<std::byte *>(GST_VIDEO_FRAME_PLANE_DATA(&frame, plane))[row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane) + byte] =
                    pixel(number, plane, static_cast<std::size_t>(row), static_cast<std::size_t>(byte));
    gst_video_frame_unmap(&frame);
    return GST_FLOW_OK;
}

void initConverterClass(gpointer kind, gpointer)
{
    addTemplate(GST_ELEMENT_CLASS(kind), "sink", GST_PAD_SINK, "video/x-raw(memory:NVMM),format=NV12");
    addTemplate(GST_ELEMENT_CLASS(kind), "src", GST_PAD_SRC, "video/x-raw,format=NV12");
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(kind), "fake converter", "Filter/Video", "for tests", "Jetscope");
    GST_BASE_TRANSFORM_CLASS(kind)->transform_caps = converterCaps;
    GST_BASE_TRANSFORM_CLASS(kind)->transform_size = converterSize;
    GST_BASE_TRANSFORM_CLASS(kind)->transform = convert;
}

void registerElements()
{
    static const bool done = [] {
        gst_init(nullptr, nullptr);
        const GType camera = g_type_register_static_simple(GST_TYPE_PUSH_SRC, "JetscopeFakeCamera", sizeof(GstPushSrcClass), initCameraClass,
                                                           sizeof(CameraElement), initCamera, static_cast<GTypeFlags>(0));
        const GType converter =
            g_type_register_static_simple(GST_TYPE_BASE_TRANSFORM, "JetscopeFakeConverter", sizeof(GstBaseTransformClass), initConverterClass,
                                          sizeof(ConverterElement), nullptr, static_cast<GTypeFlags>(0));
        return gst_element_register(nullptr, "nvarguscamerasrc", GST_RANK_NONE, camera)
            && gst_element_register(nullptr, "nvvidconv", GST_RANK_NONE, converter);
    }();
    static_cast<void>(done);
}

} // namespace

// --- for tests

FakeCsiCamera::FakeCsiCamera()
{
    registerElements();
    g_state = new State;
}

FakeCsiCamera::~FakeCsiCamera()
{
    delete g_state;
    g_state = nullptr;
}

const NvBufApi &FakeCsiCamera::table() const
{
    static const NvBufApi api{mapEglImage, unMapEglImage};
    return api;
}

std::unique_ptr<Device> FakeCsiCamera::device() const
{
    return std::make_unique<FakeReader>();
}

std::uint64_t FakeCsiCamera::numberOf(const Image &image) const
{
    const Lock lock(g_state->mutex);
    const FakeBuffer *buffer = g_state->ofImage(static_cast<const FakePicture &>(image).eglImage());
    return buffer ? buffer->number : 0;
}

std::vector<std::byte> FakeCsiCamera::readAsDevice(const Image &image, const ImageLayout &layout) const
{
    {
        const Lock lock(g_state->mutex);
        const FakeBuffer *buffer = g_state->ofImage(static_cast<const FakePicture &>(image).eglImage());
        g_state->expect(buffer && buffer->out && buffer->registered, "a buffer is read while the application has it");
    }
    return pictureOf(numberOf(image), layout);
}

std::vector<std::byte> FakeCsiCamera::pictureOf(std::uint64_t number, const ImageLayout &layout) const
{
    std::vector<std::byte> picture(layout.bytes);
    for (std::size_t plane = 0; plane < static_cast<std::size_t>(layout.planeCount); ++plane)
        for (std::size_t row = 0; row < static_cast<std::size_t>(layout.planes[plane].rows); ++row)
            for (std::size_t byte = 0; byte < layout.planes[plane].rowBytes; ++byte)
                picture[layout.planes[plane].offset + row * layout.planes[plane].pitch + byte] = pixel(number, plane, row, byte);
    return picture;
}

std::vector<std::string> FakeCsiCamera::violations() const
{
    const Lock lock(g_state->mutex);
    std::vector<std::string> all = g_state->violations;
    for (const auto &buffer : g_state->buffers) {
        if (buffer->out)
            all.emplace_back("a buffer was not given back");
        if (buffer->registered)
            all.emplace_back("an image is still registered");
        if (buffer->params.eglImage)
            all.emplace_back("an image is still mapped");
    }
    return all;
}

std::size_t FakeCsiCamera::registrations() const
{
    const Lock lock(g_state->mutex);
    return g_state->registrations;
}

std::size_t FakeCsiCamera::maps() const
{
    const Lock lock(g_state->mutex);
    return g_state->maps;
}

int FakeCsiCamera::buffersOut() const
{
    const Lock lock(g_state->mutex);
    return static_cast<int>(std::count_if(g_state->buffers.begin(), g_state->buffers.end(), [](const auto &buffer) { return buffer->out; }));
}

int FakeCsiCamera::started() const
{
    const Lock lock(g_state->mutex);
    return g_state->started;
}

void FakeCsiCamera::setColourFormat(std::uint32_t format)
{
    g_state->colourFormat = format;
}

void FakeCsiCamera::setBlockLinear(bool blockLinear)
{
    g_state->blockLinear = blockLinear;
}

void FakeCsiCamera::spoil(const std::string &member)
{
    g_state->spoilt = member;
}

void FakeCsiCamera::refuseImages()
{
    g_state->refusesImages = true;
}

void FakeCsiCamera::lose()
{
    const Lock lock(g_state->mutex);
    g_state->lost = true;
}

} // namespace jetscope::testing
