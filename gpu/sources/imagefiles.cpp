// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/text/shorttext.h"
#include "gpu/sources/pictureheader.h"
#include "gpu/sources/picturereader.h"
#include "gpu/sources/plainfile.h"
#include "gpu/sources/quietopencv.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <array>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <string_view>
#include <system_error>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 9> kExtensions{".png",  ".jpg",  ".jpeg", ".bmp", ".tif",
                                                      ".tiff", ".webp", ".ppm",  ".pgm"};

Error pictureError(const fs::path &path, const std::string &text)
{
    return Error{inQuotes(path.string()), 0, text};
}

/// Decoders fill the missing part of a truncated JPEG or PNG with grey, so check its end first. Inside a JPEG's coded
/// data only a marker can follow 0xff, and the end marker must follow the start of the last scan.
bool isCutShort(std::string_view bytes)
{
    if (bytes.substr(0, 2) == "\xff\xd8") {
        const auto scan = bytes.rfind("\xff\xda");
        return scan == std::string_view::npos || bytes.find("\xff\xd9", scan) == std::string_view::npos;
    }
    if (bytes.substr(0, 4) == "\x89PNG")
        return bytes.rfind("IEND") == std::string_view::npos;
    return false;
}

Error notAPicture(const fs::path &path)
{
    return pictureError(path, "this is not a picture that can be decoded: use PNG, JPEG, BMP, TIFF, WebP, PPM or PGM");
}

/// Checks the size before decoding: a small file can contain a picture that fills the memory.
Status checkSize(const fs::path &path, std::string_view bytes)
{
    constexpr std::uint64_t kMaxSide = kMaxImageSide;
    const std::optional<PictureSize> size = pictureSizeIn(bytes);
    if (!size)
        return notAPicture(path);
    if (size->width > kMaxSide || size->height > kMaxSide)
        return pictureError(path,
                            "the picture has " + std::to_string(size->width) + "×" + std::to_string(size->height)
                                + " pixels, and more than " + std::to_string(kMaxImageSide)
                                + " on a side cannot be shown: scale it down");
    return {};
}

struct DecodedPicture {
    cv::Mat pixels;
    std::string kind; ///< "PNG"
};

Result<DecodedPicture> decodePicture(const fs::path &path)
{
    // The largest picture without compression, plus its header.
    constexpr std::size_t kMaxFileBytes = std::size_t{4} * kMaxImageSide * kMaxImageSide + (1 << 20);
    JETSCOPE_TRY_ASSIGN(const std::string read, readPlainFile(path, kMaxFileBytes));
    const std::string &bytes = read;
    if (bytes.empty())
        return pictureError(path, "the file is empty: use another picture");
    if (bytes.size() == kMaxFileBytes)
        return pictureError(path, "the file is larger than any picture that can be shown: use another one");
    JETSCOPE_TRY(checkSize(path, bytes));
    if (isCutShort(bytes))
        return pictureError(path, "the picture is cut short: copy the file again");
    cv::Mat picture;
    try {
        const cv::Mat view(1, static_cast<int>(bytes.size()), CV_8U, const_cast<char *>(bytes.data()));
        const SilentStderr silence;
        picture = cv::imdecode(view, cv::IMREAD_COLOR);
    } catch (const cv::Exception &) {
        picture.release(); // Handled below: OpenCV reports a bad picture by an exception or by an empty image.
    }
    if (picture.empty())
        return notAPicture(path);
    if (picture.cols > kMaxImageSide || picture.rows > kMaxImageSide) // The header was wrong.
        return notAPicture(path);
    return DecodedPicture{std::move(picture), std::string(pictureKindIn(bytes))};
}

/// Compares numbers inside names by value, everything else by bytes.
bool naturallyBefore(std::string_view a, std::string_view b)
{
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    while (!a.empty() && !b.empty()) {
        if (!digit(a.front()) || !digit(b.front())) {
            if (a.front() != b.front())
                return a.front() < b.front();
            a.remove_prefix(1);
            b.remove_prefix(1);
            continue;
        }
        const auto takeNumber = [&digit](std::string_view &text) {
            while (text.size() > 1 && text[0] == '0' && digit(text[1]))
                text.remove_prefix(1);
            const auto end = std::find_if_not(text.begin(), text.end(), digit);
            const std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
            text.remove_prefix(number.size());
            return number;
        };
        const std::string_view first = takeNumber(a);
        const std::string_view second = takeNumber(b);
        if (first != second)
            return first.size() != second.size() ? first.size() < second.size() : first < second;
    }
    return a.size() < b.size();
}

/// Pictures from files, decoded one at a time; a single picture is kept in memory.
class ImageFiles final : public PictureReader {
public:
    ImageFiles(std::vector<fs::path> paths, std::string description, DecodedPicture first)
        : m_paths(std::move(paths)),
          m_description(std::move(description)),
          m_codec(std::move(first.kind)),
          m_size(first.pixels.size()),
          m_picture(std::move(first.pixels))
    {
    }

    int width() const override { return m_size.width; }
    int height() const override { return m_size.height; }
    double fps() const override { return 0; }
    std::string description() const override { return m_description; }
    StreamFacts facts() const override
    {
        StreamFacts facts;
        facts.codec = m_codec;
        facts.width = m_size.width;
        facts.height = m_size.height;
        facts.decoder = "OpenCV";
        facts.decoderKind = "software";
        return facts;
    }

    Result<bool> advance() override
    {
        if (m_next == m_paths.size())
            return false;
        if (m_next != m_held) {
            const fs::path &path = m_paths[m_next];
            JETSCOPE_TRY_ASSIGN(const DecodedPicture picture, decodePicture(path));
            const cv::Mat &decoded = picture.pixels;
            if (decoded.size() != m_size)
                return pictureError(path,
                                    "the picture has " + sizeText(decoded.size()) + " pixels, but the first one, "
                                        + inQuotes(m_paths.front().filename().string()) + ", has " + sizeText(m_size)
                                        + ": put pictures of one size into the folder");
            m_picture = decoded;
            m_held = m_next;
        }
        ++m_next;
        return true;
    }

    Status copyTo(const ImageLayout &layout, std::byte *into) override
    {
        cv::Mat target(layout.height, layout.width, CV_8UC3, into, layout.planes[0].pitch);
        m_picture.copyTo(target);
        return {};
    }

    Status rewind() override
    {
        m_next = 0;
        return {};
    }

private:
    static std::string sizeText(cv::Size size)
    {
        return std::to_string(size.width) + "×" + std::to_string(size.height);
    }

    const std::vector<fs::path> m_paths;
    const std::string m_description;
    const std::string m_codec;
    const cv::Size m_size;
    cv::Mat m_picture;
    std::size_t m_held = 0; ///< Index of m_picture's path.
    std::size_t m_next = 0;
};

} // namespace

bool isPictureName(const fs::path &path)
{
    const std::string extension = lowerCase(path.extension().string());
    return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

Result<std::vector<fs::path>> picturesIn(const fs::path &folder)
{
    std::vector<fs::path> paths;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed)) {
        std::error_code unknown;
        if (isPictureName(entry->path()) && entry->is_regular_file(unknown))
            paths.push_back(entry->path());
    }
    if (failed)
        return pictureError(folder, "the folder cannot be read (" + failed.message() + "): check its permissions");
    if (paths.empty())
        return pictureError(folder,
                            "the folder holds no picture: put PNG, JPEG, BMP, TIFF, WebP, PPM or PGM files into it");
    std::sort(paths.begin(), paths.end(), [](const fs::path &a, const fs::path &b) {
        return naturallyBefore(a.filename().string(), b.filename().string());
    });
    return paths;
}

Result<std::unique_ptr<PictureReader>> openPictures(std::vector<fs::path> paths, std::string description)
{
    JETSCOPE_TRY_ASSIGN(DecodedPicture first, decodePicture(paths.front()));
    return std::unique_ptr<PictureReader>(
        std::make_unique<ImageFiles>(std::move(paths), std::move(description), std::move(first)));
}

} // namespace jetscope
