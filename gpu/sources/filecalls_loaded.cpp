// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcemodules.h"

namespace jetscope {

Result<SourceCalls> fileCalls()
{
    static const Result<const FilesModule *> module = loadModuleAs<FilesModule>(
        {"files", "the reader of files", "install Jetscope again, or use synthetic: for the test card"});
    return module.ok() ? Result<SourceCalls>(module.value()->file) : module.error();
}

} // namespace jetscope
