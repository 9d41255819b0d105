-- Photos of texts that rules had published before photos were decided on were seen by nobody, and waited for nobody: neither
-- accepted nor in the queue. They wait from now on, and are shown meanwhile, as those that rules publish today. Where
-- a person or a system published the words since the photo came, it was seen with them. Those of the last thirty days only:
-- a shop's older ones, by the thousand, would stand in front of all that comes today, and have been looked at by visitors.
update uploads u set queued_at = now()
  from (
    select 'review' as kind, client_id, id from reviews where accepted
    union all select 'seller_review', client_id, id from seller_reviews where accepted
    union all select 'question', client_id, id from questions where accepted
  ) s
 where u.client_id = s.client_id and u.subject_kind = s.kind and u.subject_id = s.id
   and u.claimed_at > now() - interval '30 days' and u.hidden_at is null and u.accepted is null and u.queued_at is null
   and exists (select from moderation_events e
                where e.client_id = s.client_id and e.kind = s.kind and e.subject_id = s.id
                  and e.to_state = 'accepted' and e.action = 'decided' and e.actor_kind = 'rule' and e.at >= u.claimed_at)
   and not exists (select from moderation_events e
                    where e.client_id = s.client_id and e.kind = s.kind and e.subject_id = s.id
                      and e.to_state = 'accepted' and e.action in ('decided', 'imported') and e.actor_kind <> 'rule'
                      and e.at >= u.claimed_at);
