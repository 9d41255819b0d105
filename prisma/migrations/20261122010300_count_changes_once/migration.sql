-- A changed review was looked for four times by each statement that changed it, twice for its counters and twice for its
-- facets. Old and new row are now put side by side once, and a vote or a reply, which moves no figure, ends there.
create type review_pair as (
  client_id text, was boolean, "is" boolean, old_product text, new_product text, old_family text, new_family text,
  old_score int, new_score int, figures boolean, facets boolean,
  old_lang text, new_lang text, old_images jsonb, new_images jsonb, old_verified boolean, new_verified boolean,
  old_answers jsonb, new_answers jsonb);

create or replace function count_changed_reviews() returns trigger language plpgsql as $$
declare
  pairs review_pair[];
begin
  pairs := array(
    select (l.client_id, l.accepted is true, n.accepted is true, l.product_id, n.product_id, l.family_id, n.family_id, l.score, n.score,
            (n.accepted, n.score, n.date, n.product_id, n.family_id, n.pros, n.cons, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
              is distinct from
            (l.accepted, l.score, l.date, l.product_id, l.family_id, l.pros, l.cons, l.answers, l.lang, l.verified_buyer, l.images <> '[]'),
            (n.accepted, n.product_id, n.family_id, n.answers, n.lang, n.verified_buyer, n.images <> '[]')
              is distinct from
            (l.accepted, l.product_id, l.family_id, l.answers, l.lang, l.verified_buyer, l.images <> '[]'),
            l.lang, n.lang, l.images, n.images, l.verified_buyer, n.verified_buyer, l.answers, n.answers)::review_pair
      from gone l join came n on n.client_id = l.client_id and n.id = l.id
     where (l.accepted or n.accepted) and (n.body, n.images) is distinct from (l.body, l.images));
  if cardinality(pairs) = 0 then return null; end if;
  perform add_review_changes(array(
    select (p.client_id, c.product_id, c.family_id, c.score, c.sign, p.figures)::summary_change
      from unnest(pairs) p cross join lateral (values
        (p.was, p.old_product, p.old_family, p.old_score, -1), (p."is", p.new_product, p.new_family, p.new_score, 1))
        c(shown, product_id, family_id, score, sign)
     where c.shown));
  if not exists (select from unnest(pairs) where facets) then return null; end if;
  perform add_facet_changes(array(
    select (p.client_id, c.product_id, c.family_id, f.facet, f.value, c.sign)::facet_change
      from unnest(pairs) p cross join lateral (values
        (p.was, p.old_product, p.old_family, p.old_lang, p.old_images, p.old_verified, p.old_answers, -1),
        (p."is", p.new_product, p.new_family, p.new_lang, p.new_images, p.new_verified, p.new_answers, 1))
        c(shown, product_id, family_id, lang, images, verified, answers, sign)
      cross join lateral facets_of(c.lang, c.images, c.verified, c.answers) f
     where c.shown and p.facets));
  return null;
end $$;
