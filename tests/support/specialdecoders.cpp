// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/specialdecoders.h"

#include "gpu/sources/nvbuf/nvbufsurface.h"

#include <array>
#include <atomic>
#include <cstring>
#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>
#include <string>

namespace jetscope::testing {

namespace {

constexpr std::size_t kPixels = std::size_t{SpecialDecoders::kWidth} * SpecialDecoders::kHeight;
constexpr std::size_t kPictureBytes = kPixels * 3 / 2;
constexpr unsigned char kWhite = 235;

std::atomic<int> g_images{0};

/// What tells one kind of decoder from another.
struct Kind {
    const char *memory;
    const char *templateCaps; ///< Of the source pad.
};
constexpr Kind kNvidia{"memory:NVMM", "video/x-raw(memory:NVMM),format=NV12"};
constexpr Kind kVa{"memory:VAMemory", "video/x-raw(memory:VAMemory),format=NV12;video/x-raw,format=NV12"};
constexpr Kind kOther{"memory:JetscopeOther", "video/x-raw(memory:JetscopeOther),format=NV12"};

std::string pictureCaps(const char *memory)
{
    return std::string("video/x-raw") + (memory ? "(" + std::string(memory) + ")" : "")
        + ",format=NV12,framerate=25/1,width=" + std::to_string(SpecialDecoders::kWidth)
        + ",height=" + std::to_string(SpecialDecoders::kHeight);
}

void addPadTemplate(GstElementClass *kind, const char *name, GstPadDirection direction, const char *caps)
{
    GstCaps *parsed = gst_caps_from_string(caps);
    gst_element_class_add_pad_template(kind, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, parsed));
    gst_caps_unref(parsed);
}

// --- the buffers of a Jetson

struct Buffer {
    nvbuf::Surface surface{};
    nvbuf::SurfaceParams params{};
};

Buffer &bufferOf(std::size_t index)
{
    static std::array<Buffer, 4> buffers = [] {
        std::array<Buffer, 4> made{};
        std::uint64_t descriptor = 70;
        for (Buffer &buffer : made) {
            buffer.params.width = SpecialDecoders::kWidth;
            buffer.params.height = SpecialDecoders::kHeight;
            buffer.params.pitch = 256;
            buffer.params.colorFormat = nvbuf::kNv12Of709;
            buffer.params.layout = nvbuf::kBlockLinear;
            buffer.params.descriptor = descriptor++;
            buffer.params.planes.count = 2;
            for (std::uint32_t plane = 0; plane < 2; ++plane) {
                buffer.params.planes.width[plane] = SpecialDecoders::kWidth >> plane;
                buffer.params.planes.height[plane] = SpecialDecoders::kHeight >> plane;
                buffer.params.planes.pitch[plane] = 256;
                buffer.params.planes.bytesPerPixel[plane] = plane + 1;
            }
            buffer.surface.batchSize = 1;
            buffer.surface.filled = 1;
            buffer.surface.memory = nvbuf::kSurfaceArray;
        }
        return made;
    }();
    Buffer &buffer = buffers[index % buffers.size()];
    buffer.surface.list = &buffer.params;
    return buffer;
}

GstBuffer *hardwarePicture(std::size_t number)
{
    GstBuffer *buffer = gst_buffer_new();
    nvbuf::Surface *surface = &bufferOf(number).surface;
    gst_buffer_append_memory(buffer,
                             gst_memory_new_wrapped(GST_MEMORY_FLAG_READONLY, surface, sizeof *surface, 0,
                                                    sizeof *surface, nullptr, nullptr));
    return buffer;
}

// --- decoders

struct Decoder {
    GstElement parent;
    GstPad *out;
    std::size_t number;
};

const Kind *kindOf(GstElement *element)
{
    return static_cast<const Kind *>(g_type_get_qdata(G_OBJECT_TYPE(element), g_quark_from_static_string("kind")));
}

GstFlowReturn decode(GstPad *, GstObject *parent, GstBuffer *jpeg)
{
    auto *decoder = reinterpret_cast<Decoder *>(parent);
    GstBuffer *picture = nullptr;
    if (kindOf(GST_ELEMENT(parent)) == &kNvidia) {
        picture = hardwarePicture(decoder->number++);
    } else {
        picture = gst_buffer_new_allocate(nullptr, kPictureBytes, nullptr);
        gst_buffer_memset(picture, 0, kWhite, kPictureBytes);
    }
    GST_BUFFER_PTS(picture) = GST_BUFFER_PTS(jpeg);
    gst_buffer_unref(jpeg);
    return gst_pad_push(decoder->out, picture);
}

gboolean decoderEvent(GstPad *pad, GstObject *parent, GstEvent *event)
{
    if (GST_EVENT_TYPE(event) != GST_EVENT_CAPS)
        return gst_pad_event_default(pad, parent, event);
    gst_event_unref(event);
    GstCaps *caps = gst_caps_from_string(pictureCaps(kindOf(GST_ELEMENT(parent))->memory).c_str());
    const gboolean taken = gst_pad_set_caps(reinterpret_cast<Decoder *>(parent)->out, caps);
    gst_caps_unref(caps);
    return taken;
}

void initDecoderClass(gpointer type, gpointer data)
{
    addPadTemplate(GST_ELEMENT_CLASS(type), "sink", GST_PAD_SINK, "image/jpeg");
    addPadTemplate(GST_ELEMENT_CLASS(type), "src", GST_PAD_SRC, static_cast<const Kind *>(data)->templateCaps);
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(type), "fake decoder", "Codec/Decoder/Video/Hardware",
                                          "for tests", "Jetscope");
}

void initDecoder(GTypeInstance *instance, gpointer type)
{
    auto *decoder = reinterpret_cast<Decoder *>(instance);
    GstPad *in = gst_pad_new_from_template(
        gst_element_class_get_pad_template(static_cast<GstElementClass *>(type), "sink"), "sink");
    gst_pad_set_chain_function(in, decode);
    gst_pad_set_event_function(in, decoderEvent);
    gst_element_add_pad(GST_ELEMENT(instance), in);
    decoder->out = gst_pad_new_from_template(
        gst_element_class_get_pad_template(static_cast<GstElementClass *>(type), "src"), "src");
    gst_pad_use_fixed_caps(decoder->out);
    gst_element_add_pad(GST_ELEMENT(instance), decoder->out);
}

void registerDecoder(const char *name, const Kind &kind)
{
    const GTypeInfo info{sizeof(GstElementClass), nullptr, nullptr,     initDecoderClass, nullptr, &kind,
                         sizeof(Decoder),         0,       initDecoder, nullptr};
    const GType type = g_type_register_static(GST_TYPE_ELEMENT, (std::string("Jetscope_") + name).c_str(), &info,
                                              static_cast<GTypeFlags>(0));
    g_type_set_qdata(type, g_quark_from_static_string("kind"), const_cast<Kind *>(&kind));
    gst_element_register(nullptr, name, GST_RANK_NONE, type); // A test ranks it.
}

// --- what fetches the pictures

GstCaps *otherSide(GstBaseTransform *converter, GstPadDirection direction, GstCaps *, GstCaps *filter)
{
    GstCaps *other = gst_pad_get_pad_template_caps(direction == GST_PAD_SINK ? GST_BASE_TRANSFORM_SRC_PAD(converter)
                                                                             : GST_BASE_TRANSFORM_SINK_PAD(converter));
    if (!filter)
        return other;
    GstCaps *both = gst_caps_intersect(other, filter);
    gst_caps_unref(other);
    return both;
}

gboolean sizeOfPicture(GstBaseTransform *, GstPadDirection, GstCaps *, gsize, GstCaps *, gsize *bytes)
{
    *bytes = kPictureBytes;
    return TRUE;
}

GstFlowReturn fetch(GstBaseTransform *, GstBuffer *, GstBuffer *to)
{
    gst_buffer_memset(to, 0, kWhite, kPictureBytes);
    return GST_FLOW_OK;
}

void initConverterClass(gpointer type, gpointer data)
{
    addPadTemplate(GST_ELEMENT_CLASS(type), "sink", GST_PAD_SINK,
                   pictureCaps(static_cast<const Kind *>(data)->memory).c_str());
    addPadTemplate(GST_ELEMENT_CLASS(type), "src", GST_PAD_SRC, pictureCaps(nullptr).c_str());
    gst_element_class_set_static_metadata(GST_ELEMENT_CLASS(type), "fake converter", "Filter/Video", "for tests",
                                          "Jetscope");
    GST_BASE_TRANSFORM_CLASS(type)->transform_caps = otherSide;
    GST_BASE_TRANSFORM_CLASS(type)->transform_size = sizeOfPicture;
    GST_BASE_TRANSFORM_CLASS(type)->transform = fetch;
}

void registerConverter(const char *name, const Kind &kind)
{
    const GTypeInfo info{sizeof(GstBaseTransformClass),
                         nullptr,
                         nullptr,
                         initConverterClass,
                         nullptr,
                         &kind,
                         sizeof(GstBaseTransform),
                         0,
                         nullptr,
                         nullptr};
    const GType type = g_type_register_static(GST_TYPE_BASE_TRANSFORM, (std::string("Jetscope_") + name).c_str(), &info,
                                              static_cast<GTypeFlags>(0));
    gst_element_register(nullptr, name, GST_RANK_NONE, type);
}

} // namespace

void SpecialDecoders::registerNvidia()
{
    registerDecoder("fakenvdec", kNvidia);
    registerConverter("nvvidconv", kNvidia);
}

void SpecialDecoders::registerVa()
{
    registerDecoder("fakevadec", kVa);
    registerConverter("vapostproc", kVa);
}

void SpecialDecoders::registerOther()
{
    registerDecoder("fakeotherdec", kOther);
}

NvBufApi SpecialDecoders::nvBufApi()
{
    NvBufApi api;
    api.mapEglImage = [](nvbuf::Surface *surface, int) {
        surface->list[0].eglImage = surface;
        ++g_images;
        return 0;
    };
    api.unMapEglImage = [](nvbuf::Surface *surface, int) {
        surface->list[0].eglImage = nullptr;
        --g_images;
        return 0;
    };
    return api;
}

int SpecialDecoders::eglImages()
{
    return g_images;
}

} // namespace jetscope::testing
