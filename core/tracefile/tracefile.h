// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/system/database.h"
#include "core/system/temporaryfolder.h"
#include "core/trace/openedtrace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace jetscope {

/// A database opened for reading, even if its writer was killed or is still running. Reading a left-over -wal file
/// requires write access to the folder, and a -journal file takes back changes in the file: this then opens a copy in
/// the folder for temporary files.
class TraceFile {
public:
    /// A capture; anything else is an error.
    static Result<TraceFile> open(const std::string &path);
    /// Any database.
    static Result<TraceFile> openDatabase(const std::string &path);

    Database &database() { return m_database; }

private:
    TraceFile(Database database, std::optional<TemporaryFolder> copy)
        : m_copy(std::move(copy)), m_database(std::move(database))
    {
    }
    static Result<TemporaryFolder> copyOf(const std::string &path);

    std::optional<TemporaryFolder> m_copy; ///< Destroyed after the database is closed.
    Database m_database;
};

/// The value of a row of the table `device` of a capture, such as "frame_size"; empty if it has no such row.
Result<std::string> captureFact(const std::string &path, std::string_view name);

/// All of these rows.
Result<std::map<std::string, std::string>> captureFacts(const std::string &path);

/// Reads a whole capture. All content is checked: invalid content is an error, and no part of the file is then
/// returned. The newest part of a long capture is passed to OpenProgress::preview first. Any thread.
Result<OpenedTrace> readTraceFile(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans);

} // namespace jetscope
