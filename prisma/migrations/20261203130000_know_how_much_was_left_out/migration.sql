-- A feed of which most rows were left out looked as well as any other: its setting told only that it was read. How many rows
-- it had and how many of them were left out stands there from its next reading on.
alter table "feeds"
  add column "last_read" integer,
  add column "last_rejected" integer;
