// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

class QWidget;

namespace jetscope {

/// Makes a layout without margins, for a widget inside another one that has them. `spacing` -1: that of the style.
template <class Layout>
Layout *makeInnerLayout(QWidget *of, int spacing = -1)
{
    auto *layout = new Layout(of);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}

} // namespace jetscope
