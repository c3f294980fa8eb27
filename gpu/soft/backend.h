// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/backends.h"

namespace jetscope {

Backend softBackend();

} // namespace jetscope
