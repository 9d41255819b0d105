-- A review that was changed counts otherwise in what its contact is told: so the engagement platform hears of changes and of what
-- the API brought, too, and whether there was more than a decision.

create or replace function note_reviews_for_engagement() returns trigger language plpgsql as $$
begin
  if not exists (select from written w join integrations i on i.client_id = w.client_id and i.type = 'engagement') then
    return null;
  end if;
  insert into outbox (client_id, name, data, available_at, origin_id, clock_at)
  select w.client_id, 'engagement/review',
         jsonb_build_object('client_id', w.client_id, 'review_id', w.data -> 'review_id')
           || case when w.name = 'review/decided' then '{}' else '{"changed": true}' end::jsonb,
         w.available_at, w.origin_id, w.clock_at
    from written w
    join integrations i on i.client_id = w.client_id and i.type = 'engagement'
   where w.name in ('review/submitted', 'review/created', 'review/updated', 'review/verified', 'review/decided', 'review/deleted')
   order by w.id;
  return null;
end
$$;
