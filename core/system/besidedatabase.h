// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <array>
#include <string>

namespace jetscope {

/// Files that SQLite keeps beside a database while it is written and leaves behind if the writer is killed. It reads
/// them by their names alone: beside another database of the same name their content would replace its own.
inline constexpr std::array<const char *, 3> kBesideDatabase{"-wal", "-shm", "-journal"};

/// Whether another process holds a lock on the file, as SQLite does while a database is in use. Not for a file that
/// this process has open in SQLite, because closing any descriptor of a file gives back the locks on it.
bool isInUse(const std::string &path);

/// Whether one of the files above exists beside this path.
bool hasBeside(const std::string &path);

/// Renames the files beside a database that is no longer there, or that is about to be replaced, to a free name
/// (k.jscope-wal.left-over), because an earlier database can be rescued with them. Returns a sentence for the user that
/// names them, or an empty text if there were none. The error names the remedy: they may be in use.
Result<std::string> moveBesideAway(const std::string &path);

/// The same if there is no file of this name; otherwise does nothing.
Result<std::string> moveLeftOversAway(const std::string &path);

/// What beside a database must not be read with it. SQLite stores nothing that connects the files, so this compares
/// what the database's header and the first page in the -wal or -journal file have in common. In doubt, a file belongs
/// to the database.
struct ForeignFiles {
    bool log = false;     ///< The -wal file.
    bool journal = false; ///< The -journal file.

    bool any() const { return log || journal; }
};
ForeignFiles foreignFilesBeside(const std::string &path);

/// A sentence that names them and the remedy; empty if there are none.
std::string textOfForeignFiles(const std::string &path, const ForeignFiles &foreign);

} // namespace jetscope
