-- The figures of a store's public page, computed from its log in the background: not with each visit.

create table log_figures (
  client_id text collate "C" not null,
  size bigint not null,
  checkpoint text collate "C" not null,
  as_of timestamptz(3) not null,
  figures jsonb not null,
  constraint log_figures_pkey primary key (client_id),
  constraint log_figures_client_id_fkey foreign key (client_id) references logs (client_id) on delete cascade on update no action
);
