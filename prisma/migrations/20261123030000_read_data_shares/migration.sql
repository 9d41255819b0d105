-- What a client's data share tells: receipts, their items, contacts, stores and articles come apart, at different times and
-- in several versions, so the newest of each is kept. Contacts are people: an erasure finds them by customer and address.

create table "share_rows" (
  "client_id" text collate "C" not null,
  "part" text collate "C" not null,
  "id" text collate "C" not null,
  "receipt_id" text collate "C",
  "contact_id" text collate "C",
  "sku" text collate "C",
  "customer_id" text collate "C",
  "email_key" text collate "C",
  "imported_at" timestamptz(6),
  "todo" boolean not null default false,
  "data" jsonb not null default '{}',
  constraint "share_rows_pkey" primary key ("client_id", "part", "id"),
  constraint "share_rows_part_check" check (part in ('stores', 'articles', 'contacts', 'receipts', 'items')),
  constraint "share_rows_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
);
create index "share_rows_client_id_contact_id_part_sku_idx" on "share_rows"("client_id", "contact_id", "part", "sku")
  where contact_id is not null;
create index "share_rows_client_id_receipt_id_idx" on "share_rows"("client_id", "receipt_id") where receipt_id is not null;
create index "share_rows_client_id_customer_id_idx" on "share_rows"("client_id", "customer_id") where customer_id is not null;
create index "share_rows_client_id_email_key_idx" on "share_rows"("client_id", "email_key") where email_key is not null;
create index "share_rows_todo_idx" on "share_rows"("client_id", "id") where todo;

-- Files never change, so one that was read to its end is not read again.
create table "share_files" (
  "client_id" text collate "C" not null,
  "part" text collate "C" not null,
  "file_id" text collate "C" not null,
  constraint "share_files_pkey" primary key ("client_id", "part", "file_id"),
  constraint "share_files_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade
);
