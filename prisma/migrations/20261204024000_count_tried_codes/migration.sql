-- Codes of a second factor are counted in the person's row before they are looked at: a limit that each process keeps for
-- itself, and looks at before the code alone, is passed by guesses sent all at once.
alter table users add column code_tries double precision not null default 0, add column code_tried_at timestamptz(3);
