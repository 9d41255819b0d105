-- Counters of published questions with an answer, maintained in the same way: products first, then families.

create type question_change as (client_id text, product_id text, family_id text, sign int);

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
create trigger questions_count_new after insert on questions referencing new table as came
  for each statement execute function count_new_questions();

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
create trigger questions_count_changed after update on questions referencing old table as gone new table as came
  for each statement execute function count_changed_questions();

create function count_gone_questions() returns trigger language plpgsql as $$
begin
  perform add_question_changes(array(
    select (g.client_id, g.product_id, g.family_id, -1)::question_change
      from gone g join clients c on c.id = g.client_id where g.accepted and g.answer_count > 0));
  return null;
end $$;
create trigger questions_count_gone after delete on questions referencing old table as gone
  for each statement execute function count_gone_questions();
