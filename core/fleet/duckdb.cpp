// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/duckdb.h"

#include "core/text/shorttext.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <utility>

namespace jetscope {

namespace {

using DuckIndex = std::uint64_t;
using DuckHandle = void *;

/// As the C interface of version 1 has it; only the last member is read, by the library.
struct DuckResult {
    DuckIndex columns = 0;
    DuckIndex rows = 0;
    DuckIndex changed = 0;
    void *columnData = nullptr;
    char *message = nullptr;
    void *internal = nullptr;
};

/// A text of a vector: up to 12 bytes lie in it, of more the first four and where all are.
struct DuckText {
    std::uint32_t length;
    std::array<char, 4> prefix;
    union {
        const char *all;
        char rest[8];
    };

    std::string_view view() const
    {
        return length <= 12 ? std::string_view(prefix.data(), length) : std::string_view(all, length);
    }
};
static_assert(sizeof(DuckText) == 16);

/// Where the elements of a row's list lie in the vector of all elements.
struct DuckList {
    std::uint64_t offset;
    std::uint64_t length;
};

struct DuckFunctions {
    const char *(*version)() = nullptr;
    int (*open)(const char *path, DuckHandle *database, DuckHandle config, char **error) = nullptr;
    void (*close)(DuckHandle *database) = nullptr;
    int (*connect)(DuckHandle database, DuckHandle *connection) = nullptr;
    void (*disconnect)(DuckHandle *connection) = nullptr;
    int (*prepare)(DuckHandle connection, const char *sql, DuckHandle *statement) = nullptr;
    const char *(*prepareError)(DuckHandle statement) = nullptr;
    void (*destroyPrepare)(DuckHandle *statement) = nullptr;
    int (*execute)(DuckHandle statement, DuckResult *result) = nullptr;
    const char *(*resultError)(DuckResult *result) = nullptr;
    void (*destroyResult)(DuckResult *result) = nullptr;
    DuckIndex (*columnCount)(DuckResult *result) = nullptr;
    int (*columnType)(DuckResult *result, DuckIndex column) = nullptr;
    DuckHandle (*fetchChunk)(DuckResult result) = nullptr;
    DuckIndex (*chunkSize)(DuckHandle chunk) = nullptr;
    DuckHandle (*chunkVector)(DuckHandle chunk, DuckIndex column) = nullptr;
    void *(*vectorData)(DuckHandle vector) = nullptr;
    std::uint64_t *(*vectorValidity)(DuckHandle vector) = nullptr;
    DuckHandle (*listChild)(DuckHandle vector) = nullptr;
    void (*destroyChunk)(DuckHandle *chunk) = nullptr;
    void (*free)(void *memory) = nullptr;
};

constexpr int kDuckText = 17; ///< DUCKDB_TYPE_VARCHAR
constexpr int kDuckList = 24; ///< DUCKDB_TYPE_LIST
constexpr const char *kDuckRemedy =
    "; it is the library of DuckDB 1.x, from its site or the packages of your distribution";

template <class Function>
bool takeSymbol(void *library, const char *name, Function &to, std::string &missing)
{
    void *const symbol = dlsym(library, name);
    std::memcpy(&to, &symbol, sizeof to);
    if (!symbol && missing.empty())
        missing = name;
    return symbol;
}

Result<DuckFunctions> loadDuckDb()
{
    void *const library = dlopen("libduckdb.so", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *const why = dlerror();
        return sentence(std::string(why ? why : "libduckdb.so cannot be loaded") + kDuckRemedy);
    }
    DuckFunctions f;
    std::string missing;
    takeSymbol(library, "duckdb_library_version", f.version, missing);
    takeSymbol(library, "duckdb_open_ext", f.open, missing);
    takeSymbol(library, "duckdb_close", f.close, missing);
    takeSymbol(library, "duckdb_connect", f.connect, missing);
    takeSymbol(library, "duckdb_disconnect", f.disconnect, missing);
    takeSymbol(library, "duckdb_prepare", f.prepare, missing);
    takeSymbol(library, "duckdb_prepare_error", f.prepareError, missing);
    takeSymbol(library, "duckdb_destroy_prepare", f.destroyPrepare, missing);
    takeSymbol(library, "duckdb_execute_prepared", f.execute, missing);
    takeSymbol(library, "duckdb_result_error", f.resultError, missing);
    takeSymbol(library, "duckdb_destroy_result", f.destroyResult, missing);
    takeSymbol(library, "duckdb_column_count", f.columnCount, missing);
    takeSymbol(library, "duckdb_column_type", f.columnType, missing);
    takeSymbol(library, "duckdb_fetch_chunk", f.fetchChunk, missing);
    takeSymbol(library, "duckdb_data_chunk_get_size", f.chunkSize, missing);
    takeSymbol(library, "duckdb_data_chunk_get_vector", f.chunkVector, missing);
    takeSymbol(library, "duckdb_vector_get_data", f.vectorData, missing);
    takeSymbol(library, "duckdb_vector_get_validity", f.vectorValidity, missing);
    takeSymbol(library, "duckdb_list_vector_get_child", f.listChild, missing);
    takeSymbol(library, "duckdb_destroy_data_chunk", f.destroyChunk, missing);
    takeSymbol(library, "duckdb_free", f.free, missing);
    if (!missing.empty())
        return sentence("libduckdb.so has no function " + missing + kDuckRemedy);
    if (const std::string_view version = f.version(); !version.starts_with("v1."))
        return sentence("libduckdb.so is " + quotedWords(version) + ", and 1.x is needed" + kDuckRemedy);
    return f;
}

const Result<DuckFunctions> &duckFunctions()
{
    static const Result<DuckFunctions> kFunctions = loadDuckDb();
    return kFunctions;
}

/// DuckDB's messages have several lines and repeat the statement.
std::string firstLineOf(const char *message)
{
    const std::string_view text = message ? message : "DuckDB does not say why";
    return std::string(shortText(text.substr(0, text.find('\n'))));
}

} // namespace

struct DuckDb::Parts {
    DuckFunctions f;
    DuckHandle database = nullptr;
    DuckHandle connection = nullptr;

    explicit Parts(const DuckFunctions &functions) : f(functions) {}
    Parts(const Parts &) = delete;
    Parts &operator=(const Parts &) = delete;
    ~Parts()
    {
        f.disconnect(&connection);
        f.close(&database);
    }

    /// Whether the first column is a text and the others are lists.
    bool hasTextAndLists(DuckResult &result) const
    {
        bool isGood = f.columnType(&result, 0) == kDuckText;
        for (DuckIndex column = 1; column < f.columnCount(&result); ++column)
            isGood = isGood && f.columnType(&result, column) == kDuckList;
        return isGood;
    }
    bool isNull(DuckHandle vector, DuckIndex row) const
    {
        const std::uint64_t *valid = f.vectorValidity(vector);
        return valid && (valid[row / 64] >> (row % 64) & 1U) == 0;
    }
    std::span<const double> listOf(DuckHandle vector, DuckIndex row) const
    {
        if (isNull(vector, row))
            return {};
        const DuckList list = static_cast<const DuckList *>(f.vectorData(vector))[row];
        return {static_cast<const double *>(f.vectorData(f.listChild(vector))) + list.offset, list.length};
    }
    /// The rows of a piece of the result.
    Status takeChunk(DuckHandle chunk, DuckIndex columns, const TakeRow &take) const
    {
        const DuckHandle texts = f.chunkVector(chunk, 0);
        const DuckIndex size = f.chunkSize(chunk);
        DuckRow to;
        for (DuckIndex row = 0; row < size; ++row) {
            to.text = isNull(texts, row) ? std::string_view()
                                         : static_cast<const DuckText *>(f.vectorData(texts))[row].view();
            to.lists.clear();
            for (DuckIndex column = 1; column < columns; ++column)
                to.lists.push_back(listOf(f.chunkVector(chunk, column), row));
            JETSCOPE_TRY(take(to));
        }
        return {};
    }
};

std::string sqlText(std::string_view text)
{
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'";
}

DuckDb::DuckDb(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}
DuckDb::~DuckDb() = default;
DuckDb::DuckDb(DuckDb &&) noexcept = default;

Result<std::string> DuckDb::version()
{
    const Result<DuckFunctions> &functions = duckFunctions();
    if (!functions.ok())
        return functions.error();
    return std::string(functions.value().version());
}

Result<DuckDb> DuckDb::open(const std::string &folder)
{
    const Result<DuckFunctions> &functions = duckFunctions();
    if (!functions.ok())
        return functions.error();
    auto parts = std::make_unique<Parts>(functions.value());
    char *error = nullptr;
    if (parts->f.open(nullptr, &parts->database, nullptr, &error) != 0) {
        const std::string why = firstLineOf(error);
        parts->f.free(error);
        return sentence("DuckDB does not start: " + why);
    }
    if (parts->f.connect(parts->database, &parts->connection) != 0)
        return sentence("DuckDB does not start");
    DuckDb database(std::move(parts));
    JETSCOPE_TRY(database.run("SET allowed_directories = [" + sqlText(folder) + "]"));
    JETSCOPE_TRY(database.run("SET enable_external_access = false"));
    JETSCOPE_TRY(database.run("SET lock_configuration = true"));
    return database;
}

Status DuckDb::run(const std::string &sql)
{
    return queryLists(sql, nullptr);
}

Status DuckDb::query(const std::string &sql, const std::function<Status(std::string_view text)> &take)
{
    return queryLists(sql, [&](const DuckRow &row) { return take(row.text); });
}

Status DuckDb::queryLists(const std::string &sql, const TakeRow &take)
{
    const DuckFunctions &f = m_parts->f;
    DuckHandle statement = nullptr;
    if (f.prepare(m_parts->connection, sql.c_str(), &statement) != 0) {
        Error error = sentence("DuckDB: " + firstLineOf(f.prepareError(statement)));
        f.destroyPrepare(&statement);
        return error;
    }
    DuckResult result;
    Status status;
    if (f.execute(statement, &result) != 0)
        status = sentence("DuckDB: " + firstLineOf(f.resultError(&result)));
    else if (take && !m_parts->hasTextAndLists(result))
        status = sentence("DuckDB: the columns are not a text and lists");
    while (take && status.ok()) {
        DuckHandle chunk = f.fetchChunk(result);
        if (!chunk)
            break;
        status = m_parts->takeChunk(chunk, f.columnCount(&result), take);
        f.destroyChunk(&chunk);
    }
    f.destroyResult(&result);
    f.destroyPrepare(&statement);
    return status;
}

} // namespace jetscope
