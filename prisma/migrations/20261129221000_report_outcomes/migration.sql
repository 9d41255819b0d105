-- Who reports a review may give an address, to be notified of the outcome. It is deleted when that is sent.

alter table flags
  add column email text collate "C",
  add column email_key text collate "C",
  add column lang text collate "C";
create index flags_client_id_email_key_idx on flags (client_id, email_key) where email_key is not null;
