-- Whom an item was assigned to until it was decided, so that undoing the decision assigns it again.

alter table "moderation_events" add column "assignee_id" text collate "C";
