-- An invitation is reminded of once, whatever runs at the same time, crashes or is retried: a fact of the database.
create unique index "invitations_client_id_reminder_of_key" on "invitations"("client_id", "reminder_of");

-- The planner of reminders walks over the days on which mails went that nobody has answered.
create index "invitations_client_id_day_idx" on "invitations"("client_id", "day")
  where (status = 'sent' and kind = 'invitation' and reviewed_at is null);
