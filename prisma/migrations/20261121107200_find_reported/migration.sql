-- Reviews that visitors reported, in the order of the portal's lists. Hardly any row is in it.
create index "reviews_reported_idx" on "reviews"("client_id", "created_at", "id") where (flag_count > 0);
