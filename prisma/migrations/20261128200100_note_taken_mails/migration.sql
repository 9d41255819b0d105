-- When the merchant's own sender took a mail that was handed to it: one that nobody took was never sent, is reminded of by
-- nobody, and is judged anew before it is told. Until now it stood in the webhooks' log alone, which goes after thirty days.
alter table "invitations" add column "taken_at" timestamptz(3);

with told as (
  select client_id, subject as id, max(tried_at) filter (where state = 'sent') as taken_at, max(attempts) as attempts,
         bool_or(state = 'pending') as waits
    from webhook_deliveries where event = 'invitation.handed' group by client_id, subject
)
update invitations i
   set attempts = greatest(i.attempts, t.attempts), taken_at = t.taken_at,
       -- Given up or withdrawn: not sent. What may have arrived all the same stays asked for.
       status = case when t.taken_at is null and not t.waits then 'failed' else i.status end,
       sent_at = case when t.taken_at is null and not t.waits then null else i.sent_at end,
       error = case when t.taken_at is null and not t.waits then 'not_taken' else i.error end
  from told t where i.client_id = t.client_id and i.id = t.id and i.handed_at is not null;

-- Of what is older than the log nothing else is known than that it was handed over.
update invitations i set taken_at = handed_at
 where handed_at is not null and taken_at is null
   and not exists (select from webhook_deliveries d
                    where d.client_id = i.client_id and d.subject = i.id and d.event = 'invitation.handed');
