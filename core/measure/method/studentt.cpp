// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/method/studentt.h"

#include <cmath>
#include <limits>

namespace jetscope {

namespace {

double awayFromZero(double value)
{
    constexpr double kTiny = 1e-300;
    return std::abs(value) < kTiny ? kTiny : value;
}

/// Continued fraction of the incomplete beta function (Lentz's method); converges for x < (a + 1) / (a + b + 2).
double betaFraction(double a, double b, double x)
{
    double c = 1;
    double d = 1 / awayFromZero(1 - (a + b) * x / (a + 1));
    double fraction = d;
    for (int m = 1; m <= 300; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / awayFromZero(1 + even * d);
        c = awayFromZero(1 + even / c);
        fraction *= c * d;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / awayFromZero(1 + odd * d);
        c = awayFromZero(1 + odd / c);
        fraction *= c * d;
        if (std::abs(c * d - 1) < 1e-14)
            break;
    }
    return fraction;
}

double incompleteBeta(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a : 1 - front * betaFraction(b, a, 1 - x) / b;
}

} // namespace

double studentTail(double t, double degrees)
{
    return degrees > 0 ? incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2 : 0.5;
}

double studentQuantile(double upperTail, double degrees)
{
    if (!(degrees > 0) || !(upperTail > 0))
        return std::numeric_limits<double>::infinity();
    double low = 0;
    double high = 2;
    while (studentTail(high, degrees) > upperTail && high < 1e12) {
        low = high;
        high *= 4;
    }
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (studentTail(middle, degrees) > upperTail ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace jetscope
