-- Keyed hashes of people who were erased can never be made anew, so the secret that they are made with must stay the same for
-- as long as the installation lives. Which one that is stands here, by its id: a start with another is refused, since
-- whoever asked for no more mail would be unknown to it.
create table "lasting_secret" (
  "one" boolean primary key default true check ("one"),
  "key_id" text not null check ("key_id" ~ '^[0-9a-f]{8}$'),
  "noted_at" timestamptz(3) not null default now()
);
