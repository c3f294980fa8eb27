// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

Result<SourceCalls> fileCalls()
{
    return SourceCalls{checkFile, openFile};
}

} // namespace jetscope
