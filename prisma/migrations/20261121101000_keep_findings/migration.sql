-- What the rules found is shown beside an item until its words change: in order, with the reject code it would be, and
-- also of an item as a whole. Findings and prints go with the words they were made of, whoever changes or deletes them.

alter table moderation_findings
  add column position int not null default 0,
  add column reason text collate "C",
  alter column field drop not null,
  add constraint moderation_findings_span_check check (span_start between 0 and span_end),
  add constraint moderation_findings_suggested_check check (suggested in ('hold', 'reject'));

-- Numbers by which items that have something in common are found with one look at an index each. Of a text (eight
-- prints, no end), or of who sent it and what it is about (kept for a day).
create table moderation_prints (
  client_id text collate "C" not null references clients (id) on delete cascade on update cascade,
  kind text collate "C" not null,
  subject_id text collate "C" not null,
  print bigint not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3),
  constraint moderation_prints_pkey primary key (client_id, kind, subject_id, print)
);
create index moderation_prints_client_id_print_created_at_subject_id_idx
  on moderation_prints (client_id, print, created_at, subject_id);
create index moderation_prints_expires_at_idx on moderation_prints (expires_at) where expires_at is not null;

create function forget_findings() returns trigger language plpgsql as $$
begin
  delete from moderation_findings where client_id = old.client_id and kind = tg_argv[0] and subject_id = old.id;
  return null;
end $$;
create trigger reviews_forget_findings after update of author, title, extract, pros, cons, answers, images on reviews
  for each row when ((old.author, old.title, old.extract, old.pros, old.cons, old.answers, old.images)
    is distinct from (new.author, new.title, new.extract, new.pros, new.cons, new.answers, new.images))
  execute function forget_findings('review');
create trigger seller_reviews_forget_findings after update of author, title, extract, answers, images on seller_reviews
  for each row when ((old.author, old.title, old.extract, old.answers, old.images)
    is distinct from (new.author, new.title, new.extract, new.answers, new.images))
  execute function forget_findings('seller_review');
create trigger questions_forget_findings after update of author, question, details, answers_given, images on questions
  for each row when ((old.author, old.question, old.details, old.answers_given, old.images)
    is distinct from (new.author, new.question, new.details, new.answers_given, new.images))
  execute function forget_findings('question');

create function forget_judgements() returns trigger language plpgsql as $$
begin
  delete from moderation_findings f using gone g
   where f.client_id = g.client_id and f.kind = tg_argv[0] and f.subject_id = g.id;
  delete from moderation_prints p using gone g
   where p.client_id = g.client_id and p.kind = tg_argv[0] and p.subject_id = g.id;
  return null;
end $$;
create trigger reviews_forget_judgements after delete on reviews referencing old table as gone
  for each statement execute function forget_judgements('review');
create trigger seller_reviews_forget_judgements after delete on seller_reviews referencing old table as gone
  for each statement execute function forget_judgements('seller_review');
create trigger questions_forget_judgements after delete on questions referencing old table as gone
  for each statement execute function forget_judgements('question');
