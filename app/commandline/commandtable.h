// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// One command: parser, help and main are all made from this table.
struct CommandRow {
    Command command;
    std::string_view name;     ///< Empty for the window, which opens without a command.
    std::string_view operands; ///< The words that follow: "IN OUT"; those in brackets may be left out.
    std::string_view help;     ///< One line in the list of commands.
    std::string_view text;     ///< The notes, with "{lists}" for the lines on options that take lists; may be empty.
    /// Gives the exit code of the program. Takes the words of main, since the window's toolkit has options of its own.
    int (*run)(int argc, char **argv, const Options &options);

    /// Whether the words from the first operand on are the command line of a program, with options of its own.
    bool takesProgram() const { return operands.ends_with("…]"); }
    /// Whether any number of words may follow the last one that is named.
    bool takesMany() const { return operands.find(" …") != std::string_view::npos && !takesProgram(); }
    /// Below the options in the command's own help; may be empty.
    std::string notes() const;
    std::size_t fewestOperands() const;
    std::size_t mostOperands() const;
};

/// In the order of the help.
std::span<const CommandRow> commandTable();
const CommandRow &commandRow(Command command);
/// "jetscope run"; "jetscope" for the window.
std::string commandName(Command command);

} // namespace jetscope
