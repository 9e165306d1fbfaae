# What each table of a report must hold: its name and the columns that are its key, then the query.
# r has the runs, with the gaps g to the optimum and b to the bound; m the peaks averaged over seeds.
== instances family
SELECT family, count(DISTINCT digest) AS instances,
  count(DISTINCT CASE WHEN optimum IS NOT NULL THEN digest END) AS proven,
  min(buffers) AS "fewest buffers", max(buffers) AS "most buffers", count(*) AS runs
FROM r GROUP BY family
== outcomes planner
SELECT planner, count(*) AS runs, count(peak) AS plans,
  count(*) FILTER (status IN ('OPTIMAL', 'INFEASIBLE')) AS proven,
  count(*) FILTER (outcome = 'refused') AS refused,
  count(*) FILTER (outcome NOT IN ('done', 'refused')) AS failed,
  median(seconds) AS seconds
FROM r GROUP BY planner
== gap planner
SELECT planner, median(g) AS median, count(g) AS runs, count(*) FILTER (g = 0) AS optimal,
  avg(g) AS mean, exp(avg(ln(1 + g))) - 1 AS "geometric mean", max(g) AS worst
FROM r GROUP BY planner
== gap-by-family family planner
SELECT family, planner, count(g) AS runs, count(*) FILTER (g = 0) AS optimal,
  avg(g) AS mean, exp(avg(ln(1 + g))) - 1 AS "geometric mean", max(g) AS worst
FROM r GROUP BY ALL
== profile planner
WITH best AS (SELECT digest, min(peak) AS best FROM m GROUP BY digest),
  q AS (SELECT planner, peak / best AS q FROM m JOIN best USING (digest)),
  n AS (SELECT count(*) AS n FROM best)
SELECT planner, count(*) FILTER (q <= 1) / any_value(n) AS lowest,
  count(*) FILTER (q <= 1.01) / any_value(n) AS "within 1 %",
  count(*) FILTER (q <= 1.05) / any_value(n) AS "within 5 %",
  count(*) FILTER (q <= 1.1) / any_value(n) AS "within 10 %",
  count(*) FILTER (q <= 1.25) / any_value(n) AS "within 25 %",
  count(*) / any_value(n) AS "any plan"
FROM q, n GROUP BY planner
== proofs planner
SELECT planner, count(*) AS runs, count(proofSeconds) AS proven,
  count(proofSeconds) / count(*) AS "proven (%)",
  median(proofSeconds) AS "median (s)", max(proofSeconds) AS "longest (s)"
FROM r GROUP BY planner HAVING count(proofSeconds) > 0
== scaling planner
WITH l AS (SELECT planner, buffers, log10(buffers) AS x, log10(seconds) AS y FROM r
  WHERE peak IS NOT NULL)
SELECT planner, count(*) AS runs, min(buffers) AS "fewest buffers", max(buffers) AS "most buffers",
  regr_slope(y, x) AS exponent, regr_r2(y, x) AS "R²"
FROM l GROUP BY planner
== worst planner instance seed
SELECT planner, instance, family, seed, buffers, peak, bestBound AS bound, b AS "gap (%)",
  CASE WHEN optimum IS NULL THEN 'a bound' ELSE 'the optimum' END AS "bound is"
FROM r WHERE b > 0 QUALIFY row_number() OVER (PARTITION BY planner ORDER BY b DESC) <= 3
== pairs first second
SELECT x.planner AS first, y.planner AS second, count(*) AS instances,
  count(*) FILTER (x.peak < y.peak) AS wins, count(*) FILTER (x.peak = y.peak) AS ties,
  count(*) FILTER (x.peak > y.peak) AS losses, exp(avg(ln(x.peak / y.peak))) AS ratio
FROM m x JOIN m y USING (digest) GROUP BY ALL
