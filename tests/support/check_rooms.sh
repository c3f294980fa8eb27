#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 The Jetscope authors
# SPDX-License-Identifier: Apache-2.0
#
# check_rooms.sh [ROOT] : compares the includes with the plan of the house, tests/support/rooms.txt, and prints each
# include that it does not allow, each allowance that nothing needs, each folder without a room and each loop.
set -u
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1
table=tests/support/rooms.txt

# plan : the table with its groups resolved, a line each: ROOM MAY-INCLUDE NAME-IN-THE-TABLE.
plan() {
    awk '
        /^(#|$)/ { next }
        $2 == "=" { for (i = 3; i <= NF; ++i) group[$1] = group[$1] " " $i; next }
        {
            room = $1
            sub(/:$/, "", room)
            print room, room, "-"
            n = split(group["$ground"], ground, " ")
            inGround = 0
            for (i = 1; i <= n; ++i) inGround += ground[i] == room
            for (i = 1; i <= n && !inGround; ++i) print room, ground[i], "-"
            for (i = 2; i <= NF; ++i) {
                m = split($i in group ? group[$i] : $i, rooms, " ")
                for (j = 1; j <= m; ++j) print room, rooms[j], $i
            }
        }' "$table"
}

plan=$(plan)

# includes : FILE:LINE:INCLUDED of all includes of our own headers.
includes() {
    find app core gpu ui -type f \( -name '*.h' -o -name '*.c' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 | sort -z |
        xargs -0 -r grep -nHoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(app|core|gpu|ui)/[^"]+"' | sed -E 's/:[^:"]*"/:/; s/"$//'
}

includes | awk -F: -v table="$table" -v plan="$plan" '
    function roomOf(path) {
        while (sub(/\/[^\/]*$/, "", path))
            if (path in known) return path
        return ""
    }
    BEGIN {
        n = split(plan, lines, "\n")
        for (i = 1; i <= n; ++i) {
            split(lines[i], part, " ")
            known[part[1]] = 1
            allowed[part[1], part[2]] = allowed[part[1], part[2]] part[3] " "
            if (part[3] != "-") needed[part[1] ": " part[3]] = 1
        }
    }
    {
        from = roomOf($1)
        to = roomOf($3)
        if (from == "" || to == "") {
            print (from == "" ? $1 : $3) ": its folder has no row in " table
        } else if (!((from, to) in allowed)) {
            print $1 ":" $2 ": " from " may not include " to ": see " table
        } else {
            m = split(allowed[from, to], names, " ")
            for (i = 1; i <= m; ++i) delete needed[from ": " names[i]]
        }
    }
    END { for (each in needed) print table ": " each " is allowed but not needed" }' | sort -u

awk '$1 != $2 { print $1, $2 }' <<<"$plan" | tsort 2>&1 >/dev/null |
    sed -n "s|^tsort: -: input contains a loop:|$table: these rooms include each other:|p; s|^tsort: ||p"
