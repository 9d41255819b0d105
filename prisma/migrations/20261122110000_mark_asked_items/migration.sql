-- An hour's run looked up again and again that every item of the last weeks had been asked for: seconds for a million.
-- What has been asked for is marked, and the planner walks over the rest only. A trigger keeps the mark, whoever writes.

alter table "order_items" add column "asked" boolean not null default false;

update "order_items" i set asked = true
  from "invitation_items" a
 where a.client_id = i.client_id and a.order_id = i.order_id and a.item_id = i.id;

create index "order_items_unasked_idx" on "order_items"("client_id", "delivery_date", "order_id", "id")
  where (reviewable and delivery_date is not null and not asked);

-- Rows in the order of their keys, as whoever else writes several items has them.
create function mark_asked_items() returns trigger language plpgsql as $$
begin
  with touched as (
    select i.client_id, i.order_id, i.id
      from changed a
      join order_items i on i.client_id = a.client_id and i.order_id = a.order_id and i.id = a.item_id
     where i.asked is distinct from (tg_op = 'INSERT')
     order by i.client_id, i.order_id, i.id for no key update of i
  )
  update order_items i set asked = (tg_op = 'INSERT')
    from touched t where i.client_id = t.client_id and i.order_id = t.order_id and i.id = t.id;
  return null;
end $$;

create trigger invitation_items_asked after insert on invitation_items
  referencing new table as changed for each statement execute function mark_asked_items();
create trigger invitation_items_freed after delete on invitation_items
  referencing old table as changed for each statement execute function mark_asked_items();
