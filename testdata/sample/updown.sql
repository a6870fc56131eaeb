SELECT * FROM (VALUES ('a', 1, 90), ('a', 2, 80), ('b', 1, 70), ('b', 2, 5), ('b', 3, 60)) AS t (sym, day, price)
MATCH_RECOGNIZE (PARTITION BY sym ORDER BY day MEASURES COUNT(*) AS n
  PATTERN ((UP? | LOW)+) DEFINE UP AS price > 50, LOW AS price < 10) AS m
