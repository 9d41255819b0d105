-- Whether a review's author was offered something for it. The public JSON has it if so; the JSON of existing reviews stays as it is.

alter table reviews add column incentivized boolean not null default false;
alter table seller_reviews add column incentivized boolean not null default false;

create or replace function review_body(r reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","external_id":' || json_text(r.external_id)
    || ',"type":"customer","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"pros":' || array_to_json(r.pros) || ',"cons":' || array_to_json(r.cons)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer || case when r.incentivized then ',"incentivized":true' else '' end
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"product":' || json_text(r.product_name)
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null and r.recommended is null then r.answers
         else r.answers || jsonb_strip_nulls(jsonb_build_object('title', r.title, 'recommended', r.recommended)) end
    || ',"family_ids":' || case when r.family_id is null then '[]' else '[' || to_json(r.family_id) || ']' end
    || ',"product_ids":' || case when r.product_id is null then '[]' else '[' || to_json(r.product_id) || ']' end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"category":' || json_text(r.category)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"reject_reason":' || json_text(r.reject_reason)
    || ',"verified_email":' || r.verified_email || ',"author_email":' || json_text(r.author_email)
$$;

create or replace function public_body(r seller_reviews) returns text language sql stable parallel safe as $$
  select '{"id":"' || r.id || '","author":' || json_text(r.author)
    || ',"score":' || r.score || ',"score_max":5,"date":"' || to_char(r.date, 'YYYY-MM-DD')
    || '","extract":' || json_text(r.extract)
    || ',"lang":' || json_text(r.lang)
    || ',"verified_buyer":' || r.verified_buyer || case when r.incentivized then ',"incentivized":true' else '' end
    || ',"votes_up":' || r.votes_up || ',"votes_down":' || r.votes_down
    || ',"responses":' || r.responses
    || ',"properties":' || case when r.title is null then r.answers else r.answers || jsonb_build_object('title', r.title) end
    || ',"order_id":' || json_text(r.order_id) || ',"customer_id":' || json_text(r.customer_id)
    || ',"updated_at":' || json_time(r.updated_at)
    || ',"accepted":' || coalesce(r.accepted::text, 'null') || ',"accepted_at":' || json_time(r.accepted_at)
    || ',"author_email":' || json_text(r.author_email)
$$;

-- No log has such reviews yet, so stored figures needn't be computed again.
update log_figures f
   set figures = f.figures || (
         select jsonb_object_agg(kind, f.figures -> kind || '{"incentivized":{"total":0,"stars":[0,0,0,0,0]}}'::jsonb)
           from unnest(array['reviews', 'product_reviews', 'seller_reviews']) kind);
