// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcemodules.h"

namespace jetscope {

namespace {
const Result<const StreamsModule *> &streamsModule()
{
    static const Result<const StreamsModule *> module = loadModuleAs<StreamsModule>(
        {"streams", "the reader of streams", "install Jetscope again, or use synthetic: or v4l2:"});
    return module;
}
} // namespace

Result<SourceCalls> streamCalls()
{
    JETSCOPE_TRY_ASSIGN(const StreamsModule *module, streamsModule());
    return module->stream;
}

Result<SourceCalls> csiCalls()
{
    JETSCOPE_TRY_ASSIGN(const StreamsModule *module, streamsModule());
    return module->csi;
}

} // namespace jetscope
