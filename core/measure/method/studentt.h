// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// The t with P(T > t) = `upperTail` for Student's distribution. `upperTail` is in (0, 0.5]; `degrees` of freedom are
/// positive and need not be whole. Infinite if there is no degree of freedom.
double studentQuantile(double upperTail, double degrees);

/// P(T > t) for a `t` of 0 or more.
double studentTail(double t, double degrees);

} // namespace jetscope
