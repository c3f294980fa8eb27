// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// A part of the program in a library of its own, libjetscope-NAME.so, which is loaded when it is first needed and
/// stays loaded. Without it a start opens none of the libraries that only this part needs, and a package may leave it
/// out. A module calls the functions of the program, which exports them, so only the program itself can load one.
struct Module {
    const char *name;   ///< "window"
    const char *what;   ///< The subject of an error: "the window"
    const char *remedy; ///< What to do if it is not installed: "install the package jetscope"
};

/// The first member of the table of functions that a module defines: `extern "C" const SomeTable jetscopeModule`.
struct ModuleHead {
    const char *version; ///< Must be the program's, because modules share its C++ types.
};

/// The table of the module; it is valid until the program ends. Any thread. The error says whether the module is not
/// installed, of another version, or cannot be loaded, and names the library that is missing.
Result<const ModuleHead *> loadModule(const Module &module);

/// The same as the module's own type of table.
template <class Table>
Result<const Table *> loadModuleAs(const Module &module)
{
    JETSCOPE_TRY_ASSIGN(const ModuleHead *head, loadModule(module));
    return static_cast<const Table *>(head);
}

/// The path of a library that belongs to the program: beside the program (in a build), or where it is installed. Empty
/// if it is in neither place.
std::string findOwnLibrary(const std::string &fileName);

/// The folder of the program.
std::string programFolder();

} // namespace jetscope
