-- Photos of texts that rules published were seen by nobody: they wait in the queue, each to be decided by itself. Most
-- uploads never do (a person who accepts a text sees its photos), so the queue's indexes hold only those that did.
alter table uploads
  add column queued_at timestamptz(3),
  add column accepted boolean,
  add column accepted_at timestamptz(3),
  add column reject_reason text,
  add column decided_at timestamptz(3);
create index uploads_waiting_idx on uploads (client_id, queued_at, token) where queued_at is not null and accepted is null;
create index uploads_decided_idx on uploads (client_id, accepted, queued_at, token) where queued_at is not null;
create index uploads_queued_idx on uploads (client_id, queued_at, token) where queued_at is not null;

-- What was hidden so far is a decision too.
update uploads set queued_at = hidden_at, accepted = false, reject_reason = 'unspecified', decided_at = hidden_at
 where hidden_at is not null;

-- Photos as the queue knows items: under an id, since when they wait, with the columns of a decision.
create view photos as
  select client_id, token as id, queued_at as created_at, accepted, accepted_at, reject_reason, decided_at,
         subject_kind, subject_id, key, format, width, height, sizes
    from uploads where queued_at is not null;
