-- Two people who change an integration at once must not lose each other's change: it is saved against the version seen.
alter table integrations add column version integer not null default 1;
