// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/displaymatrix.h"
#include "gpu/sources/ffmpegtypes.h"
#include "gpu/sources/picturereader.h"
#include "gpu/sources/plainfile.h"
#include "gpu/sources/sourceuri.h"
#include "gpu/sources/videocontainer.h"
#include "gpu/sources/videopicture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <thread>

namespace jetscope {

namespace {

/// "H.264", "VP9"
std::string codecText(AVCodecID codec)
{
    switch (codec) {
    case AV_CODEC_ID_MJPEG:
        return "MJPEG";
    case AV_CODEC_ID_VP8:
        return "VP8";
    case AV_CODEC_ID_VP9:
        return "VP9";
    case AV_CODEC_ID_AV1:
        return "AV1";
    case AV_CODEC_ID_HEVC:
        return "H.265";
    default:
        break;
    }
    const AVCodecDescriptor *descriptor = avcodec_descriptor_get(codec);
    if (!descriptor)
        return avcodec_get_name(codec);
    const std::string all = descriptor->long_name ? descriptor->long_name : descriptor->name;
    return all.substr(0, all.find(" / ")); // "H.264 / AVC / MPEG-4 AVC / MPEG-4 part 10"
}

/// "progressive", "top field first"; empty if it is not known.
std::string fieldOrderText(AVFieldOrder order)
{
    switch (order) {
    case AV_FIELD_PROGRESSIVE:
        return "progressive";
    case AV_FIELD_TT:
    case AV_FIELD_BT:
        return "top field first";
    case AV_FIELD_BB:
    case AV_FIELD_TB:
        return "bottom field first";
    default:
        return "";
    }
}

/// A video decoded by FFmpeg. What its header states is checked against its packets and pictures, which decide.
class VideoFile final : public PictureReader {
public:
    explicit VideoFile(std::filesystem::path path) : m_path(std::filesystem::absolute(path)) {}

    Status open()
    {
        JETSCOPE_TRY(start(true));
        const AVCodecParameters &stated = *m_container->video().codecpar;
        const auto refuse = [this](int width, int height) -> Status {
            return error("the video has pictures of " + std::to_string(width) + "×" + std::to_string(height)
                         + " pixels: use one of 1×1 to " + std::to_string(kMaxImageSide) + "×"
                         + std::to_string(kMaxImageSide));
        };
        if (stated.width > kMaxImageSide || stated.height > kMaxImageSide)
            return refuse(stated.width, stated.height);
        // Size, colours and rotation are those of a picture, whatever the container says.
        if (!decode())
            return atEnd().error();
        if (m_frame->width < 1 || m_frame->height < 1 || m_frame->width > kMaxImageSide
            || m_frame->height > kMaxImageSide)
            return refuse(m_frame->width, m_frame->height);
        m_held = true;
        learn();
        return {};
    }

    int width() const override { return m_turn.swapsSides() ? m_codedHeight : m_codedWidth; }
    int height() const override { return m_turn.swapsSides() ? m_codedWidth : m_codedHeight; }
    double fps() const override
    {
        return isRate(m_facts.measuredFps) ? m_facts.measuredFps : isRate(m_facts.claimedFps) ? m_facts.claimedFps : 0;
    }
    std::string description() const override { return m_path.filename().string(); }
    StreamFacts facts() const override { return m_facts; }
    SourceFaults faults() const override { return m_faults; }
    std::string remark() const override { return m_remark; }
    std::optional<std::int64_t> stampNs() const override
    {
        if (m_lastStamp == AV_NOPTS_VALUE)
            return std::nullopt;
        return av_rescale_q(m_lastStamp, m_container->video().time_base, AVRational{1, 1'000'000'000});
    }

    Result<bool> advance() override
    {
        if (!m_held && !decode())
            return atEnd();
        m_held = false;
        ++m_decoded;
        const std::int64_t stamp = m_frame->best_effort_timestamp;
        if (stamp != AV_NOPTS_VALUE && stamp == m_lastStamp)
            ++m_faults.repeated;
        m_lastStamp = stamp;
        return true;
    }

    Status copyTo(const ImageLayout &layout, std::byte *into) override
    {
        const std::string picture = "picture " + std::to_string(m_decoded - 1);
        if (m_frame->width != m_codedWidth || m_frame->height != m_codedHeight)
            return error("the pictures change size to " + std::to_string(m_frame->width) + "×"
                         + std::to_string(m_frame->height) + " at number " + std::to_string(m_decoded - 1)
                         + ": use a video of one size");
        const Status written = m_picture->write(*m_frame, layout, into);
        return written.ok() ? written : error(picture + " " + written.error().text);
    }

    Status rewind() override
    {
        // Seeking is inexact in many containers, so open the file again. Opening a pipe would block until its writer
        // opens it.
        if (!checkPlainFile(m_path).ok() || !start(false).ok())
            return error(
                "the file can no longer be opened: it was changed, replaced or removed while it played; open it again");
        return {};
    }

private:
    static bool isRate(double fps) { return fps > 0 && fps <= kMaxFps; }
    Error error(const std::string &text) const { return Error{inQuotes(m_path.string()), 0, text}; }

    Status start(bool measures)
    {
        m_codec.reset();
        m_held = m_drains = false;
        m_decoded = 0;
        m_lastStamp = AV_NOPTS_VALUE;
        Result<VideoContainer> container = VideoContainer::open(m_path.string(), measures);
        if (!container.ok())
            return error(container.error().text);
        m_container.emplace(std::move(container).value());
        return openDecoder();
    }

    Status openDecoder()
    {
        // More do not pay for pictures of common sizes, and each holds pictures of its own.
        constexpr unsigned kMaxThreads = 8;
        const AVCodecParameters &coded = *m_container->video().codecpar;
        const AVCodec *decoder = avcodec_find_decoder(coded.codec_id);
        if (!decoder)
            return error("FFmpeg has no decoder for " + codecText(coded.codec_id)
                         + " on this machine: use a video of another codec");
        m_codec.reset(avcodec_alloc_context3(decoder));
        if (!m_codec || !m_packet || !m_frame || avcodec_parameters_to_context(m_codec.get(), &coded) < 0)
            return error("there is no memory for its decoder");
        m_codec->pkt_timebase = m_container->video().time_base;
        m_codec->max_pixels = std::int64_t{kMaxImageSide} * kMaxImageSide;
        m_codec->thread_count = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads));
        if (avcodec_open2(m_codec.get(), decoder, nullptr) < 0)
            return error("the decoder " + std::string(decoder->name) + " refuses it: check that the file is whole");
        return {};
    }

    /// The next good picture into m_frame; false at the end of the file. Damaged ones are counted and left out.
    bool decode()
    {
        constexpr int kMaxErrorsAtEnd = 64; // Pictures that a decoder holds back.
        for (int errorsAtEnd = 0; errorsAtEnd < kMaxErrorsAtEnd;) {
            const int got = avcodec_receive_frame(m_codec.get(), m_frame.get());
            if (got == 0 && isGood())
                return true;
            if (got == AVERROR_EOF)
                return false;
            if (got != AVERROR(EAGAIN)) {
                ++m_faults.damaged;
                errorsAtEnd += m_drains ? 1 : 0;
                if (got == 0)
                    continue;
            }
            if (m_drains)
                continue;
            if (!m_container->next(*m_packet)) {
                m_drains = true;
                avcodec_send_packet(m_codec.get(), nullptr);
                continue;
            }
            // An empty packet stands for a picture that was not recorded; to a decoder it would mean the end.
            if (m_packet->size <= 0)
                ++m_faults.missed;
            else if (avcodec_send_packet(m_codec.get(), m_packet.get()) < 0)
                ++m_faults.damaged;
            av_packet_unref(m_packet.get());
        }
        return false;
    }

    bool isGood() { return m_frame->decode_error_flags == 0 && !(m_frame->flags & AV_FRAME_FLAG_CORRUPT); }

    Result<bool> atEnd()
    {
        const auto seconds = [](double value) {
            char text[32];
            std::snprintf(text, sizeof(text), "%.3g s", value);
            return std::string(text);
        };
        const ContainerEnd end = m_container->end();
        if (m_decoded == 0)
            return error(
                "no picture of this video can be decoded: check that the file is whole and its codec is a common one");
        const auto announced = static_cast<double>(std::max<std::int64_t>(0, m_container->video().nb_frames));
        const double missing = announced - static_cast<double>(m_decoded);
        const bool early = end.early && (announced == 0 || missing > std::max(2.0, announced * 0.01));
        const std::string of = announced > 0
            ? std::to_string(std::llround(announced)) + " pictures"
            : "pictures, at " + seconds(end.seconds) + " of " + seconds(end.statedSeconds);
        AVIOContext *file = m_container->format().pb;
        const FileExtent extent = file ? extentOfFile(*file) : FileExtent::Unknown;
        const bool isCut = extent == FileExtent::Cut || (extent == FileExtent::Unknown && end.atEndOfFile);
        if (end.damaged || (early && isCut))
            return error("decoding stopped after " + std::to_string(m_decoded) + (announced > 0 ? " of " : " ") + of
                         + ": the file is cut short or damaged, copy it again or play it with frames="
                         + std::to_string(m_decoded));
        if (early)
            m_remark = "the file ends after " + std::to_string(m_decoded) + " pictures and " + seconds(end.seconds)
                + ", but its header states " + seconds(end.statedSeconds) + ": the header is wrong";
        else if (extent == FileExtent::Cut)
            m_remark = "the file is shorter than it says itself: something at its end is missing";
        return false;
    }

    void learn()
    {
        AVStream &stream = m_container->video();
        m_codedWidth = m_frame->width;
        m_codedHeight = m_frame->height;
        std::optional<std::array<std::int32_t, 4>> matrix = displayMatrixOf(stream);
        const AVFrameSideData *data = av_frame_get_side_data(m_frame.get(), AV_FRAME_DATA_DISPLAYMATRIX);
        if (!matrix && data && static_cast<std::size_t>(data->size) >= kMatrixBytes)
            matrix = displayMatrixIn(data->data);
        if (matrix)
            m_turn = turnOf(*matrix);
        m_picture.emplace(m_turn);

        m_facts.container = m_container->format().iformat->long_name;
        m_facts.codec = codecText(m_codec->codec_id);
        m_facts.width = m_codedWidth;
        m_facts.height = m_codedHeight;
        m_facts.claimedFps = m_container->claimedFps();
        m_facts.measuredFps = m_container->measuredFps();
        m_facts.isRateAssumed = m_container->isRateAssumed();
        m_facts.color = colorOf(*m_frame);
        m_facts.rotation = m_turn.clockwise;
        m_facts.mirrored = m_turn.mirrored;
        const AVRational aspect = av_guess_sample_aspect_ratio(&m_container->format(), &stream, m_frame.get());
        m_facts.sampleAspect = aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1;
        m_facts.fieldOrder = fieldOrderText(stream.codecpar->field_order);
        m_facts.decoder = m_codec->codec->name;
        m_facts.decoderKind = m_codec->codec->capabilities & AV_CODEC_CAP_HARDWARE ? "hardware" : "software";
        m_facts.decoderReason = "FFmpeg's first for this codec";

        if (!m_turn.exact)
            m_remark =
                "the video is to be turned by an angle that is no multiple of 90°: it is turned by the nearest one";
        if (m_facts.color.transfer == "PQ" || m_facts.color.transfer == "HLG")
            m_remark =
                "the video is HDR (" + m_facts.color.transfer + "), which is shown as if it was not: it looks flat";
    }

    static constexpr double kMaxFps = 1000;

    const std::filesystem::path m_path; ///< Absolute, so that no part of it is parsed as a protocol.
    std::optional<VideoContainer> m_container;
    ffmpeg::Codec m_codec;
    ffmpeg::Packet m_packet{av_packet_alloc()};
    ffmpeg::Frame m_frame{av_frame_alloc()};
    std::optional<VideoPicture> m_picture;
    Turn m_turn;
    StreamFacts m_facts;
    SourceFaults m_faults;
    std::string m_remark;
    int m_codedWidth = 0;
    int m_codedHeight = 0;
    bool m_held = false; ///< `open` has decoded the first picture, which `advance` has not returned yet.
    bool m_drains = false;
    std::uint64_t m_decoded = 0; ///< Since the start or the last rewind.
    std::int64_t m_lastStamp = AV_NOPTS_VALUE;
};

} // namespace

Result<std::unique_ptr<PictureReader>> openVideo(const std::filesystem::path &path)
{
    auto video = std::make_unique<VideoFile>(path);
    JETSCOPE_TRY(video->open());
    return std::unique_ptr<PictureReader>(std::move(video));
}

} // namespace jetscope
