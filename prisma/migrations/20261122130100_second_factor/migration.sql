-- A second factor: the sealed secret that an authenticator app was shown and has yet to prove (`totp_pending`), the last
-- step of time whose code was used, so that none is used twice, and keyed hashes of the codes for a lost app.
alter table users
  add column totp_pending bytea,
  add column totp_last_step bigint,
  add column recovery_codes text[] not null default '{}';
