-- The display lists a product's or a family's accepted reviews in four orders and pages on by key, so each order has an
-- index to begin in. One by score serves both directions and the choice of scores: there are but five, each of which is
-- read newest first. Reviews with photos are few: they have an index of their own.
create index "reviews_product_scored_idx" on "reviews"("client_id", "product_id", "score", "date", "created_at", "id")
  where (accepted);
create index "reviews_family_scored_idx" on "reviews"("client_id", "family_id", "score", "date", "created_at", "id")
  where (accepted);
create index "reviews_product_helpful_idx" on "reviews"("client_id", "product_id", ("votes_up" - "votes_down"), "date", "created_at", "id")
  where (accepted);
create index "reviews_family_helpful_idx" on "reviews"("client_id", "family_id", ("votes_up" - "votes_down"), "date", "created_at", "id")
  where (accepted);
create index "reviews_product_photos_idx" on "reviews"("client_id", "product_id", "date", "created_at", "id")
  where (accepted and images <> '[]'::jsonb);
create index "reviews_family_photos_idx" on "reviews"("client_id", "family_id", "date", "created_at", "id")
  where (accepted and images <> '[]'::jsonb);

-- Reviews of the seller: all of them, or those of chosen scores.
create index "seller_reviews_shown_idx" on "seller_reviews"("client_id", "date", "created_at", "id") where (accepted);
create index "seller_reviews_scored_idx" on "seller_reviews"("client_id", "score", "date", "created_at", "id") where (accepted);
