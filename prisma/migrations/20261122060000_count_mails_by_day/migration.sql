-- The funnel counts the mails of some days; without this it read all mails that the client ever sent.

create index "invitations_client_id_day_idx" on "invitations" ("client_id", "day");
