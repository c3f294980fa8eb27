// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/mjpegserver.h"

#include <string>
#include <vector>

namespace jetscope::testing {

/// A web server that shows pictures as some do, or fails as some do.
struct MjpegVariant {
    std::string name;
    MjpegServer::Behaviour behaviour;
    std::string fails{};      ///< A part of the sentence that is said; empty if there are pictures.
    const char *counted = ""; ///< "damaged" or "torn": the parts between the pictures are counted as that.
    std::string login{};      ///< "NAME:PASSWORD@" in the address.
};

/// The pictures are of 64×48 pixels and the grey value 200.
std::vector<MjpegVariant> mjpegVariants();

} // namespace jetscope::testing
