-- Votes and reports without a voter id have a hash of the address, which a job removes after a day. The indexes hold only
-- those of the last day. Building them takes a few seconds per million votes, during which nothing can be written.

create index votes_by_address_idx on votes (created_at) where voter like '%.%';

-- Reports had such hashes for good, in the same form as those of voter ids: all are removed once.
update flags set voter = null where voter is not null;

create index flags_by_address_idx on flags (created_at) where voter like '%.%';
