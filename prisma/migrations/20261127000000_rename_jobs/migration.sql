-- Nine jobs have new names. Runs in progress, their places in limits and the failures shown in the portal keep theirs.

WITH "renamed" ("old", "new") AS (
  VALUES
    ('tell-webhook', 'deliver-webhook'),
    ('tell-webhooks', 'deliver-webhooks'),
    ('tell-engagement', 'deliver-engagement'),
    ('tell-engagements', 'schedule-engagement'),
    ('note-review-for-engagement', 'queue-engagement-review'),
    ('note-orphans-in-engagement', 'queue-engagement-removals'),
    ('moderate-waiting', 'moderate-pending'),
    ('follow-orders', 'apply-order-families'),
    ('send-waiting-mails', 'send-pending-mails')
), "runs" AS (
  UPDATE "job_runs" r
  SET "function_id" = 'candor-' || n."new",
    "event_id" = replace(r."event_id", 'candor-' || n."old", 'candor-' || n."new"),
    "event" = coalesce(
      jsonb_set(r."event", '{id}', to_jsonb(replace(r."event"->>'id', 'candor-' || n."old", 'candor-' || n."new"))),
      r."event"),
    "group_key" = replace(r."group_key", 'candor-' || n."old", 'candor-' || n."new"),
    "share_key" = replace(r."share_key", 'candor-' || n."old", 'candor-' || n."new"),
    "parked_in" = replace(r."parked_in", 'candor-' || n."old", 'candor-' || n."new"),
    "debounce_key" = replace(r."debounce_key", 'candor-' || n."old", 'candor-' || n."new")
  FROM "renamed" n
  WHERE r."function_id" = 'candor-' || n."old"
)
UPDATE "job_failures" f SET "job" = n."new" FROM "renamed" n WHERE f."job" = n."old";
