// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcemodules.h"

extern "C" const jetscope::StreamsModule jetscopeModule{
    {JETSCOPE_VERSION}, {jetscope::checkStream, jetscope::openStream}, {jetscope::checkCsi, jetscope::openCsi}};
