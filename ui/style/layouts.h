// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace jetscope {

/// A layout of a widget inside another one: without margins, which the outer one has. `spacing` -1 is the style's.
template <class Layout>
Layout *makeInnerLayout(QWidget *of, int spacing = -1)
{
    auto *layout = new Layout(of);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}

} // namespace jetscope
