// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/remote/jpegpicture.h"

#include <cstddef>
#include <memory>
#include <string>
#include <turbojpeg.h>

namespace jetscope {

namespace {

/// Another one for each picture: none recovers surely from a broken one.
struct TurboHandle {
    void operator()(void *handle) const { tjDestroy(handle); }
};
using Turbo = std::unique_ptr<void, TurboHandle>;

Error turboError(const char *text, const Turbo &turbo)
{
    return {"libjpeg-turbo", 0,
            std::string(text) + (turbo ? std::string(" (") + tjGetErrorStr2(turbo.get()) + ")" : "")};
}

/// Whether the first frame of a file is coded in one pass, as ours are. A file in many passes may be small and take
/// minutes to unpack.
bool isInOnePass(std::span<const std::byte> file)
{
    constexpr std::size_t kHead = 4; // 0xff, the marker, two bytes of size
    for (std::size_t at = 2; at + kHead <= file.size();) {
        if (file[at] != std::byte{0xff})
            return false;
        const auto marker = std::to_integer<unsigned>(file[at + 1]);
        if (marker == 0xc0)
            return true;
        const bool isFrame = marker >= 0xc1 && marker <= 0xcf && marker != 0xc4;
        if (isFrame || marker < 0xc0 || (marker >= 0xd0 && marker <= 0xda))
            return false;
        at += 2 + (std::to_integer<std::size_t>(file[at + 2]) << 8 | std::to_integer<std::size_t>(file[at + 3]));
    }
    return false;
}

} // namespace

const char *jpegTrouble()
{
    return "";
}

Result<std::vector<std::byte>> jpegOf(const RgbaPicture &picture, int quality)
{
    const Turbo turbo(tjInitCompress());
    if (!turbo)
        return turboError("there is no memory for a picture", turbo);
    std::vector<std::byte> file(tjBufSize(picture.width, picture.height, TJSAMP_420));
    auto *to = reinterpret_cast<unsigned char *>(file.data());
    unsigned long size = file.size();
    if (tjCompress2(turbo.get(), reinterpret_cast<const unsigned char *>(picture.rgba.data()), picture.width, 0,
                    picture.height, TJPF_RGBX, &to, &size, TJSAMP_420, quality, TJFLAG_NOREALLOC | TJFLAG_FASTDCT)
        != 0)
        return turboError("a picture could not be made", turbo);
    file.resize(size);
    return file;
}

Result<RgbaPicture> readJpeg(std::span<const std::byte> file, int mostSide)
{
    if (!isInOnePass(file))
        return Error{"libjpeg-turbo", 0, "this is no JPEG picture of a board"};
    const Turbo turbo(tjInitDecompress());
    const auto *bytes = reinterpret_cast<const unsigned char *>(file.data());
    RgbaPicture picture;
    int subsampling = 0;
    int colours = 0;
    if (!turbo
        || tjDecompressHeader3(turbo.get(), bytes, static_cast<unsigned long>(file.size()), &picture.width,
                               &picture.height, &subsampling, &colours)
            != 0)
        return turboError("this is no JPEG picture", turbo);
    if (picture.width < 1 || picture.height < 1 || picture.width > mostSide || picture.height > mostSide)
        return Error{"libjpeg-turbo", 0, "the JPEG picture is larger than it may be"};
    picture.rgba.resize(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) * 4);
    if (tjDecompress2(turbo.get(), bytes, static_cast<unsigned long>(file.size()),
                      reinterpret_cast<unsigned char *>(picture.rgba.data()), picture.width, 0, picture.height,
                      TJPF_RGBX, TJFLAG_STOPONWARNING)
        != 0)
        return turboError("the JPEG picture is broken", turbo);
    return picture;
}

} // namespace jetscope
