// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// GStreamer elements of FakeCsiCamera.
#include "tests/support/fakecsicamera.h"
#include "tests/support/fakecsistate.h"

#include <array>
#include <chrono>
#include <gst/base/gstbasesink.h>
#include <gst/base/gstbasetransform.h>
#include <gst/base/gstpushsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>

namespace jetscope::testing::csi {

namespace {

constexpr int kWidth = 66; ///< Default, unless the caps contain another size.
constexpr int kHeight = 36;
constexpr std::uint64_t kFirstDescriptor = 40;

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
    if (spoilt == "memory")
        buffer.surface.memory = 2;
    if (spoilt == "batchSize")
        buffer.surface.batchSize = 0;
    if (spoilt == "list")
        buffer.surface.list = nullptr;
    if (spoilt == "width")
        params.width = 0x80000000;
    if (spoilt == "height")
        params.height = 0;
    if (spoilt == "layout")
        params.layout = 7;
    if (spoilt == "planes.count")
        params.planes.count = 0xffffffff;
    if (spoilt == "planes.width")
        params.planes.width[1] = width;
    if (spoilt == "planes.height")
        params.planes.height[1] = height;
    if (spoilt == "planes.pitch")
        params.planes.pitch[0] = width - 1;
    if (spoilt == "chroma pitch")
        params.planes.pitch[1] = width - 1;
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

/// Frees the pool: idle buffers at once, the others when they are returned.
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

/// Reuses descriptors of freed buffers, like a kernel does.
std::uint64_t freeDescriptor()
{
    std::uint64_t descriptor = kFirstDescriptor;
    const auto taken = [&](const auto &buffer) { return buffer->alive && buffer->params.descriptor == descriptor; };
    while (std::any_of(g_state->buffers.begin(), g_state->buffers.end(), taken))
        ++descriptor;
    return descriptor;
}

/// The buffer that has been idle longest; null if the wait ends without one.
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
    g_state->returned.wait_for(lock, std::chrono::milliseconds(10),
                               [] { return g_state->flushing; }); // Frame rate of the sensor.
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
    // Older releases map a larger structure.
    const gsize bytes = g_state->spoilt == "bytes" ? 1008 : sizeof buffer->surface;
    static std::array<char, 1008> older{};
    void *data = g_state->spoilt == "bytes" ? static_cast<void *>(older.data()) : &buffer->surface;
    lock.unlock();
    *made = gst_buffer_new();
    gst_buffer_append_memory(*made,
                             gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY, data, bytes, 0, bytes, buffer, giveBack));
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
    g_object_class_install_property(
        G_OBJECT_CLASS(kind), 1, g_param_spec_int("sensor-id", "sensor-id", "sensor-id", 0, 255, 0, G_PARAM_WRITABLE));
    addTemplate(GST_ELEMENT_CLASS(kind), "src", GST_PAD_SRC,
                "video/x-raw(memory:NVMM),format=NV12,width=[1,8192],height=[1,8192],framerate=[0/1,240/1]");
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(kind), "fake camera", "Source/Video", "for tests",
                                          "Jetscope");
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

// --- nvvidconv: copies from NVMM to CPU memory

struct ConverterElement {
    GstBaseTransform parent;
};

GstCaps *converterCaps(GstBaseTransform *, GstPadDirection direction, GstCaps *caps, GstCaps *filter)
{
    // NVMM to CPU memory in the same format, or to other planes in NVMM.
    GstCaps *other = gst_caps_copy(caps);
    if (direction == GST_PAD_SINK)
        gst_caps_append(other, gst_caps_copy(caps));
    for (guint i = 0; i < gst_caps_get_size(other); ++i) {
        const bool toCpu = direction == GST_PAD_SINK && i < gst_caps_get_size(caps);
        gst_caps_set_features(other, i,
                              toCpu ? gst_caps_features_new_empty() : gst_caps_features_new("memory:NVMM", nullptr));
        if (!toCpu)
            gst_structure_set(gst_caps_get_structure(other, i), "format", G_TYPE_STRING,
                              direction == GST_PAD_SINK ? "I420" : "NV12", nullptr);
    }
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
    const bool stays = known && GST_VIDEO_INFO_FORMAT(&info) == GST_VIDEO_FORMAT_I420;
    if (caps)
        gst_caps_unref(caps);
    if (!known || !gst_buffer_map(from, &map, GST_MAP_READ))
        return GST_FLOW_ERROR;
    std::uint64_t number = 0;
    {
        const Lock lock(g_state->mutex);
        const FakeBuffer *buffer = g_state->ofExternalBuffer(reinterpret_cast<const nvbuf::Surface *>(map.data));
        g_state->expect(buffer && buffer->out, "the converter reads a buffer that it was given");
        number = buffer ? buffer->number : 0;
    }
    gst_buffer_unmap(from, &map);
    if (stays)
        return GST_FLOW_OK; // Pixels in this format are never read.
    if (!gst_video_frame_map(&frame, &info, to, GST_MAP_WRITE))
        return GST_FLOW_ERROR;
    for (guint plane = 0; plane < 2; ++plane)
        for (int row = 0; row < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, plane); ++row)
            for (int byte = 0; byte < GST_VIDEO_FRAME_COMP_WIDTH(&frame, plane) * static_cast<int>(plane + 1); ++byte)
                static_cast<std::byte *>(GST_VIDEO_FRAME_PLANE_DATA(
                    &frame, plane))[row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane) + byte] =
                    pixel(number, plane, static_cast<std::size_t>(row), static_cast<std::size_t>(byte));
    gst_video_frame_unmap(&frame);
    return GST_FLOW_OK;
}

void initConverterClass(gpointer kind, gpointer)
{
    addTemplate(GST_ELEMENT_CLASS(kind), "sink", GST_PAD_SINK, "video/x-raw(memory:NVMM),format=NV12");
    addTemplate(GST_ELEMENT_CLASS(kind), "src", GST_PAD_SRC,
                "video/x-raw,format=NV12;video/x-raw(memory:NVMM),format=I420");
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(kind), "fake converter", "Filter/Video", "for tests",
                                          "Jetscope");
    GST_BASE_TRANSFORM_CLASS(kind)->transform_caps = converterCaps;
    GST_BASE_TRANSFORM_CLASS(kind)->transform_size = converterSize;
    GST_BASE_TRANSFORM_CLASS(kind)->transform = convert;
}

// --- nvvideosink: presents to an EGLStream

struct PresenterElement {
    GstBaseSink parent;
    void *display;
    void *stream;
};

void setPresenter(GObject *object, guint id, const GValue *value, GParamSpec *)
{
    auto *presenter = reinterpret_cast<PresenterElement *>(object);
    if (id == 1)
        presenter->display = g_value_get_pointer(value);
    else if (id == 2)
        presenter->stream = g_value_get_pointer(value);
}

gboolean startPresenter(GstBaseSink *sink)
{
    const auto *presenter = reinterpret_cast<PresenterElement *>(sink);
    const Lock lock(g_state->mutex);
    g_state->expect(presenter->display && presenter->stream, "display and stream are set before the producer starts");
    g_state->expect(g_state->stream == nullptr, "one producer at a time");
    g_state->display = presenter->display;
    g_state->stream = presenter->stream;
    return TRUE;
}

gboolean stopPresenter(GstBaseSink *)
{
    const Lock lock(g_state->mutex);
    g_state->display = g_state->stream = nullptr;
    return TRUE;
}

GstFlowReturn present(GstBaseSink *, GstBuffer *)
{
    const Lock lock(g_state->mutex);
    ++g_state->presented;
    return GST_FLOW_OK;
}

void initPresenterClass(gpointer kind, gpointer)
{
    GObjectClass *object = G_OBJECT_CLASS(kind);
    object->set_property = setPresenter;
    g_object_class_install_property(object, 1, g_param_spec_pointer("display", "display", "display", G_PARAM_WRITABLE));
    g_object_class_install_property(object, 2, g_param_spec_pointer("stream", "stream", "stream", G_PARAM_WRITABLE));
    g_object_class_install_property(object, 3, g_param_spec_boolean("fifo", "fifo", "fifo", FALSE, G_PARAM_WRITABLE));
    addTemplate(GST_ELEMENT_CLASS(kind), "sink", GST_PAD_SINK, "video/x-raw(memory:NVMM),format=I420");
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(kind), "fake presenter", "Sink/Video", "for tests",
                                          "Jetscope");
    GST_BASE_SINK_CLASS(kind)->start = startPresenter;
    GST_BASE_SINK_CLASS(kind)->stop = stopPresenter;
    GST_BASE_SINK_CLASS(kind)->render = present;
}

} // namespace

void registerElements()
{
    static const bool done = [] {
        gst_init(nullptr, nullptr);
        const GType camera = g_type_register_static_simple(
            GST_TYPE_PUSH_SRC, "JetscopeFakeCamera", sizeof(GstPushSrcClass), initCameraClass, sizeof(CameraElement),
            initCamera, static_cast<GTypeFlags>(0));
        const GType converter = g_type_register_static_simple(
            GST_TYPE_BASE_TRANSFORM, "JetscopeFakeConverter", sizeof(GstBaseTransformClass), initConverterClass,
            sizeof(ConverterElement), nullptr, static_cast<GTypeFlags>(0));
        const GType presenter = g_type_register_static_simple(
            GST_TYPE_BASE_SINK, "JetscopeFakePresenter", sizeof(GstBaseSinkClass), initPresenterClass,
            sizeof(PresenterElement), nullptr, static_cast<GTypeFlags>(0));
        return gst_element_register(nullptr, "nvarguscamerasrc", GST_RANK_NONE, camera)
            && gst_element_register(nullptr, "nvvideosink", GST_RANK_NONE, presenter)
            && gst_element_register(nullptr, "nvvidconv", GST_RANK_NONE, converter);
    }();
    static_cast<void>(done);
}

} // namespace jetscope::testing::csi
