// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope::test {

/// The SQL of an export of Nsight Systems, made of parts so that each version and each damage is a few words.
class NsysExport {
public:
    NsysExport()
    {
        add("CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL)");
        add("INSERT INTO StringIds VALUES(1,'cudaLaunchKernel_v7000'),(2,'blur'),(3,'glDrawArrays'),(4,'glFinish'),"
            "(5,'poll'),(6,'ioctl'),(7,'cam'),(8,'work'),(9,'vkQueueSubmit'),(10,'vkWaitForFences'),(11,'MPI_Wait'),"
            "(12,'eglSwapBuffers')");
    }

    NsysExport &add(const std::string &sql)
    {
        m_sql += sql + ";\n";
        return *this;
    }
    const std::string &sql() const { return m_sql; }

    static std::string thread(int number = 17) { return "((4242<<24)+" + std::to_string(number) + ")"; }
    static std::string process() { return "(4242<<24)"; }

    /// Ten rows, one every 1000000 ns: `values` with {0} for the begin, {1} for the end, {i} for the number.
    NsysExport &rows(const std::string &table, const std::string &values, int fromNs = 0, int toNs = 100'000)
    {
        for (int i = 0; i < 10; ++i) {
            std::string row = values;
            const auto put = [&row](const std::string &what, const std::string &with) {
                for (std::size_t at = row.find(what); at != std::string::npos; at = row.find(what))
                    row.replace(at, what.size(), with);
            };
            put("{0}", std::to_string(1'000'000'000 + i * 1'000'000 + fromNs));
            put("{1}", std::to_string(1'000'000'000 + i * 1'000'000 + toNs));
            put("{i}", std::to_string(i));
            put("{t}", thread());
            put("{p}", process());
            add("INSERT INTO " + table + " VALUES(" + row + ")");
        }
        return *this;
    }

    NsysExport &calls()
    {
        add("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass "
            "INTEGER, "
            "globalTid INTEGER, correlationId INTEGER, nameId INTEGER NOT NULL)");
        return rows("CUPTI_ACTIVITY_KIND_RUNTIME", "{0},{1},0,{t},{i},1", 0, 10'000);
    }
    NsysExport &kernels(const std::string &table = "CUPTI_ACTIVITY_KIND_KERNEL")
    {
        add("CREATE TABLE " + table
            + "(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId "
              "INTEGER, correlationId INTEGER, globalPid INTEGER, shortName INTEGER)");
        return rows(table, "{0},{1},0,1,7,{i},{p},2", 20'000, 220'000);
    }
    NsysExport &ranges()
    {
        add("CREATE TABLE NVTX_EVENTS(start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId "
            "INTEGER, "
            "category INTEGER, text TEXT, globalTid INTEGER, textId INTEGER, domainId INTEGER)");
        return rows("NVTX_EVENTS", "{0},{1},59,NULL,NULL,'frame {i}',{t},NULL,0", 0, 900'000);
    }
    NsysExport &systemCalls()
    {
        add("CREATE TABLE OSRT_API(start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER, globalTid "
            "INTEGER, "
            "nameId INTEGER NOT NULL, nestingLevel INTEGER)");
        return rows("OSRT_API", "{0},{1},27,{t},5,0", 600'000, 800'000)
            .rows("OSRT_API", "{0},{1},27,{t},6,0", 300'000, 350'000);
    }
    NsysExport &graphics(const std::string &api, const std::string &work, int call, int wait)
    {
        const std::string columns = "(start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, correlationId "
                                    "INTEGER, nameId INTEGER NOT NULL, contextId INTEGER, gpu INTEGER)";
        add("CREATE TABLE " + api + columns).add("CREATE TABLE " + work + columns);
        return rows(api, "{0},{1},{t},{i}," + std::to_string(call) + ",1,0", 230'000, 240'000)
            .rows(api, "{0},{1},{t},{i}+100," + std::to_string(wait) + ",1,0", 250'000, 500'000)
            .rows(work, "{0},{1},{t},{i}," + std::to_string(call) + ",1,0", 260'000, 490'000);
    }

private:
    std::string m_sql;
};

} // namespace jetscope::test
