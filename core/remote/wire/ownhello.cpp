// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/buildid.h"
#include "core/remote/wire/contents.h"
#include "core/remote/wire/packing.h"
#include "core/system/sysfile.h"
#include "core/time/clock.h"

#include <sys/utsname.h>
#include <unistd.h>

namespace jetscope {

Hello ownHello()
{
    Hello hello;
    hello.build = buildId();
    if (utsname system{}; uname(&system) == 0)
        hello.arch = system.machine;
    hello.bootId = lineOf("/proc/sys/kernel/random/boot_id");
    hello.pid = static_cast<std::uint32_t>(getpid());
    hello.nowNs = nowNs();
    if (packsMessages())
        hello.features.emplace_back(kZstdFeature);
    return hello;
}

} // namespace jetscope
