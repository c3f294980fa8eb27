// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowrequest.h"

#include "gpu/sources/framesource.h"

namespace jetscope {

SessionRequest windowRequest(const WindowOptions &options, SessionRequest settings)
{
    SessionRequest request = std::move(settings);
    if (options.source)
        request.source = *options.source;
    if (options.deviceId)
        request.deviceId = *options.deviceId;
    request.asksFirst = !options.source && isOwnPipeline(request.source);
    request.fixed = options.settings;
    request.frameLimit = options.frameLimit;
    return request;
}

} // namespace jetscope
