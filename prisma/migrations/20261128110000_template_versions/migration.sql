-- Versions of email templates: each saved text is kept, with the blocks it was made from, so that it can be restored.
-- Templates that were saved before get their first version with the next change.

create table template_versions (
  client_id text collate "C" not null,
  template text collate "C" not null,
  language text collate "C" not null,
  version integer not null,
  subject text collate "C",
  html_template text collate "C",
  text_template text collate "C",
  blocks jsonb,
  actor_kind text collate "C",
  actor_id text collate "C",
  created_at timestamptz(3) not null default current_timestamp,
  primary key (client_id, template, language, version)
);
alter table template_versions add constraint template_versions_client_id_fkey
  foreign key (client_id) references clients (id) on update cascade on delete cascade;
