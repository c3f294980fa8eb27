// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jetscope {

/// The file reduce.sql.
extern const std::string_view kReduceSql;

} // namespace jetscope
