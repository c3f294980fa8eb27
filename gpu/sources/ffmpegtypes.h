// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

/// FFmpeg's objects, each given back by its owner.
namespace jetscope::ffmpeg {

struct Closer {
    void operator()(AVFormatContext *format) const { avformat_close_input(&format); }
    void operator()(AVCodecContext *codec) const { avcodec_free_context(&codec); }
    void operator()(AVFrame *frame) const { av_frame_free(&frame); }
    void operator()(AVPacket *packet) const { av_packet_free(&packet); }
    void operator()(SwsContext *scaler) const { sws_freeContext(scaler); }
};

using Format = std::unique_ptr<AVFormatContext, Closer>;
using Codec = std::unique_ptr<AVCodecContext, Closer>;
using Frame = std::unique_ptr<AVFrame, Closer>;
using Packet = std::unique_ptr<AVPacket, Closer>;
using Scaler = std::unique_ptr<SwsContext, Closer>;

} // namespace jetscope::ffmpeg
