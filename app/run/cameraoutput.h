// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/lab/camerasreport.h"

#include <string>

namespace jetscope {

std::string camerasText(const CamerasReport &report);
JsonObject camerasJson(const CamerasReport &report);

} // namespace jetscope
