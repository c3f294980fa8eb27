// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "app/commandline/commands.h"
#include "app/commandline/console.h"
#include "app/window.h"

namespace jetscope {

namespace {

const Result<const WindowModule *> &windowModule()
{
    static const Result<const WindowModule *> module = loadModuleAs<WindowModule>(
        {"window", "the window", "install the package jetscope, or use \"jetscope run\", which needs no window"});
    return module;
}

} // namespace

Capability windowCapability()
{
    const Result<const WindowModule *> &module = windowModule();
    return module.ok() ? module.value()->capability() : Capability::no(module.error().message());
}

int windowCommand(int argc, char **argv, const Options &options)
{
    const Result<const WindowModule *> &module = windowModule();
    return module.ok() ? module.value()->command(argc, argv, options) : complain(module.error(), WrongUsage);
}

int showClock(int argc, char **argv, const ClockWork &work)
{
    const Result<const WindowModule *> &module = windowModule();
    return module.ok() ? module.value()->clock(argc, argv, work) : complain(module.error(), WrongUsage);
}

int askPassCommand(int argc, char **argv)
{
    const Result<const WindowModule *> &module = windowModule();
    return module.ok() ? module.value()->askPass(argc, argv) : static_cast<int>(Failed);
}

} // namespace jetscope
