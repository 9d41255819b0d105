-- What is taken back holds rows in the order in which everybody does: the webhook first, so that one which is just being
-- removed is waited for before anything of it is held, then what it was to be told, by key.
create or replace function take_back_webhooks() returns trigger language plpgsql as $$
begin
  if not exists (select from gone where relayed_at is null and available_at > now() + interval '1 ms') then return null; end if;
  perform 1 from webhooks w
    where (w.client_id, w.id) in (
      select d.client_id, d.webhook_id from webhook_deliveries d join gone g on g.id = d.fact_id
       where d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms')
    order by w.client_id, w.id for key share of w;
  perform 1 from webhook_deliveries d join gone g on g.id = d.fact_id
    where d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms'
    order by d.id for update of d;
  delete from webhook_deliveries d using gone g
   where d.fact_id = g.id and d.state = 'pending' and g.relayed_at is null and g.available_at > now() + interval '1 ms';
  return null;
end
$$;
