// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>

namespace jetscope::test {

using Triple = std::array<double, 3>;

/// How eyes see colours: what they make of linear RGB.
struct ColorVision {
    const char *name;
    std::array<Triple, 3> matrix;
};

/// Normal vision, and what those see who lack one kind of cones: Machado, Oliveira and Fernandes, "A
/// Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1.0.
inline constexpr std::array<ColorVision, 4> kColorVisions = {{
    {"normal", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
}};

/// A difference of 2.3 in CIE Lab is just noticeable between large fields that touch (Mahy, Van Eycken and Oosterlinck,
/// 1994). Bars are a few pixels wide, do not touch, and are compared with a legend; hence eight times that.
inline constexpr double kMinDifference = 8 * 2.3;

inline Triple multiply(const std::array<Triple, 3> &matrix, const Triple &v)
{
    Triple out{};
    for (std::size_t i = 0; i < 3; ++i)
        out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
    return out;
}

/// CIE 1976 L*a*b* of an sRGB colour (white point D65) as these eyes see it.
inline Triple labOf(const QColor &color, const ColorVision &vision)
{
    const auto linear = [](double channel) {
        return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    Triple rgb = multiply(vision.matrix, {linear(color.redF()), linear(color.greenF()), linear(color.blueF())});
    for (double &channel : rgb)
        channel = std::clamp(channel, 0.0, 1.0);
    const Triple xyz = multiply(
        {{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}},
        rgb);
    const auto f = [](double t) {
        constexpr double kDelta = 6.0 / 29;
        return t > kDelta * kDelta * kDelta ? std::cbrt(t) : t / (3 * kDelta * kDelta) + 4.0 / 29;
    };
    const double x = f(xyz[0] / 0.95047);
    const double y = f(xyz[1]);
    const double z = f(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// Distance in CIE Lab.
inline double difference(const QColor &a, const QColor &b, const ColorVision &vision)
{
    const Triple p = labOf(a, vision);
    const Triple q = labOf(b, vision);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

} // namespace jetscope::test
