// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/database.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace jetscope {

/// A capture opened for reading, even if its writer was killed or is still running. Reading a leftover -wal file
/// requires write access to the folder; without it, this opens a copy in the folder for temporary files.
class TraceFile {
public:
    static Result<TraceFile> open(const std::string &path);

    Database &database() { return m_database; }

private:
    struct RemoveFolder {
        void operator()(const std::string *folder) const;
    };
    /// Removes the folder and its content on destruction.
    using TemporaryFolder = std::unique_ptr<const std::string, RemoveFolder>;

    TraceFile(Database database, TemporaryFolder copy) : m_copy(std::move(copy)), m_database(std::move(database)) {}
    static Result<TemporaryFolder> copyOf(const std::string &path);

    TemporaryFolder m_copy; ///< Null without a copy. Destroyed after the database is closed.
    Database m_database;
};

/// The value of a row of the table `device` of a capture, such as "frame_size"; empty if it has no such row.
Result<std::string> captureFact(const std::string &path, std::string_view name);

} // namespace jetscope
