// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/sources/sourcefamilies.h"

namespace jetscope {

Result<SourceCalls> streamCalls()
{
    return SourceCalls{checkStream, openStream};
}

Result<SourceCalls> csiCalls()
{
    return SourceCalls{checkCsi, openCsi};
}

} // namespace jetscope
