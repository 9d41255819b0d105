-- What depends on stars, also what hasn't for long enough to be public. All figures are computed again: they have the
-- public findings, too.

delete from log_figures;
alter table log_figures add column findings jsonb not null;
