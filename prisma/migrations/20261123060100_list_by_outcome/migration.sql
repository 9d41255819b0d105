-- Logs are read by what became of an entry, mostly by what is rare: without these, the few that failed among a million are
-- found by looking at all of them.
create index deliveries_outcome_idx on deliveries (client_id, type, outcome, created_at, id);
create index webhook_deliveries_state_idx on webhook_deliveries (client_id, webhook_id, state, id);
-- Kept mails are few where a mail service is set up.
create index mails_kept_idx on mails (created_at, id) where status = 'kept';
