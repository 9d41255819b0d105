-- Reviews come in files, many at once, with their replies. A review is stored with the replies it shows, so the trigger of
-- each reply need not write it again where it shows them already; and a photo that a file names is looked for by its
-- token among all uploads of the installation.
create or replace function keep_responses() returns trigger language plpgsql as $$
declare
  c text := coalesce(new.client_id, old.client_id);
  k text := coalesce(new.kind, old.kind);
  s text := coalesce(new.subject_id, old.subject_id);
  list jsonb;
begin
  if k = 'review' then
    perform from reviews where client_id = c and id = s for no key update;
  else
    perform from seller_reviews where client_id = c and id = s for no key update;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object('author', author, 'date', to_char(date, 'YYYY-MM-DD'), 'extract', extract,
           'lang', lang, 'updated_at', to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) order by created_at, id), '[]')
    into list from responses where client_id = c and kind = k and subject_id = s;
  if k = 'review' then
    update reviews set responses = list where client_id = c and id = s and responses is distinct from list;
  else
    update seller_reviews set responses = list where client_id = c and id = s and responses is distinct from list;
  end if;
  return null;
end $$;

CREATE INDEX "uploads_token_idx" ON "uploads"("token");
