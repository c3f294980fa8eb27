// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>

namespace jetscope {

/// A street with houses, painted by code so that it is the same on every machine; or only the outlines in it.
QImage street(bool outlines);

} // namespace jetscope
