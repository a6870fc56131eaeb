-- Every V in the price of a share: it falls, then it rises.
SELECT m.symbol, m.matchno, m.startp, m.bottomp, m.endp, m.avgp
FROM ticker MATCH_RECOGNIZE (
  PARTITION BY symbol
  ORDER BY tradeday
  MEASURES
    MATCH_NUMBER() AS matchno,
    A.price        AS startp,
    LAST(B.price)  AS bottomp,
    LAST(C.price)  AS endp,
    AVG(U.price)   AS avgp
  ONE ROW PER MATCH
  AFTER MATCH SKIP PAST LAST ROW
  PATTERN (A B+ C+)
  SUBSET U = (A, B, C)
  DEFINE
    B AS B.price < PREV(B.price),
    C AS C.price > PREV(C.price)
) AS m
