// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/window.h"

#include "app/commandline/commands.h"
#include "app/commandline/console.h"

namespace jetscope {

namespace {
constexpr const char *kHowToGetOne =
    "this build has no window; configure it with -DJETSCOPE_UI=ON (it needs Qt Widgets and "
    "OpenGLWidgets), or use \"jetscope run\"";
}

Capability windowCapability()
{
    return Capability::no(kHowToGetOne);
}

int windowCommand(int, char **, const Options &)
{
    complain(kHowToGetOne);
    return WrongUsage;
}

int showClock(int, char **, const ClockWork &)
{
    complain(kHowToGetOne);
    return WrongUsage;
}

int askPassCommand(int, char **)
{
    return Failed;
}

} // namespace jetscope
