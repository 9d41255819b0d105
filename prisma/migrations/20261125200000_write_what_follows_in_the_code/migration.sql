-- Facts that start later work are written where the change is (lib/platform/jobs/outbox/follow.ts), and found by searching
-- for their name. Triggers keep derived data true and do nothing else.
drop trigger outbox_tell_webhooks on outbox;
drop trigger outbox_take_back_webhooks on outbox;
drop trigger outbox_note_reviews_for_engagement on outbox;
drop function tell_webhooks();
drop function take_back_webhooks();
drop function note_reviews_for_engagement();
drop function webhook_event(text, jsonb);
