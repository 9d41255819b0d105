-- Texts that a shop's people reply with again and again, with places for the author's name and the like.
create table reply_templates (
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  id text collate "C" not null,
  name text collate "C" not null,
  text text collate "C" not null,
  user_id text collate "C",
  created_at timestamptz(3) not null default current_timestamp,
  constraint reply_templates_pkey primary key (client_id, id)
);
create unique index reply_templates_client_id_name_key on reply_templates (client_id, name);
