-- People who sign in: how to reach them, where they are signed in, and links by which they set a password.

-- `email_key` is the address as it is compared; whoever forgot a password may name it in any spelling.
alter table users
  add column name text collate "C",
  add column email_key text collate "C";
create index users_email_key_idx on users (email_key) where email_key is not null;

-- The version of the person that a session began with (or was carried over to, when the person changed the password in
-- it): raising users.session_version ends every other one.
alter table portal_sessions add column session_version integer not null default 1;
create trigger portal_sessions_tell_caches after update of ended_at, session_version or delete on portal_sessions
  for each row execute function tell_caches('user', 'user_id');

-- A mailed link by which a person sets a password, once; the hash of its secret only.
create table password_links (
  hash text collate "C" not null,
  user_id text collate "C" not null references users (id) on delete cascade on update cascade,
  kind text collate "C" not null,
  created_at timestamptz(3) not null default current_timestamp,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  constraint password_links_pkey primary key (hash),
  constraint password_links_kind_check check (kind in ('invitation', 'reset'))
);
create index password_links_user_id_idx on password_links (user_id);

-- What concerns a whole account stands in no client's log; those who reach the account see it with theirs.
create index audit_entries_account_idx on audit_entries (account_id, at, id) where (client_id is null);
