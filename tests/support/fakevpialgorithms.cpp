// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The algorithms of the made-up VPI (fakevpi.cpp): what they accept after the reference, and the arithmetic, which is
// the fake's own, in integers.
#include "tests/support/fakevpistate.h"

#include <cmath>
#include <cstdlib>

using namespace fakevpi;

namespace {

int clampTo(int value, int most)
{
    return std::clamp(value, 0, most - 1);
}

unsigned char *pixelOf(const Object &image, int x, int y)
{
    return image.pixels + static_cast<std::ptrdiff_t>(clampTo(y, image.height)) * image.pitch
        + clampTo(x, image.width) * bytesPerPixel(image.format);
}

template <class Function>
void forEachPixel(const Object &image, const Function &function)
{
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            function(x, y);
}

std::vector<int> gaussianWeights(int size, float sigma)
{
    std::vector<int> weights;
    for (int i = -(size / 2); i <= size / 2; ++i)
        weights.push_back(static_cast<int>(std::lround(1024 * std::exp(-0.5 * i * i / (sigma * sigma)))));
    return weights;
}

void blur(const Object &in, const Object &out, int sizeX, int sizeY, float sigmaX, float sigmaY)
{
    const std::vector<int> across = gaussianWeights(sizeX, sigmaX);
    const std::vector<int> down = gaussianWeights(sizeY, sigmaY);
    forEachPixel(out, [&](int x, int y) {
        std::int64_t sum = 0;
        std::int64_t total = 0;
        for (int dy = 0; dy < sizeY; ++dy)
            for (int dx = 0; dx < sizeX; ++dx) {
                const std::int64_t weight =
                    std::int64_t{across[static_cast<std::size_t>(dx)]} * down[static_cast<std::size_t>(dy)];
                sum += weight * *pixelOf(in, x + dx - sizeX / 2, y + dy - sizeY / 2);
                total += weight;
            }
        *pixelOf(out, x, y) = static_cast<unsigned char>((sum + total / 2) / total);
    });
}

/// The place in the input, in 1/256 pixels.
int sourcePlace(int to, int toPixels, int fromPixels)
{
    return std::max(
        0, static_cast<int>((2 * std::int64_t{to} + 1) * fromPixels * 256 / (2 * std::int64_t{toPixels}) - 128));
}

unsigned char toByte(int value)
{
    return static_cast<unsigned char>(std::clamp(value, 0, 255));
}

/// Luma from 0 to 255.
int fullLuma(const Object &in, int x, int y)
{
    const int luma = *pixelOf(in, x, y);
    return in.format == kNv12Er ? luma : toByte((298 * (luma - 16) + 128) >> 8);
}

/// A channel of an RGBA picture, or of the picture that is converted to it.
int colourOf(const Object &in, int x, int y, int channel)
{
    if (!isNv12(in.format))
        return pixelOf(in, x, y)[channel];
    if (channel == 3)
        return 255;
    const int column = clampTo(x, in.width) / 2 * 2;
    const unsigned char *const chroma =
        in.pixels + static_cast<std::ptrdiff_t>(in.height + clampTo(y, in.height) / 2) * in.pitch + column;
    const int u = chroma[0] - 128;
    const int v = chroma[1] - 128;
    const int luma = *pixelOf(in, x, y);
    const bool isFull = in.format == kNv12Er;
    const int grey = isFull ? 256 * luma : 298 * (luma - 16);
    const int added = channel == 0 ? (isFull ? 359 : 409) * v
        : channel == 1             ? -(isFull ? 88 : 100) * u - (isFull ? 183 : 208) * v
                                   : (isFull ? 454 : 516) * u;
    return toByte((grey + added + 128) >> 8);
}

void resize(const Object &in, const Object &out)
{
    forEachPixel(out, [&](int x, int y) {
        const int px = sourcePlace(x, out.width, in.width);
        const int py = sourcePlace(y, out.height, in.height);
        const int fx = px % 256;
        const int fy = py % 256;
        for (int c = 0; c < bytesPerPixel(out.format); ++c) {
            const auto at = [&](int dx, int dy) { return colourOf(in, px / 256 + dx, py / 256 + dy, c); };
            const int top = at(0, 0) * (256 - fx) + at(1, 0) * fx;
            const int bottom = at(0, 1) * (256 - fx) + at(1, 1) * fx;
            pixelOf(out, x, y)[c] = static_cast<unsigned char>((top * (256 - fy) + bottom * fy + 32768) >> 16);
        }
    });
}

void convert(const Object &in, const Object &out)
{
    forEachPixel(out, [&](int x, int y) {
        const unsigned char *from = pixelOf(in, x, y);
        unsigned char *to = pixelOf(out, x, y);
        to[0] = isNv12(in.format) ? static_cast<unsigned char>(fullLuma(in, x, y))
            : in.format == kRgba8 ? static_cast<unsigned char>((77 * from[0] + 150 * from[1] + 29 * from[2] + 128) >> 8)
                                  : from[0];
        if (out.format == kS16)
            to[1] = 0;
    });
}

/// Every pixel whose neighbours differ by more than ten times the threshold in both directions.
void findCorners(const Object &in, Object &features, Object &scores, const HarrisParams &params)
{
    const auto valueAt = [&](int x, int y) { return int{*pixelOf(in, x, y)}; };
    features.size = 0;
    for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width && features.size < features.capacity; ++x) {
            const int across = std::abs(valueAt(x + 1, y) - valueAt(x - 1, y));
            const int down = std::abs(valueAt(x, y + 1) - valueAt(x, y - 1));
            const int score = std::min(across, down);
            if (static_cast<float>(score) <= 10 * params.strengthThresh)
                continue;
            const float place[2] = {static_cast<float>(x), static_cast<float>(y)};
            std::memcpy(features.own.data() + features.size * 16, place, sizeof place);
            std::memcpy(scores.own.data() + features.size * 16, &score, sizeof score);
            ++features.size;
        }
    scores.size = features.size;
}

bool isPvaSize(const Object &image, int width, int height)
{
    return image.width >= width && image.height >= height && image.width <= 3264 && image.height <= 2448;
}

} // namespace

extern "C" {
int vpiSubmitGaussianFilter(void *streamHandle, std::uint64_t backend, void *inHandle, void *outHandle,
                            std::int32_t sizeX, std::int32_t sizeY, float sigmaX, float sigmaY, int border)
{
    FAILS(vpiSubmitGaussianFilter);
    Object *const stream = find(streamHandle, Kind::Stream);
    Object *const in = find(inHandle, Kind::Image);
    Object *const out = find(outHandle, Kind::Image);
    if (const int status = checkUses(stream, backend, {in, out}); status != Success)
        return status;
    if ((backend & (kCpu | kCuda | kPva)) == 0)
        return fail(NotImplemented, "the backend has no Gaussian filter");
    for (const int size : {sizeX, sizeY})
        if (size < 1 || size > 11 || size % 2 == 0)
            return fail(InvalidArgument, "the size of the kernel is invalid");
    if (!(sigmaX > 0 && sigmaY > 0) || border < 0 || border > 1 || in->format != out->format || in->width != out->width
        || in->height != out->height)
        return fail(InvalidArgument, "sigma, the border or the pictures are invalid");
    if (in->format != kU8)
        return fail(InvalidFormat, "the format is not supported");
    if (backend == kPva && !isPvaSize(*in, 64, 32))
        return fail(InvalidArgument, "PVA does not take pictures of this size");
    return enqueue(stream, backend, {in, out}, [=] { blur(*in, *out, sizeX, sizeY, sigmaX, sigmaY); });
}

int vpiSubmitRescale(void *streamHandle, std::uint64_t backend, void *inHandle, void *outHandle, int interpolation,
                     int border, std::uint64_t flags)
{
    FAILS(vpiSubmitRescale);
    Object *const stream = find(streamHandle, Kind::Stream);
    Object *const in = find(inHandle, Kind::Image);
    Object *const out = find(outHandle, Kind::Image);
    if (const int status = checkUses(stream, backend, {in, out}); status != Success)
        return status;
    if ((backend & (kCpu | kCuda | kVic)) == 0)
        return fail(NotImplemented, "the backend cannot rescale");
    if (flags != 0 || interpolation < 1 || interpolation > 3 || border < 0 || border > 1
        || (backend != kVic && in->format != out->format))
        return fail(InvalidArgument, "a parameter is invalid, or the formats differ");
    if ((in->format != kRgba8 && in->format != kNv12 && in->format != kNv12Er) || out->format != kRgba8)
        return fail(InvalidFormat, "the format is not supported");
    if (isNv12(in->format) && (in->width % 2 != 0 || in->height % 2 != 0))
        return fail(InvalidArgument, "pictures with halved chroma must have even sides");
    if (backend == kVic
        && (interpolation != 2 || border != 1 || in->width < 16 || in->height < 16 || out->width < 16
            || out->height < 16 || in->width > 16 * out->width || out->width > 16 * in->width))
        return fail(InvalidArgument, "VIC does not take these parameters");
    return enqueue(stream, backend, {in, out}, [=] { resize(*in, *out); });
}

int vpiSubmitConvertImageFormat(void *streamHandle, std::uint64_t backend, void *inHandle, void *outHandle,
                                const void *params)
{
    FAILS(vpiSubmitConvertImageFormat);
    Object *const stream = find(streamHandle, Kind::Stream);
    Object *const in = find(inHandle, Kind::Image);
    Object *const out = find(outHandle, Kind::Image);
    if (const int status = checkUses(stream, backend, {in, out}); status != Success)
        return status;
    if ((backend & (kCpu | kCuda | kVic)) == 0)
        return fail(NotImplemented, "the backend cannot convert");
    if (params || in->width != out->width || in->height != out->height)
        return fail(InvalidArgument, "the parameters or the sizes are invalid");
    const bool isFromCamera = backend == kVic && (in->format == kNv12 || in->format == kNv12Er);
    const bool isLuma = (in->format == kRgba8 || isFromCamera) && out->format == kY8Er;
    const bool isWider = in->format == kU8 && out->format == kS16 && backend != kVic;
    if (!isLuma && !isWider)
        return fail(InvalidFormat, "the conversion is not supported");
    return enqueue(stream, backend, {in, out}, [=] { convert(*in, *out); });
}

int vpiInitHarrisCornerDetectorParams(HarrisParams *params)
{
    FAILS(vpiInitHarrisCornerDetectorParams);
    if (!params)
        return fail(InvalidArgument, "there are no parameters");
    *params = {3, 3, 20, 0.0625F, 8};
    return Success;
}
#ifndef FAKE_VPI_WITHOUT_HARRIS
int vpiCreateHarrisCornerDetector(std::uint64_t backends, std::int32_t width, std::int32_t height, void **payload)
{
    FAILS(vpiCreateHarrisCornerDetector);
    if ((backends & (kCpu | kCuda | kPva)) == 0 || (backends & ~(kCpu | kCuda | kPva)) != 0)
        return fail(NotImplemented, "the backend finds no corners");
    Object made(Kind::Payload);
    made.backends = backends & FAKE_VPI_BACKENDS;
    made.width = width;
    made.height = height;
    if (backends == kPva && !isPvaSize(made, 160, 120))
        return fail(InvalidArgument, "PVA does not take pictures of this size");
    return add(std::move(made), payload);
}
#endif
int vpiSubmitHarrisCornerDetector(void *streamHandle, std::uint64_t backend, void *payloadHandle, void *inHandle,
                                  void *featuresHandle, void *scoresHandle, const HarrisParams *params)
{
    FAILS(vpiSubmitHarrisCornerDetector);
    Object *const stream = find(streamHandle, Kind::Stream);
    Object *const payload = find(payloadHandle, Kind::Payload);
    Object *const in = find(inHandle, Kind::Image);
    Object *const features = find(featuresHandle, Kind::Array);
    Object *const scores = find(scoresHandle, Kind::Array);
    if (!payload)
        return fail(InvalidPayload, "the payload is invalid");
    if (const int status = checkUses(stream, backend, {payload, in, features, scores}); status != Success)
        return status;
    if (in->width != payload->width || in->height != payload->height || features->capacity != scores->capacity
        || features->type != 6 || scores->type != 5)
        return fail(InvalidArgument, "the sizes or the arrays do not fit");
    if (!params || params->strengthThresh < 0 || params->strengthThresh > 20
        || (backend == kPva && params->minNMSDistance != 8))
        return fail(InvalidArgument, "the parameters are invalid");
    if (in->format != (backend == kPva ? kS16 : kU8))
        return fail(InvalidFormat, "the format is not supported");
    const HarrisParams copied = *params;
    return enqueue(stream, backend, {payload, in, features, scores},
                   [=] { findCorners(*in, *features, *scores, copied); });
}
void vpiPayloadDestroy(void *handle)
{
    const Lock lock(g_vpi.mutex);
    destroy(handle, Kind::Payload, "a payload");
}
} // extern "C"
