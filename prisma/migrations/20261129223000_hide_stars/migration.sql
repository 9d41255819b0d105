-- A person can moderate without seeing stars.

alter table users add column hide_stars boolean not null default false;
