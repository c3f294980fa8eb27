// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/recording/tracer.h"
#include "core/time/clock.h"
#include "gpu/sources/framepacer.h"
#include "gpu/sources/picturereader.h"
#include "gpu/sources/plainfile.h"
#include "gpu/sources/quietopencv.h"
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/sourceoptions.h"

#include <algorithm>
#include <mutex>
#include <system_error>
#include <utility>

namespace jetscope {

namespace {

namespace fs = std::filesystem;

/// The frame rate of still images, which define none.
constexpr double kPictureRate = 30;

/// Pictures from a file or folder, paced or as fast as the pipeline takes them; never dropped.
class FileSource final : public FrameSource {
public:
    FileSource(SourceInfo info, const SourceOptions &options, std::unique_ptr<PictureReader> reader, double pace)
        : m_info(std::move(info)), m_options(options), m_reader(std::move(reader)), m_pacer(pace)
    {
        m_state.copies = {m_options.preload != 0 ? "from the preloaded picture into the input buffer by the CPU"
                                                 : "from the decoder's picture into the input buffer by the CPU"};
        m_state.facts = m_reader->facts();
        update();
    }

    const SourceInfo &info() const override { return m_info; }

    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        if (m_pacer.cancelled() || (m_options.frames != 0 && m_next >= m_options.frames))
            return std::optional<CapturedFrame>();
        JETSCOPE_TRY_ASSIGN(const bool decoded, advance());
        // Decoding runs before the frame is due, so that only the conversion remains afterwards.
        if (!decoded || !m_pacer.wait())
            return std::optional<CapturedFrame>();
        const std::int64_t captureNs = nowNs();
        static const NameId kCopy = internName("copy from decoder", Category::Capture, Purpose::CaptureCopy);
        static const NameId kCopyPreloaded = internName("copy preloaded picture", Category::Capture);
        SpanScope span(m_options.preload != 0 ? kCopyPreloaded : kCopy);
        span.setBytes(pictureBytes(m_info.layout));
        JETSCOPE_TRY(m_reader->copyTo(m_info.layout, into));
        CapturedFrame captured{m_next++, captureNs};
        const std::optional<std::int64_t> stamp = m_reader->stampNs();
        captured.stamp = {stamp.has_value(), stamp.value_or(0), captureNs, ToldClock::Media};
        return std::optional(std::move(captured));
    }

    void cancel() override { m_pacer.cancel(); }

    SourceState state() const override
    {
        const std::lock_guard lock(m_stateMutex);
        return m_state;
    }

private:
    void update()
    {
        std::string remark = m_reader->remark();
        const std::lock_guard lock(m_stateMutex);
        m_state.faults = m_reader->faults();
        m_state.remark = std::move(remark);
    }

    Result<bool> advance()
    {
        Result<bool> decoded = decode();
        update();
        return decoded;
    }

    Result<bool> decode()
    {
        static const NameId kDecode = internName("decode", Category::Capture);
        std::optional<SpanScope> span;
        if (m_options.preload == 0)
            span.emplace(kDecode);
        Result<bool> decoded = m_reader->advance();
        if (!decoded.ok() || decoded.value() || !m_options.loop)
            return decoded;
        JETSCOPE_TRY(m_reader->rewind());
        return m_reader->advance();
    }

    const SourceInfo m_info;
    const SourceOptions m_options;
    const std::unique_ptr<PictureReader> m_reader;
    FramePacer m_pacer;
    std::uint64_t m_next = 0;
    mutable std::mutex m_stateMutex;
    SourceState m_state;
};

/// FFmpeg plays plain text as a terminal's screen and follows playlists to other files and hosts. No video container
/// begins with 4 KiB of text.
bool isText(const std::string &start)
{
    return std::none_of(start.begin(), start.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t' && byte != '\f' && byte != 0x1b;
    });
}

Status checkVideoFile(const fs::path &path)
{
    const std::string name = inQuotes(path.string());
    JETSCOPE_TRY_ASSIGN(const std::string start, readPlainFile(path, 4096));
    if (start.empty())
        return Error{name, 0, "the file is empty: use a video, a picture or a folder of pictures"};
    if (isText(start))
        return Error{name, 0,
                     "the file is text, not a video or picture: use a video, a picture or a folder of pictures"};
    return {};
}

Result<std::unique_ptr<PictureReader>> openReader(const fs::path &path)
{
    const std::string name = inQuotes(path.string());
    std::error_code failed;
    const fs::file_status status = fs::status(path, failed);
    if (status.type() == fs::file_type::not_found)
        return Error{name, 0, "there is no such file or folder: check the path"};
    if (failed)
        return Error{name, 0, "the path cannot be looked at (" + failed.message() + "): check its permissions"};
    if (status.type() == fs::file_type::directory) {
        Result<std::vector<fs::path>> pictures = picturesIn(path);
        if (!pictures.ok())
            return pictures.error();
        const std::string folder =
            path.has_filename() ? path.filename().string() : path.parent_path().filename().string();
        const std::string count = std::to_string(pictures.value().size());
        return openPictures(std::move(pictures).value(),
                            folder + " (" + count + (count == "1" ? " picture)" : " pictures)"));
    }
    JETSCOPE_TRY(checkPlainFile(path));
    if (isPictureName(path))
        return openPictures({path}, path.filename().string());
    JETSCOPE_TRY(checkVideoFile(path));
    return openVideo(path);
}

Result<SourceOptions> readFileOptions(const SourceUri &uri)
{
    if (uri.path.empty())
        return Error{inQuotes(uri.text), 0, "no path is given: write file:PATH, as in file:clip.mp4"};
    return readSourceOptions(uri, {"fps", "rate", "frames", "loop", "preload"});
}

} // namespace

Status checkFile(const SourceUri &uri)
{
    const Result<SourceOptions> options = readFileOptions(uri);
    return options.ok() ? Status() : options.error();
}

Result<std::unique_ptr<FrameSource>> openFile(const SourceUri &uri, Pacing pacing)
{
    JETSCOPE_TRY_ASSIGN(const SourceOptions read, readFileOptions(uri));
    const SourceOptions &options = read;
    quietOpenCv();
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<PictureReader> opened, openReader(uri.path));
    std::unique_ptr<PictureReader> reader = std::move(opened);

    SourceInfo info;
    info.uri = uri.text;
    info.layout = makeImageLayout(PixelFormat::Bgr8, reader->width(), reader->height());
    if (options.preload != 0) {
        JETSCOPE_TRY_ASSIGN(reader, preloadPictures(*reader, info.layout, options.preload));
    }
    info.fps = options.fps.value_or(reader->fps() > 0 ? reader->fps() : kPictureRate);
    const bool paced = options.pacing.value_or(pacing) == Pacing::Real;
    info.description = reader->description() + " · " + pictureText(info.layout) + " · "
        + (paced ? rateText(info.fps) + " fps" : std::string("as fast as taken"));
    const double pace = paced ? info.fps : 0;
    info.pacedFps = pace;
    return std::unique_ptr<FrameSource>(
        std::make_unique<FileSource>(std::move(info), options, std::move(reader), pace));
}

} // namespace jetscope
