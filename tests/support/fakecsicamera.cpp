// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fakecsicamera.h"

#include "tests/support/fakecsistate.h"
#include "tests/support/stubdevice.h"

namespace jetscope::testing {

csi::State *csi::g_state = nullptr;

using csi::FakeBuffer;
using csi::g_state;
using csi::Lock;

namespace {

// --- libnvbufsurface

int mapEglImage(nvbuf::Surface *surface, int index)
{
    const Lock lock(g_state->mutex);
    FakeBuffer *buffer = g_state->ofExternalBuffer(surface);
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
    FakeBuffer *buffer = g_state->ofExternalBuffer(surface);
    g_state->expect(buffer && index == 0, "the first buffer of a batch that the library knows is unmapped");
    if (!buffer)
        return -1;
    g_state->expect(buffer->alive, "a buffer is unmapped while it lives");
    g_state->expect(buffer->params.eglImage != nullptr, "what is unmapped is mapped");
    g_state->expect(!buffer->registered, "an image is unregistered before it is unmapped");
    buffer->params.eglImage = nullptr;
    return 0;
}

// --- device

class FakePicture final : public Image {
public:
    FakePicture(void *image, int width, int height) : Image(width, height), m_image(image) {}
    ~FakePicture() override
    {
        const Lock lock(g_state->mutex);
        FakeBuffer *buffer = g_state->ofImage(m_image);
        g_state->expect(buffer && buffer->alive && buffer->params.eglImage == m_image,
                        "an image is unregistered before it is unmapped");
        if (buffer)
            buffer->registered = false;
    }
    void *eglImage() const { return m_image; }

private:
    void *const m_image;
};

class FakeReader final : public StubDevice {
public:
    FakeReader() : StubDevice("FakeReader", "this device only reads a camera's buffers") {}

    Result<std::unique_ptr<Image>> registerEglImage(void *image, int width, int height) override
    {
        {
            const Lock lock(g_state->mutex);
            g_state->expect(false, "a camera's buffer shows the picture itself");
        }
        return registerEglPicture(image, makeImageLayout(PixelFormat::Rgba8, width, height));
    }
    Result<std::unique_ptr<Image>> registerEglPicture(void *image, const ImageLayout &layout) override
    {
        const Lock lock(g_state->mutex);
        FakeBuffer *buffer = g_state->ofImage(image);
        g_state->expect(buffer && buffer->params.eglImage == image, "an image is mapped before it is registered");
        if (!buffer)
            return notHere();
        g_state->expect(!buffer->registered, "a descriptor is registered once");
        g_state->expect(layout.width == static_cast<int>(buffer->params.width)
                            && layout.height == static_cast<int>(buffer->params.height),
                        "an image is registered with the size that it has");
        buffer->registered = true;
        ++g_state->registrations;
        return std::unique_ptr<Image>(new FakePicture(image, layout.width, layout.height));
    }
};

} // namespace

// --- test interface

FakeCsiCamera::FakeCsiCamera()
{
    csi::registerElements();
    g_state = new csi::State;
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
                picture[layout.planes[plane].offset + row * layout.planes[plane].pitch + byte] =
                    csi::pixel(number, plane, row, byte);
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
    return static_cast<int>(std::count_if(g_state->buffers.begin(), g_state->buffers.end(),
                                          [](const auto &buffer) { return buffer->out; }));
}

int FakeCsiCamera::started() const
{
    const Lock lock(g_state->mutex);
    return g_state->started;
}

void *FakeCsiCamera::presentsTo() const
{
    const Lock lock(g_state->mutex);
    return g_state->stream;
}

int FakeCsiCamera::presented() const
{
    const Lock lock(g_state->mutex);
    return g_state->presented;
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
