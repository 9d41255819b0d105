-- A photo that the shop does not show while what came with it is shown: it leaves the `images` of its subject, and stays
-- claimed by it, so that it can be shown again.
alter table uploads add column hidden_at timestamptz(3);
