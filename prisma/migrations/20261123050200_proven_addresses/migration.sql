-- Anybody may write a stranger's address to their own login. Who has shown that an address is theirs, by using a link that
-- was mailed to it, comes first where a password is forgotten.
alter table users add column email_proven_at timestamptz(3);
update users u set email_proven_at = proof.at
  from (select subject, max(at) as at from audit_entries where action in ('password.set', 'password.reset') group by subject) proof
 where proof.subject = u.id and u.email is not null
   and not exists (select from audit_entries e
                    where e.subject = u.id and e.action = 'user.address_changed' and e.at > proof.at);
