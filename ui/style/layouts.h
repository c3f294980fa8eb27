// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/style/theme.h"

#include <QFontInfo>
#include <QWidget>

#include <algorithm>

namespace jetscope {

/// A width that was chosen for the usual font, for the one that the widget has.
inline int scaledToFont(const QWidget &widget, int pixels)
{
    return pixels * std::max(kWindowFontPixels, QFontInfo(widget.font()).pixelSize()) / kWindowFontPixels;
}

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
