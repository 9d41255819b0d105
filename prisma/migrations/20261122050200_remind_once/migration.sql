-- An invitation is reminded of once, whatever runs at the same time, crashes or is retried: a fact of the database.
create unique index "invitations_client_id_reminder_of_key" on "invitations"("client_id", "reminder_of");
