-- An invitation can be handed to a sender of the merchant's own instead of being mailed: when it was is kept, and webhooks that
-- ask for it are told.
alter table "invitations" add column "handed_at" timestamptz(3);

create or replace function webhook_event(name text, data jsonb) returns text language sql immutable parallel safe as $$
  select case
    when name in ('review/submitted', 'seller_review/submitted', 'question/submitted')
      then split_part(name, '/', 1) || case when data ? 'edited' then '.updated' else '.created' end
    when name in ('review/decided', 'seller_review/decided', 'question/decided')
      then split_part(name, '/', 1) || case data ->> 'to' when 'accepted' then '.accepted' when 'rejected' then '.rejected' else '.updated' end
    when name in ('review/verified', 'question/verified') then split_part(name, '/', 1) || '.updated'
    when name in ('review/created', 'review/updated', 'review/deleted', 'review/replied',
                  'seller_review/updated', 'seller_review/deleted', 'seller_review/replied',
                  'question/updated', 'question/deleted', 'question/replied',
                  'invitation/scheduled', 'invitation/handed', 'invitation/sent', 'invitation/skipped', 'invitation/bounced',
                  'personal_data/deleted') then replace(name, '/', '.')
  end
$$;
