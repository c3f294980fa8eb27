-- SPDX-FileCopyrightText: 2026 The Jetscope authors
-- SPDX-License-Identifier: Apache-2.0
--
-- What a comparison of two builds reads of the table `runs`, in the SQL that DuckDB and Spark (3.4 and newer) have in
-- common. A statement begins with "-- @name". "chosen" becomes a table, which the others read. {a} and {b} are
-- conditions: which runs are of the old and of the new build; {compared}: which metrics; {distinct} is DISTINCT where a
-- run may be there twice; {once} and {all once} are empty, or further columns that say whether one is. The rows of all
-- other statements, as JSON, are what "jetscope fleet compare" takes in place of a folder.

-- @wrong
SELECT count(*) AS wrong FROM runs
WHERE run IS NULL OR run = '' OR board IS NULL OR board = '' OR metric IS NULL OR metric = '' OR value IS NULL
   OR value - value <> 0 OR n IS NULL OR commit IS NULL OR soc IS NULL OR jetpack IS NULL OR power_mode IS NULL
   OR config_hash IS NULL OR date IS NULL OR unit IS NULL OR least IS NULL OR compared IS NULL
   OR direction IS NULL OR direction NOT IN ('lower', 'higher') OR scale IS NULL OR scale NOT IN ('ratio', 'difference')

-- @chosen
SELECT {distinct} run, board, date, soc, jetpack, power_mode, config_hash, metric, unit, direction, scale, least, value,
       {a} AS a, {b} AS b,
       CASE WHEN throttled THEN 2 WHEN clocks_locked THEN 0 WHEN NOT clocks_locked THEN 3
            WHEN soc LIKE 'tegra%' THEN 4 ELSE 1 END AS state
FROM runs WHERE ({a} OR {b}) AND {compared}

-- @boards
SELECT 'board' AS kind, soc, jetpack, power_mode, config_hash, metric, min(unit) AS unit, min(direction) AS direction,
       min(scale) AS scale, min(least) AS least, board AS name,
       CASE WHEN chosen.a THEN array_agg(value) END AS a, CASE WHEN chosen.b THEN array_agg(value) END AS b
FROM chosen WHERE state < 2 GROUP BY soc, jetpack, power_mode, config_hash, metric, board, chosen.a, chosen.b

-- @days
SELECT 'day' AS kind, soc, jetpack, power_mode, config_hash, metric, min(unit) AS unit, min(direction) AS direction,
       min(scale) AS scale, min(least) AS least, date AS name,
       median(value) FILTER (WHERE a) AS a, median(value) FILTER (WHERE b) AS b
FROM chosen WHERE state < 2 GROUP BY soc, jetpack, power_mode, config_hash, metric, date

-- @runs
SELECT 'runs' AS kind, count(CASE WHEN a THEN 1 END) AS a, count(CASE WHEN b THEN 1 END) AS b,
       count(CASE WHEN unknown THEN 1 END) AS unknown{all once}
FROM (SELECT run, bool_or(a AND state < 2) AS a, bool_or(b AND state < 2) AS b, bool_or(state = 1) AS unknown{once}
      FROM chosen GROUP BY run) AS each_run

-- @left out
SELECT DISTINCT 'left out' AS kind, state, run FROM chosen WHERE state >= 2

-- @commits
SELECT DISTINCT 'commit' AS kind, commit FROM runs
