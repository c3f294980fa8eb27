// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/ffmpegtypes.h"

#include <cstdint>
#include <deque>
#include <string>

namespace jetscope {

/// How long a file is, compared with what its outermost elements say.
enum class FileExtent {
    Unknown, ///< They do not say it, because the file was written as a stream or is of another kind.
    Whole,
    Cut, ///< Shorter than they say.
};

/// Of an AVI or Matroska file; Unknown for others. Moves the place in the file.
FileExtent extentOfFile(AVIOContext &file);

/// How a container ended, by what was read of it and not only by what its header promised.
struct ContainerEnd {
    bool damaged = false;     ///< An error of the reader, or a last packet that is not whole.
    bool early = false;       ///< Clearly before the time that the header states.
    bool atEndOfFile = false; ///< Nothing follows the last packet: no index, no other element.
    double seconds = 0;       ///< When the last packet of any stream ends.
    double statedSeconds = 0; ///< What the header states; 0 if nothing.
};

/// The video stream of a file, packet by packet in the order of decoding. One thread.
class VideoContainer {
public:
    /// `measures` reads the first packets, which tell the rate; `next` returns them all the same. The error is a reason
    /// in words without the file's name.
    static Result<VideoContainer> open(const std::string &path, bool measures);

    AVFormatContext &format() const { return *m_format; }
    AVStream &video() const { return *m_format->streams[m_stream]; }

    /// The next packet of the video; false at the end.
    bool next(AVPacket &packet);
    ContainerEnd end() const;

    /// By the time stamps of the first packets; 0 if the file has none.
    double measuredFps() const { return m_measuredFps; }
    /// Neither the container nor the coding states a rate; `claimedFps` is what the reader takes then.
    bool isRateAssumed() const { return m_isRateAssumed; }
    /// What the container says of the rate, before anything is estimated; 0 if nothing.
    double claimedFps() const { return m_claimedFps; }

private:
    VideoContainer() = default;
    bool read(AVPacket &packet);
    void look(const AVPacket &packet);
    void measure();

    ffmpeg::Format m_format;
    unsigned m_stream = 0;
    std::deque<ffmpeg::Packet> m_ahead; ///< Read by `measure` and not yet returned.
    double m_measuredFps = 0;
    double m_claimedFps = 0;
    bool m_isRateAssumed = false;
    bool m_failed = false;
    bool m_lastIsPart = false;
    std::int64_t m_lastByte = -1; ///< Behind the last packet; -1 if unknown.
    double m_lastSecond = 0;
};

} // namespace jetscope
