-- When the merchant's own sender took a mail that was handed to it: one that nobody took was never sent, is reminded of by
-- nobody, and is judged anew before it is told. Until now it stood in the webhooks' log alone, which goes after thirty days.
alter table "invitations" add column "taken_at" timestamptz(3);

-- What the sender told of a mail's fate says that it took it, whether or not its answer came through.
with told as (
  select d.client_id, d.subject as id, max(d.attempts) as attempts, bool_or(d.state = 'pending') as waits,
         coalesce(max(d.tried_at) filter (where d.state = 'sent'),
                  min(least(i.delivered_at, i.bounced_at, i.opened_at, i.clicked_at))) as taken_at
    from webhook_deliveries d join invitations i on i.client_id = d.client_id and i.id = d.subject
   where d.event = 'invitation.handed' group by d.client_id, d.subject
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
