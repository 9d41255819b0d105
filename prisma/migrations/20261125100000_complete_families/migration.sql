-- Reviews of an order's item that the catalogue doesn't know were stored without a family. The job that has reviews follow
-- orders gives them the one that such reviews have had since, in batches: here it is told of which products.

INSERT INTO "outbox" ("client_id", "name", "data")
SELECT "client_id", 'order/family_given', jsonb_build_object('client_id', "client_id", 'product_ids', jsonb_agg("product_id"))
  FROM (
    SELECT "client_id", "product_id", (row_number() OVER (PARTITION BY "client_id" ORDER BY "product_id") - 1) / 100 AS "part"
      FROM (
        SELECT DISTINCT r."client_id", r."product_id" FROM "reviews" r
         WHERE r."family_id" IS NULL AND r."product_id" IS NOT NULL AND r."order_id" IS NOT NULL
           AND NOT EXISTS (SELECT FROM "products" p WHERE p."client_id" = r."client_id" AND p."id" = r."product_id")) found) parts
 GROUP BY "client_id", "part";
