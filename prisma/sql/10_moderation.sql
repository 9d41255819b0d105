-- Findings are deleted when their text or images change; findings and prints are deleted with their item.

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

-- The history is append-only. Only an erasure, which sets a flag for its transaction, may clear texts or delete rows, and
-- only a test store's clock may change when something happened.
create function refuse_history_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('candor.erasing', true), '') = 'on' then return coalesce(new, old); end if;
  if tg_op = 'UPDATE' and is_moving_times() and to_jsonb(new) - 'at' = to_jsonb(old) - 'at'
     and exists (select from clients where id = new.client_id and test_days is not null) then
    return new;
  end if;
  raise exception 'moderation_events is append-only';
end $$;
create trigger moderation_events_append_only before update or delete on moderation_events
  for each row execute function refuse_history_change();

-- Photos in the form of queue items: with an id, the time they became pending, and the columns of a decision.
create view photos as
  select client_id, token as id, queued_at as created_at, accepted, accepted_at, reject_reason, decided_at,
         subject_kind, subject_id, key, format, width, height, sizes
    from uploads where queued_at is not null;
