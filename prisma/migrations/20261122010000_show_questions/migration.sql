-- Answered questions are shown beside reviews. `answer_count` holds how many accepted answers a question has, so that an
-- index finds those shown; how many a product or family has, and a version that moves with every change a reader of them
-- could see, stand beside the counters of reviews: one look tells both versions.

alter table "questions" add column "answer_count" integer not null default 0;
alter table "product_summaries" add column "question_count" integer not null default 0,
  add column "questions_version" bigint not null default 1;
alter table "family_summaries" add column "question_count" integer not null default 0,
  add column "questions_version" bigint not null default 1;

update "questions" q set "answer_count" = (
  select count(*) from "answers" a where a.client_id = q.client_id and a.question_id = q.id and a.accepted)
 where exists (select from "answers" a where a.client_id = q.client_id and a.question_id = q.id and a.accepted);

create index "questions_product_shown_idx" on "questions"("client_id", "product_id", "date", "created_at", "id")
  where (accepted and answer_count > 0);
create index "questions_family_shown_idx" on "questions"("client_id", "family_id", "date", "created_at", "id")
  where (accepted and answer_count > 0);

-- Every change of an answer writes its question, which is held when this runs: of two answers at once the second counts
-- the first.
create function count_answers() returns trigger language plpgsql as $$
begin
  new.answer_count := (select count(*) from answers a
    where a.client_id = new.client_id and a.question_id = new.id and a.accepted);
  return new;
end $$;
create trigger questions_count_answers before insert or update on questions
  for each row execute function count_answers();

create type question_change as (client_id text, product_id text, family_id text, sign int);

-- As add_review_changes: summed per key, in key order, after those of products those of families.
create function add_question_changes(changes question_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into product_summaries as s (client_id, product_id, question_count)
    select client_id, product_id, sum(sign) from unnest(changes) where product_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, product_id) do update set
      question_count = s.question_count + excluded.question_count, questions_version = s.questions_version + 1;
  insert into family_summaries as s (client_id, family_id, question_count)
    select client_id, family_id, sum(sign) from unnest(changes) where family_id is not null group by 1, 2 order by 1, 2
    on conflict (client_id, family_id) do update set
      question_count = s.question_count + excluded.question_count, questions_version = s.questions_version + 1;
end $$;

create function count_new_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (client_id, product_id, family_id, 1)::question_change from came where accepted and answer_count > 0));
  return null;
end $$;
create function count_changed_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (q.client_id, q.product_id, q.family_id, q.sign)::question_change
      from (select l.client_id, l.product_id, l.family_id, -1 as sign
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and l.answer_count > 0
               and (n.body, n.images, n.answers_version) is distinct from (l.body, l.images, l.answers_version)
            union all
            select n.client_id, n.product_id, n.family_id, 1
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and n.answer_count > 0
               and (n.body, n.images, n.answers_version) is distinct from (l.body, l.images, l.answers_version)) q));
  return null;
end $$;
create function count_gone_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (g.client_id, g.product_id, g.family_id, -1)::question_change
      from gone g join clients c on c.id = g.client_id where g.accepted and g.answer_count > 0));
  return null;
end $$;
create trigger questions_count_new after insert on questions referencing new table as came
  for each statement execute function count_new_questions();
create trigger questions_count_changed after update on questions referencing old table as gone new table as came
  for each statement execute function count_changed_questions();
create trigger questions_count_gone after delete on questions referencing old table as gone
  for each statement execute function count_gone_questions();

insert into product_summaries as s (client_id, product_id, question_count)
  select client_id, product_id, count(*) from questions
   where product_id is not null and accepted and answer_count > 0 group by 1, 2
  on conflict (client_id, product_id) do update set question_count = excluded.question_count;
insert into family_summaries as s (client_id, family_id, question_count)
  select client_id, family_id, count(*) from questions
   where family_id is not null and accepted and answer_count > 0 group by 1, 2
  on conflict (client_id, family_id) do update set question_count = excluded.question_count;
