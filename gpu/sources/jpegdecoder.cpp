// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/jpegdecoder.h"

#include <array>
#include <cstring>
#include <turbojpeg.h>

namespace jetscope {

namespace {

constexpr const char *kJpegCall = "libjpeg-turbo";

struct Deleter {
    void operator()(void *handle) const { tjDestroy(handle); }
};

class TurboDecoder final : public JpegDecoder {
public:
    explicit TurboDecoder(tjhandle handle) : m_handle(handle) {}

    Result<ImageLayout> layoutOf(const std::byte *jpeg, std::size_t bytes) override
    {
        int width = 0;
        int height = 0;
        int subsampling = 0;
        int colours = 0;
        if (tjDecompressHeader3(m_handle.get(), data(jpeg), static_cast<unsigned long>(bytes), &width, &height,
                                &subsampling, &colours)
            != 0)
            return failed("this is no JPEG picture");
        if (width < 1 || height < 1 || width > kMaxImageSide || height > kMaxImageSide)
            return Error{kJpegCall, 0,
                         "the JPEG picture has " + std::to_string(width) + "×" + std::to_string(height)
                             + " pixels, and more than " + std::to_string(kMaxImageSide)
                             + " on a side cannot be shown"};
        return makeImageLayout(formatOf(subsampling, colours, height), width, height,
                               YuvColour::Bt601Full); // JFIF defines only this one.
    }

    Status decode(const std::byte *jpeg, std::size_t bytes, const ImageLayout &layout, std::byte *into) override
    {
        JETSCOPE_TRY_ASSIGN(const ImageLayout found, layoutOf(jpeg, bytes));
        if (!(found == layout))
            return Error{kJpegCall, 0, "the JPEG picture has another size or kind than those before it"};
        const int done = layout.format == PixelFormat::Bgr8 ? decodeColours(jpeg, bytes, layout, into)
                                                            : decodePlanes(jpeg, bytes, layout, into);
        // Extra bytes between a picture's data and its end marker are harmless; many cameras write some.
        if (done == 0
            || (tjGetErrorCode(m_handle.get()) == TJERR_WARNING
                && std::strstr(tjGetErrorStr2(m_handle.get()), "extraneous")))
            return {};
        return failed("the JPEG picture is damaged");
    }

private:
    /// A decoder does not recover from a damaged table, so the next picture gets a new decoder.
    Error failed(const std::string &what)
    {
        Error error{kJpegCall, 0, what + " (" + tjGetErrorStr2(m_handle.get()) + ")"};
        if (tjhandle fresh = tjInitDecompress())
            m_handle.reset(fresh);
        return error;
    }

    static const unsigned char *data(const std::byte *bytes) { return reinterpret_cast<const unsigned char *>(bytes); }

    static PixelFormat formatOf(int subsampling, int colours, int height)
    {
        if (colours == TJCS_GRAY || subsampling == TJSAMP_GRAY)
            return PixelFormat::Grey8;
        // For an odd number of rows the library writes one extra row.
        if (colours == TJCS_YCbCr && subsampling == TJSAMP_420 && height % 2 == 0)
            return PixelFormat::Yu12;
        if (colours == TJCS_YCbCr && subsampling == TJSAMP_422)
            return PixelFormat::Yu16;
        return PixelFormat::Bgr8; // Rare kinds; the library converts them.
    }

    int decodePlanes(const std::byte *jpeg, std::size_t bytes, const ImageLayout &layout, std::byte *into)
    {
        std::array<unsigned char *, 3> planes{};
        std::array<int, 3> pitches{};
        for (std::size_t i = 0; i < static_cast<std::size_t>(layout.planeCount); ++i) {
            planes[i] = reinterpret_cast<unsigned char *>(into) + layout.planes[i].offset;
            pitches[i] = static_cast<int>(layout.planes[i].pitch);
        }
        return tjDecompressToYUVPlanes(m_handle.get(), data(jpeg), static_cast<unsigned long>(bytes), planes.data(),
                                       layout.width, pitches.data(), layout.height, 0);
    }

    int decodeColours(const std::byte *jpeg, std::size_t bytes, const ImageLayout &layout, std::byte *into)
    {
        return tjDecompress2(m_handle.get(), data(jpeg), static_cast<unsigned long>(bytes),
                             reinterpret_cast<unsigned char *>(into), layout.width,
                             static_cast<int>(layout.planes[0].pitch), layout.height, TJPF_BGR, 0);
    }

    std::unique_ptr<void, Deleter> m_handle;
};

} // namespace

Result<std::unique_ptr<JpegDecoder>> JpegDecoder::create()
{
    tjhandle handle = tjInitDecompress();
    if (!handle)
        return Error{kJpegCall, 0, "the JPEG decoder could not be started: there is no memory for it"};
    return std::unique_ptr<JpegDecoder>(std::make_unique<TurboDecoder>(handle));
}

} // namespace jetscope
