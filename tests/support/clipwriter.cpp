// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/clipwriter.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>

namespace jetscope::testing {

namespace {

void must(bool done, const char *what)
{
    if (done)
        return;
    std::fprintf(stderr, "clipwriter: %s failed\n", what);
    std::abort();
}

class Writer {
public:
    explicit Writer(const Clip &clip) : m_clip(clip)
    {
        must(avformat_alloc_output_context2(&m_format, nullptr, nullptr, clip.path.c_str()) >= 0, "the container");
        openEncoder();
        m_stream = avformat_new_stream(m_format, nullptr);
        must(m_stream && avcodec_parameters_from_context(m_stream->codecpar, m_codec) >= 0, "the stream");
        m_stream->time_base = clip.timeBase;
        m_stream->avg_frame_rate = clip.statedRate;
        m_stream->sample_aspect_ratio = clip.sampleAspect;
        m_stream->codecpar->field_order = clip.fieldOrder;
        must(avio_open(&m_format->pb, clip.path.c_str(), AVIO_FLAG_WRITE) >= 0, "the file");
        m_format->avoid_negative_ts = 0;
        AVDictionary *options = nullptr;
        if (clip.indexInFront)
            av_dict_set(&options, "movflags", "faststart", 0);
        must(avformat_write_header(m_format, &options) >= 0, "the header");
        av_dict_free(&options);
    }

    ~Writer()
    {
        send(nullptr);
        must(av_write_trailer(m_format) >= 0, "the end");
        avio_closep(&m_format->pb);
        avcodec_free_context(&m_codec);
        avformat_free_context(m_format);
        av_packet_free(&m_packet);
        av_frame_free(&m_frame);
    }
    Writer(const Writer &) = delete;
    Writer &operator=(const Writer &) = delete;

    void write(int number)
    {
        must(av_frame_make_writable(m_frame) >= 0, "a frame");
        for (int plane = 0; plane < 3; ++plane)
            paint(plane, number);
        const auto index = static_cast<std::size_t>(number);
        m_frame->pts = m_clip.stamps.empty() ? number : m_clip.stamps[index];
        send(m_frame);
    }

private:
    void openEncoder()
    {
        const AVCodec *encoder = avcodec_find_encoder(m_clip.codec);
        m_codec = avcodec_alloc_context3(encoder);
        must(m_codec && m_frame && m_packet, "the encoder");
        m_codec->width = m_frame->width = m_clip.width;
        m_codec->height = m_frame->height = m_clip.height;
        m_codec->pix_fmt = m_clip.codec == AV_CODEC_ID_MJPEG ? AV_PIX_FMT_YUVJ420P : AV_PIX_FMT_YUV420P;
        m_frame->format = m_codec->pix_fmt;
        m_codec->time_base = m_clip.timeBase;
        m_codec->colorspace = m_clip.matrix;
        m_codec->color_range = m_clip.range;
        m_codec->color_trc = m_clip.transfer;
        m_codec->sample_aspect_ratio = m_clip.sampleAspect;
        m_codec->max_b_frames = m_clip.bFrames;
        m_codec->gop_size = 6;
        m_codec->thread_count = 1;
        m_codec->flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT;
        m_codec->global_quality = FF_QP2LAMBDA * 2;
        if (m_format->oformat->flags & AVFMT_GLOBALHEADER)
            m_codec->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
        must(avcodec_open2(m_codec, encoder, nullptr) >= 0, "opening the encoder");
        must(av_frame_get_buffer(m_frame, 0) >= 0, "memory of a frame");
        m_frame->quality = m_codec->global_quality;
    }

    void paint(int plane, int number)
    {
        const int share = plane == 0 ? 1 : 2;
        const int width = m_clip.width / share;
        const int height = m_clip.height / share;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                const auto quarter = static_cast<std::size_t>((y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1));
                const bool plain = m_clip.yuv[0] >= 0;
                const int value = plain || plane > 0 ? m_clip.yuv[static_cast<std::size_t>(plane)]
                                                     : kQuarters[quarter] + kFrameStep * number;
                m_frame->data[plane][y * m_frame->linesize[plane] + x] = static_cast<std::uint8_t>(value);
            }
    }

    void send(const AVFrame *frame)
    {
        must(avcodec_send_frame(m_codec, frame) >= 0, "encoding");
        while (avcodec_receive_packet(m_codec, m_packet) >= 0) {
            // Without it the last picture ends as it begins, and containers leave it out.
            if (m_packet->duration == 0)
                m_packet->duration = std::max<std::int64_t>(1, m_clip.timeBase.den / m_clip.timeBase.num / 25);
            av_packet_rescale_ts(m_packet, m_clip.timeBase, m_stream->time_base);
            must(av_interleaved_write_frame(m_format, m_packet) >= 0, "writing");
        }
    }

    const Clip &m_clip;
    AVFormatContext *m_format = nullptr;
    AVCodecContext *m_codec = nullptr;
    AVStream *m_stream = nullptr;
    AVPacket *m_packet = av_packet_alloc();
    AVFrame *m_frame = av_frame_alloc();
};

} // namespace

void writeClip(const Clip &clip)
{
    av_log_set_level(AV_LOG_QUIET);
    Writer writer(clip);
    for (int i = 0; i < clip.frames; ++i)
        writer.write(i);
}

} // namespace jetscope::testing
