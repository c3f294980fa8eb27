// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/videopicture.h"

#include <cmath>
#include <cstdlib>
#include <opencv2/core.hpp>
#include <utility>

namespace jetscope {

namespace {

constexpr int kBytes = 3; ///< Of a pixel of BGR.

/// Formats that mean full range by themselves, and the same without that meaning.
std::pair<AVPixelFormat, bool> plainFormat(int format)
{
    switch (format) {
    case AV_PIX_FMT_YUVJ420P:
        return {AV_PIX_FMT_YUV420P, true};
    case AV_PIX_FMT_YUVJ422P:
        return {AV_PIX_FMT_YUV422P, true};
    case AV_PIX_FMT_YUVJ444P:
        return {AV_PIX_FMT_YUV444P, true};
    case AV_PIX_FMT_YUVJ440P:
        return {AV_PIX_FMT_YUV440P, true};
    case AV_PIX_FMT_YUVJ411P:
        return {AV_PIX_FMT_YUV411P, true};
    default:
        return {static_cast<AVPixelFormat>(format), false};
    }
}

bool hasChroma(int format)
{
    const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
    return descriptor && !(descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL))
        && descriptor->nb_components >= 3;
}

/// The matrix that swscale is to use, as one of its SWS_CS_*.
int matrixOf(const AVFrame &frame)
{
    switch (frame.colorspace) {
    case AVCOL_SPC_BT709:
        return SWS_CS_ITU709;
    case AVCOL_SPC_FCC:
        return SWS_CS_FCC;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
        return SWS_CS_ITU601;
    case AVCOL_SPC_SMPTE240M:
        return SWS_CS_SMPTE240M;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
        return SWS_CS_BT2020;
    default:
        break;
    }
    // Pictures of PAL have 576 rows; what is larger was made for HDTV. JPEG has one matrix whatever its size.
    constexpr int kMaxRowsOfSd = 576;
    constexpr int kMaxColumnsOfSd = 1024;
    const bool jpeg = plainFormat(frame.format).second;
    const bool high = frame.height > kMaxRowsOfSd || frame.width > kMaxColumnsOfSd;
    return !jpeg && high ? SWS_CS_ITU709 : SWS_CS_ITU601;
}

bool isFull(const AVFrame &frame)
{
    return frame.color_range == AVCOL_RANGE_JPEG || plainFormat(frame.format).second;
}

std::string matrixText(int matrix)
{
    switch (matrix) {
    case SWS_CS_ITU709:
        return "BT.709";
    case SWS_CS_FCC:
        return "FCC";
    case SWS_CS_SMPTE240M:
        return "SMPTE 240M";
    case SWS_CS_BT2020:
        return "BT.2020";
    default:
        return "BT.601";
    }
}

std::string transferText(AVColorTransferCharacteristic transfer)
{
    switch (transfer) {
    case AVCOL_TRC_BT709:
        return "BT.709";
    case AVCOL_TRC_IEC61966_2_1:
        return "sRGB";
    case AVCOL_TRC_SMPTE2084:
        return "PQ";
    case AVCOL_TRC_ARIB_STD_B67:
        return "HLG";
    default:
        return "";
    }
}

} // namespace

Turn turnOf(const std::array<std::int32_t, 4> &matrix)
{
    // A pixel at (x, y) is shown at (a x + c y, b x + d y).
    const auto [a, b, c, d] = matrix;
    const auto size = [](std::int32_t value) { return std::abs(static_cast<std::int64_t>(value)); };
    Turn turn;
    if (size(a) + size(d) >= size(b) + size(c)) {
        turn.clockwise = d < 0 ? 180 : 0;
        turn.mirrored = (a < 0) != (d < 0);
        turn.exact = b == 0 && c == 0;
    } else {
        turn.clockwise = b < 0 ? 270 : 90;
        turn.mirrored = (b < 0) == (c < 0);
        turn.exact = a == 0 && d == 0;
    }
    return turn;
}

StreamColor colorOf(const AVFrame &frame)
{
    StreamColor color;
    color.transfer = transferText(frame.color_trc);
    if (!hasChroma(frame.format))
        return color;
    color.matrix = matrixText(matrixOf(frame));
    color.range = isFull(frame) ? "full" : "limited";
    color.assumed = frame.colorspace == AVCOL_SPC_UNSPECIFIED && !plainFormat(frame.format).second;
    return color;
}

Status VideoPicture::prepare(const AVFrame &frame, AVPixelFormat format, bool full)
{
    const int matrix = matrixOf(frame);
    if (m_scaler && m_width == frame.width && m_height == frame.height && m_format == format && m_matrix == matrix
        && m_full == full)
        return {};
    m_scaler.reset(sws_getContext(frame.width, frame.height, format, frame.width, frame.height, AV_PIX_FMT_BGR24,
                                  SWS_BICUBIC, nullptr, nullptr, nullptr));
    if (!m_scaler)
        return sentence("cannot be converted to BGR: use another codec");
    m_width = frame.width;
    m_height = frame.height;
    m_format = format;
    m_matrix = matrix;
    m_full = full;
    constexpr int kOne = 1 << 16;
    const int *coefficients = sws_getCoefficients(matrix);
    if (hasChroma(format))
        sws_setColorspaceDetails(m_scaler.get(), coefficients, full ? 1 : 0, coefficients, 1, 0, kOne, kOne);
    return {};
}

Status VideoPicture::write(const AVFrame &frame, const ImageLayout &layout, std::byte *into)
{
    const auto [format, fullByFormat] = plainFormat(frame.format);
    JETSCOPE_TRY(prepare(frame, format, fullByFormat || isFull(frame)));
    // swscale writes whole groups of pixels, beyond the end of a row whose length is no multiple of theirs.
    constexpr std::size_t kGroup = 32;
    const auto width = static_cast<std::size_t>(frame.width);
    const bool direct = m_turn.isNone() && width % kGroup == 0;
    const std::size_t aligned = (width + kGroup - 1) / kGroup * kGroup + kGroup;
    std::size_t pitch = layout.planes[0].pitch;
    auto *rows = reinterpret_cast<std::uint8_t *>(into);
    if (!direct) {
        pitch = aligned * kBytes;
        m_rows.resize(pitch * static_cast<std::size_t>(frame.height) + pitch);
        rows = m_rows.data();
    }
    std::uint8_t *const planes[4] = {rows, nullptr, nullptr, nullptr};
    const int pitches[4] = {static_cast<int>(pitch), 0, 0, 0};
    if (sws_scale(m_scaler.get(), frame.data, frame.linesize, 0, frame.height, planes, pitches) != frame.height)
        return sentence("cannot be converted to BGR: use another codec");
    if (direct)
        return {};
    const cv::Mat picture(frame.height, frame.width, CV_8UC3, rows, pitch);
    cv::Mat target(layout.height, layout.width, CV_8UC3, into, layout.planes[0].pitch);
    if (m_turn.isNone()) {
        picture.copyTo(target);
        return {};
    }
    // Both write in place, since size and type of the target are those of the result.
    if (m_turn.clockwise == 0)
        cv::flip(picture, target, 1);
    else
        cv::rotate(picture, target,
                   m_turn.clockwise == 90        ? cv::ROTATE_90_CLOCKWISE
                       : m_turn.clockwise == 180 ? cv::ROTATE_180
                                                 : cv::ROTATE_90_COUNTERCLOCKWISE);
    if (m_turn.clockwise != 0 && m_turn.mirrored)
        cv::flip(target, target, 1);
    return {};
}

} // namespace jetscope
