-- A person may moderate one shop and only read another: a role of its own at a client. Null is the person's usual role, so
-- everybody keeps what they have.
alter table user_clients add column role text collate "C",
  add constraint user_clients_role_check check (role in ('admin', 'moderator', 'viewer'));
