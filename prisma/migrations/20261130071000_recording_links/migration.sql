-- The link to a test store's recording can be replaced, so that the earlier ones no longer work.

alter table clients add column recording_version int not null default 1;
