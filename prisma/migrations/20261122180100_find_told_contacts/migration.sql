-- What a contact of the engagement platform was told of, and whose an interaction there is, is looked up by the platform's
-- own ids, with every review that is told.

create index "deliveries_client_id_remote_id_idx" on "deliveries"("client_id", "remote_id") where (remote_id is not null);
