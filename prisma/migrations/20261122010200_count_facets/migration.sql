-- What accepted reviews of a product or family have in common is counted as they come and go: how custom questions were
-- answered, languages, photos, verified buyers. Adding it up anew for every review that was accepted read every review
-- there is: over a second at a hundred thousand.
--
-- `facet` is `lang`, `photos`, `verified`, or `answer.` and the question's name; `value` is the language or the answer,
-- and empty for how many reviews have the facet at all. Which questions are asked as a choice is the client's setting
-- and may change, so every answer that an option could be (64 characters) is counted. A count that reaches zero takes
-- its row along: no word of a review that is gone stays here.
create table "review_facets" (
  "client_id" text collate "C" not null,
  "kind" text collate "C" not null,
  "subject_id" text collate "C" not null,
  "facet" text collate "C" not null,
  "value" text collate "C" not null,
  "count" integer not null default 0,
  constraint "review_facets_pkey" primary key ("client_id", "kind", "subject_id", "facet", "value"),
  constraint "review_facets_kind_check" check (kind in ('product', 'family')),
  constraint "review_facets_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
) with (fillfactor = 50);

create function facets_of(lang text, images jsonb, verified boolean, answers jsonb)
  returns table (facet text, value text) language sql immutable parallel safe as $$
  select 'lang', lang where lang <> ''
  union all select 'photos', '' where images <> '[]'
  union all select 'verified', '' where verified
  union all select 'answer.' || a.key, '' from jsonb_each(answers) a
  union all
  select 'answer.' || a.key, v from jsonb_each(answers) a
    cross join lateral jsonb_array_elements_text(
      case jsonb_typeof(a.value) when 'array' then a.value else jsonb_build_array(a.value) end) v
   where v <> '' and char_length(v) <= 64
$$;

create type facet_change as (client_id text, product_id text, family_id text, facet text, value text, sign int);

-- After the counters of the summaries, in key order: two statements that count the same review's product wait there.
create function add_facet_changes(changes facet_change[]) returns void language plpgsql as $$
begin
  if cardinality(changes) = 0 then return; end if;
  insert into review_facets as f (client_id, kind, subject_id, facet, value, count)
    select client_id, kind, subject_id, facet, value, sum(sign)
      from unnest(changes) cross join lateral (values ('product', product_id), ('family', family_id)) s(kind, subject_id)
     where subject_id is not null
     group by 1, 2, 3, 4, 5 having sum(sign) <> 0 order by 1, 2, 3, 4, 5
    on conflict (client_id, kind, subject_id, facet, value) do update set count = f.count + excluded.count;
  delete from review_facets f
   using (select distinct client_id, kind, subject_id, facet, value
            from unnest(changes) cross join lateral (values ('product', product_id), ('family', family_id)) s(kind, subject_id)
           where sign < 0 and subject_id is not null) c
   where f.client_id = c.client_id and f.kind = c.kind and f.subject_id = c.subject_id and f.facet = c.facet
     and f.value = c.value and f.count = 0;
end $$;

-- What a summary is made of now includes its languages, photos and verified buyers.
create or replace function count_new_reviews() returns trigger language plpgsql as $$
begin
  if exists (select from came where accepted) then
    perform add_review_changes(array(
      select (client_id, product_id, family_id, score, 1, true)::summary_change from came where accepted));
    perform add_facet_changes(array(
      select (n.client_id, n.product_id, n.family_id, f.facet, f.value, 1)::facet_change
        from came n cross join lateral facets_of(n.lang, n.images, n.verified_buyer, n.answers) f where n.accepted));
  end if;
  return null;
end $$;
create or replace function count_changed_reviews() returns trigger language plpgsql as $$
declare
  changes summary_change[];
begin
  changes := array(
    select (r.client_id, r.product_id, r.family_id, r.score, r.sign, r.figures)::summary_change
      from (select l.client_id, l.product_id, l.family_id, l.score, -1 as sign,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]') as figures
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted and (n.body, n.images) is distinct from (l.body, l.images)
            union all
            select n.client_id, n.product_id, n.family_id, n.score, 1,
                   (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                     is distinct from (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]')
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted and (n.body, n.images) is distinct from (l.body, l.images)) r);
  perform add_review_changes(changes);
  -- A vote or a reply ends here: no facet moves without a figure.
  if not exists (select from unnest(changes) where figures) then return null; end if;
  perform add_facet_changes(array(
    select (r.client_id, r.product_id, r.family_id, f.facet, f.value, r.sign)::facet_change
      from (select l.client_id, l.product_id, l.family_id, l.lang, l.images, l.verified_buyer, l.answers, -1 as sign
              from gone l join came n on n.client_id = l.client_id and n.id = l.id
             where l.accepted
               and (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                 is distinct from (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]')
            union all
            select n.client_id, n.product_id, n.family_id, n.lang, n.images, n.verified_buyer, n.answers, 1
              from came n join gone l on l.client_id = n.client_id and l.id = n.id
             where n.accepted
               and (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
                 is distinct from (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]')) r
      cross join lateral facets_of(r.lang, r.images, r.verified_buyer, r.answers) f));
  return null;
end $$;
create or replace function count_gone_reviews() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counters along.
  perform add_review_changes(array(
    select (g.client_id, g.product_id, g.family_id, g.score, -1, true)::summary_change
      from gone g join clients c on c.id = g.client_id where g.accepted));
  perform add_facet_changes(array(
    select (g.client_id, g.product_id, g.family_id, f.facet, f.value, -1)::facet_change
      from gone g join clients c on c.id = g.client_id
      cross join lateral facets_of(g.lang, g.images, g.verified_buyer, g.answers) f where g.accepted));
  return null;
end $$;

insert into review_facets (client_id, kind, subject_id, facet, value, count)
  select r.client_id, s.kind, s.subject_id, f.facet, f.value, count(*)
    from reviews r cross join lateral facets_of(r.lang, r.images, r.verified_buyer, r.answers) f
    cross join lateral (values ('product', r.product_id), ('family', r.family_id)) s(kind, subject_id)
   where r.accepted and s.subject_id is not null
   group by 1, 2, 3, 4, 5;
