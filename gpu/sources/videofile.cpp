// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/picturereader.h"
#include "gpu/sources/plainfile.h"
#include "gpu/sources/sourceuri.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/videoio.hpp>
#include <opencv2/videoio/registry.hpp>
#include <vector>

namespace jetscope {

namespace {

/// A video decoded by OpenCV, converted directly into the caller's memory.
class VideoFile final : public PictureReader {
public:
    explicit VideoFile(std::filesystem::path path) : m_path(std::filesystem::absolute(path)) {}

    Status open();

    int width() const override { return m_width; }
    int height() const override { return m_height; }
    double fps() const override { return m_fps; }
    std::string description() const override { return m_path.filename().string(); }
    StreamFacts facts() const override
    {
        StreamFacts facts;
        facts.width = m_width;
        facts.height = m_height;
        facts.claimedFps = m_fps;
        return facts;
    }

    Result<bool> advance() override;
    Status copyTo(const ImageLayout &layout, std::byte *into) override;
    Status rewind() override;

private:
    Error error(const std::string &text) const { return Error{inQuotes(m_path.string()), 0, text}; }
    bool openVideo();
    bool endsEarly() const;

    const std::filesystem::path m_path; ///< Absolute, so that no part of it is parsed as a protocol.
    cv::VideoCapture m_capture;
    int m_width = 0;
    int m_height = 0;
    double m_fps = 0;
    double m_announced = 0;     ///< Number of pictures in the container's header; 0 if not given.
    std::int64_t m_decoded = 0; ///< Number of pictures since the start or the last rewind.
    double m_lastMs = 0;        ///< Presentation time of the last decoded picture.
};

/// The first of these back ends in this build of OpenCV. Not "any", which would also try cameras, and not one after
/// another, because the last one prints messages about files that it cannot read.
int decoder()
{
    const std::vector<cv::VideoCaptureAPIs> present = cv::videoio_registry::getStreamBackends();
    for (const cv::VideoCaptureAPIs api : {cv::CAP_FFMPEG, cv::CAP_GSTREAMER})
        if (std::find(present.begin(), present.end(), api) != present.end())
            return api;
    return cv::CAP_OPENCV_MJPEG;
}

bool VideoFile::openVideo()
{
    m_decoded = 0;
    m_lastMs = 0;
    try {
        return m_capture.open(m_path.string(), decoder());
    } catch (const cv::Exception &) {
        return false;
    }
}

Status VideoFile::open()
{
    if (!openVideo())
        return error(
            "this is not a video or picture that can be decoded: check that the file is whole and of a common format");
    m_width = static_cast<int>(m_capture.get(cv::CAP_PROP_FRAME_WIDTH));
    m_height = static_cast<int>(m_capture.get(cv::CAP_PROP_FRAME_HEIGHT));
    if (m_width < 1 || m_height < 1 || m_width > kMaxImageSide || m_height > kMaxImageSide)
        return error("the video has pictures of " + std::to_string(m_width) + "×" + std::to_string(m_height)
                     + " pixels: use one of 1×1 to " + std::to_string(kMaxImageSide) + "×"
                     + std::to_string(kMaxImageSide));
    const double fps = m_capture.get(cv::CAP_PROP_FPS);
    m_fps = std::isfinite(fps) && fps > 0 && fps <= 1000 ? fps : 0;
    const double announced = m_capture.get(cv::CAP_PROP_FRAME_COUNT);
    m_announced = std::isfinite(announced) && announced > 0 ? announced : 0;
    return {};
}

Result<bool> VideoFile::advance()
{
    try {
        if (m_capture.grab()) {
            ++m_decoded;
            m_lastMs = m_capture.get(cv::CAP_PROP_POS_MSEC);
            return true;
        }
    } catch (const cv::Exception &failure) {
        return error("decoding stopped at picture " + std::to_string(m_decoded) + ": " + failure.err);
    }
    if (m_decoded == 0)
        return error(
            "no picture of this video can be decoded: check that the file is whole and its codec is a common one");
    if (endsEarly())
        return error("decoding stopped after " + std::to_string(m_decoded) + " of "
                     + std::to_string(std::llround(m_announced))
                     + " pictures: the file is cut short or damaged, copy it again or play it with frames="
                     + std::to_string(m_decoded));
    return false;
}

/// OpenCV does not distinguish the end of a file from an error. It counts as an error if the header announced clearly
/// more, in pictures *and* in time, because count and rate are only estimates in some containers.
bool VideoFile::endsEarly() const
{
    const double missing = m_announced - static_cast<double>(m_decoded);
    if (missing <= std::max(2.0, m_announced * 0.01))
        return false;
    if (m_fps <= 0)
        return true;
    const double announcedMs = m_announced / m_fps * 1000;
    return announcedMs - m_lastMs > std::max(3000 / m_fps, announcedMs * 0.01);
}

Status VideoFile::copyTo(const ImageLayout &layout, std::byte *into)
{
    cv::Mat target(layout.height, layout.width, CV_8UC3, into, layout.planes[0].pitch);
    cv::Mat picture = target;
    try {
        // OpenCV converts in place if the size and the type of the destination match.
        if (!m_capture.retrieve(picture))
            return error("picture " + std::to_string(m_decoded - 1) + " cannot be converted to BGR: use another codec");
        if (picture.size() != target.size() || picture.type() != target.type())
            return error("the pictures change size to " + std::to_string(picture.cols) + "×"
                         + std::to_string(picture.rows) + " at number " + std::to_string(m_decoded - 1)
                         + ": use a video of one size");
        if (picture.data != target.data)
            picture.copyTo(target);
    } catch (const cv::Exception &failure) {
        return error("picture " + std::to_string(m_decoded - 1) + " cannot be converted: " + failure.err);
    }
    return {};
}

Status VideoFile::rewind()
{
    // Seeking is inexact in many containers, so open the file again. Opening a pipe would block until its writer opens
    // it.
    if (!checkPlainFile(m_path).ok() || !openVideo())
        return error(
            "the file can no longer be opened: it was changed, replaced or removed while it played; open it again");
    return {};
}

} // namespace

Result<std::unique_ptr<PictureReader>> openVideo(const std::filesystem::path &path)
{
    auto video = std::make_unique<VideoFile>(path);
    JETSCOPE_TRY(video->open());
    return std::unique_ptr<PictureReader>(std::move(video));
}

} // namespace jetscope
