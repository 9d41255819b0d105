-- A receipt finds its entries by the rows of the history that they were made from.
create index log_bundles_client_id_first_event_idx on log_bundles (client_id, first_event);
