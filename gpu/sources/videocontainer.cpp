// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/videocontainer.h"

#include "gpu/sources/ratemeter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

namespace jetscope {

namespace {

// Enough for a median, and a bound for streams whose packets are large or rare.
constexpr std::size_t kMeasuredPackets = 240;
constexpr std::size_t kMaxMeasuredBytes = std::size_t{32} << 20;
constexpr int kMaxReads = 4000;

double rateOf(AVRational rate)
{
    const double fps = rate.den > 0 ? av_q2d(rate) : 0;
    return std::isfinite(fps) && fps > 0 ? fps : 0;
}

/// Codings without a container. Their reader stamps the pictures by the rate of the coding, or by one of its own.
bool isBareCoding(const AVInputFormat &format)
{
    constexpr std::string_view kWithoutTheFlag[] = {"jpeg_pipe", "mjpeg", "h264", "hevc", "m4v", "mpegvideo"};
    return (format.flags & AVFMT_NOTIMESTAMPS) != 0
        || std::find(std::begin(kWithoutTheFlag), std::end(kWithoutTheFlag), format.name) != std::end(kWithoutTheFlag);
}

/// AVI counts pictures, and its reader stamps them by the rate that the header states.
bool hasTimeStamps(const AVInputFormat &format)
{
    return !isBareCoding(format) && std::string_view(format.name) != "avi";
}

std::int64_t stampOf(const AVPacket &packet)
{
    return packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
}

using Head = std::array<std::uint8_t, 12>;

/// Bytes of an open file; none behind its end.
class Bytes {
public:
    explicit Bytes(AVIOContext &file) : m_file(file) {}
    std::int64_t size() { return avio_size(&m_file); }
    bool read(std::int64_t at, Head &into)
    {
        into.fill(0);
        return avio_seek(&m_file, at, SEEK_SET) == at
            && avio_read(&m_file, into.data(), static_cast<int>(into.size())) > 0;
    }

private:
    AVIOContext &m_file;
};

/// Large files are several of these, one behind the other.
FileExtent extentOfRiff(Bytes &bytes)
{
    constexpr int kMaxChunks = 4096;
    constexpr std::uint32_t kStreamed = 0xffffffff;
    Head head{};
    std::int64_t at = 0;
    for (int i = 0; i < kMaxChunks && bytes.read(at, head) && std::memcmp(head.data(), "RIFF", 4) == 0; ++i) {
        std::uint32_t length = 0;
        for (std::size_t k = 4; k > 0; --k)
            length = length << 8 | head[3 + k];
        if (length == 0 || length == kStreamed)
            return FileExtent::Unknown;
        at += 8 + std::int64_t{length};
        if (at > bytes.size())
            return FileExtent::Cut;
        at += length % 2;
    }
    return FileExtent::Whole;
}

/// Where the element at a place ends: its identity has `idBytes`, then comes its length in 1 to 8 bytes. None if the
/// length is unknown.
std::optional<std::int64_t> endOfElement(Bytes &bytes, std::int64_t at, std::int64_t idBytes)
{
    Head head{};
    if (!bytes.read(at + idBytes, head) || head[0] == 0)
        return std::nullopt;
    std::size_t count = 1;
    while ((head[0] & (0x100U >> count)) == 0)
        ++count;
    std::uint64_t length = head[0] & (0xffU >> count);
    bool unknown = length == (0xffU >> count);
    for (std::size_t i = 1; i < count; ++i) {
        length = length << 8 | head[i];
        unknown = unknown && head[i] == 0xff;
    }
    constexpr std::uint64_t kMax = std::uint64_t{1} << 56;
    if (unknown || length > kMax)
        return std::nullopt;
    return at + idBytes + static_cast<std::int64_t>(count + length);
}

FileExtent extentOfMatroska(Bytes &bytes)
{
    constexpr std::int64_t kIdBytes = 4;
    const std::optional<std::int64_t> segment = endOfElement(bytes, 0, kIdBytes); // It follows the EBML header.
    Head head{};
    if (!segment || !bytes.read(*segment, head) || std::memcmp(head.data(), "\x18\x53\x80\x67", 4) != 0)
        return FileExtent::Unknown;
    const std::optional<std::int64_t> end = endOfElement(bytes, *segment, kIdBytes);
    if (!end)
        return FileExtent::Unknown;
    return *end <= bytes.size() ? FileExtent::Whole : FileExtent::Cut;
}

} // namespace

Result<VideoContainer> VideoContainer::open(const std::string &path, bool measures)
{
    av_log_set_level(AV_LOG_QUIET); // Our own sentences replace what it would write to stderr.
    VideoContainer container;
    AVDictionary *options = nullptr;
    // What a file names in turn must not reach other hosts.
    av_dict_set(&options, "protocol_whitelist", "file", 0);
    AVFormatContext *format = nullptr;
    const int opened = avformat_open_input(&format, path.c_str(), nullptr, &options);
    av_dict_free(&options);
    if (opened < 0)
        return sentence("this is not a video or picture that can be decoded: check that the file is whole and of a "
                        "common format");
    container.m_format.reset(format);
    const auto firstVideo = [format] { return av_find_best_stream(format, AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0); };
    // Later, estimates replace what the container says.
    if (const int known = firstVideo(); known >= 0)
        container.m_claimedFps = rateOf(format->streams[known]->avg_frame_rate);
    if (avformat_find_stream_info(format, nullptr) < 0)
        return sentence("what it contains cannot be found out: check that the file is whole");
    const int video = firstVideo();
    if (video < 0)
        return sentence("it contains no video that can be decoded: use a video, a picture or a folder of pictures");
    container.m_stream = static_cast<unsigned>(video);
    const bool isBare = isBareCoding(*format->iformat);
    if (container.m_claimedFps == 0 || isBare)
        container.m_claimedFps = rateOf(av_guess_frame_rate(format, &container.video(), nullptr));
    constexpr double kReadersOwnFps = 25;
    container.m_isRateAssumed = isBare && container.m_claimedFps == kReadersOwnFps;
    if (measures && hasTimeStamps(*format->iformat))
        container.measure();
    return container;
}

void VideoContainer::measure()
{
    std::vector<std::int64_t> stamps;
    std::size_t bytes = 0;
    for (int i = 0; i < kMaxReads && stamps.size() < kMeasuredPackets && bytes < kMaxMeasuredBytes; ++i) {
        ffmpeg::Packet packet(av_packet_alloc());
        if (!packet || !read(*packet))
            break;
        bytes += static_cast<std::size_t>(std::max(0, packet->size));
        if (const std::int64_t stamp = stampOf(*packet); stamp != AV_NOPTS_VALUE)
            stamps.push_back(stamp);
        m_ahead.push_back(std::move(packet));
    }
    // Packets come in the order of decoding.
    std::sort(stamps.begin(), stamps.end());
    std::vector<std::int64_t> differences;
    for (std::size_t i = 1; i < stamps.size(); ++i)
        if (std::int64_t difference = 0; !__builtin_sub_overflow(stamps[i], stamps[i - 1], &difference))
            differences.push_back(difference);
    const double period = typicalPeriod(std::move(differences)) * av_q2d(video().time_base);
    m_measuredFps = std::isfinite(period) && period > 0 ? 1 / period : 0;
    constexpr double kSame = 1e-3; // Steps of the clock of time stamps; the exact rate is then the one stated.
    if (m_claimedFps > 0 && std::abs(m_claimedFps - m_measuredFps) < kSame * m_measuredFps)
        m_measuredFps = m_claimedFps;
}

bool VideoContainer::read(AVPacket &packet)
{
    while (!m_failed) {
        const int got = av_read_frame(m_format.get(), &packet);
        if (got < 0) {
            m_failed = got != AVERROR_EOF;
            return false;
        }
        look(packet);
        if (packet.stream_index == static_cast<int>(m_stream))
            return true;
        av_packet_unref(&packet);
    }
    return false;
}

/// Of all streams, because sound may go on behind the last picture.
void VideoContainer::look(const AVPacket &packet)
{
    m_lastIsPart = packet.flags & AV_PKT_FLAG_CORRUPT;
    m_lastByte = packet.pos < 0 ? -1 : std::max(m_lastByte, packet.pos + packet.size);
    if (const std::int64_t stamp = stampOf(packet); stamp != AV_NOPTS_VALUE) {
        const AVRational base = m_format->streams[packet.stream_index]->time_base;
        const double second = (static_cast<double>(stamp) + static_cast<double>(packet.duration)) * av_q2d(base);
        m_lastSecond = std::max(m_lastSecond, second);
    }
}

bool VideoContainer::next(AVPacket &packet)
{
    if (m_ahead.empty())
        return read(packet);
    av_packet_move_ref(&packet, m_ahead.front().get());
    m_ahead.pop_front();
    return true;
}

ContainerEnd VideoContainer::end() const
{
    ContainerEnd end;
    end.damaged = m_failed || m_lastIsPart;
    const auto start = m_format->start_time == AV_NOPTS_VALUE ? 0.0 : static_cast<double>(m_format->start_time) / 1e6;
    end.seconds = m_lastSecond - start;
    // A duration by size and bit rate is no statement of the file.
    if (m_format->duration > 0 && m_format->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE)
        end.statedSeconds = static_cast<double>(m_format->duration) / AV_TIME_BASE;
    const double period = m_measuredFps > 0 ? 1 / m_measuredFps : 0.1;
    end.early = end.statedSeconds - end.seconds > std::max(3 * period, end.statedSeconds * 0.01);
    constexpr std::int64_t kPadding = 16;
    const std::int64_t size = m_format->pb ? avio_size(m_format->pb) : -1;
    end.atEndOfFile = size >= 0 && m_lastByte >= 0 && size - m_lastByte <= kPadding;
    return end;
}

FileExtent extentOfFile(AVIOContext &file)
{
    Bytes bytes(file);
    Head head{};
    if (!bytes.read(0, head))
        return FileExtent::Unknown;
    if (std::memcmp(head.data(), "RIFF", 4) == 0)
        return extentOfRiff(bytes);
    if (std::memcmp(head.data(), "\x1a\x45\xdf\xa3", 4) == 0)
        return extentOfMatroska(bytes);
    return FileExtent::Unknown;
}

} // namespace jetscope
