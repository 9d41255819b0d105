-- What people decide about asking for an item: hold it back (for good, or until a day), let it go, send its mail now.

alter table order_items add column held_until date;
alter table invitations add column by_hand boolean not null default false;

-- Who decided what, and when. It goes with the item.
create table item_notes (
  client_id text collate "C" not null,
  order_id text collate "C" not null,
  item_id text collate "C" not null,
  id bigint generated always as identity,
  action text collate "C" not null,
  until date,
  actor_kind text collate "C" not null,
  actor_id text collate "C",
  at timestamptz(3) not null default current_timestamp,
  constraint item_notes_pkey primary key (client_id, order_id, item_id, id),
  constraint item_notes_action_check check (action in ('held', 'released', 'sent')),
  constraint item_notes_client_id_order_id_item_id_fkey foreign key (client_id, order_id, item_id)
    references order_items (client_id, order_id, id) on delete cascade on update cascade
);
