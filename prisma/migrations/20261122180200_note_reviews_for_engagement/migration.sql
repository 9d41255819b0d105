-- Something happened to a review of a client with an engagement platform. The fact is written here and not listened to as
-- it is, so that the submissions of all other clients start no run: they pay for one look.

create function note_reviews_for_engagement() returns trigger language plpgsql as $$
begin
  if not exists (select from written w join integrations i on i.client_id = w.client_id and i.type = 'engagement') then
    return null;
  end if;
  insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
  select w.client_id, 'engagement/review', jsonb_build_object('client_id', w.client_id, 'review_id', w.data -> 'review_id'),
         w.available_at, w.origin_id, w.clock_at
    from written w
    join integrations i on i.client_id = w.client_id and i.type = 'engagement'
   where w.name in ('review/submitted', 'review/verified', 'review/decided', 'review/deleted')
   order by w.id;
  return null;
end
$$;
create trigger outbox_note_reviews_for_engagement after insert on outbox
  referencing new table as written for each statement execute function note_reviews_for_engagement();
