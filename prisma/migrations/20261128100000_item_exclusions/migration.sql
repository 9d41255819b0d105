-- Who excluded an item from invitations or included it again, in the item's history, and the indexes by which the
-- portal lists orders with excluded or paused items.

alter table item_notes drop constraint item_notes_action_check;
alter table item_notes add constraint item_notes_action_check
  check (action in ('held', 'released', 'sent', 'excluded', 'included'));

create index order_items_excluded_idx on order_items (client_id, order_id) where reviewable_set is false;
create index order_items_held_idx on order_items (client_id, order_id) where held_at is not null;
