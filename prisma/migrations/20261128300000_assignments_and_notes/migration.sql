-- Assignments of pending items to team members, their notes about items, and an index of rejections by time. Building
-- the index takes about a second per million entries of the history, during which decisions wait.

create table "item_assignments" (
    "client_id" text collate "C" not null,
    "kind" text collate "C" not null,
    "subject_id" text collate "C" not null,
    "user_id" text collate "C" not null,
    "assigned_at" timestamptz(3) not null default current_timestamp,

    constraint "item_assignments_pkey" primary key ("client_id", "kind", "subject_id")
);
create index "item_assignments_user_id_client_id_kind_idx" on "item_assignments"("user_id", "client_id", "kind");
alter table "item_assignments"
  add constraint "item_assignments_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade,
  add constraint "item_assignments_user_id_fkey" foreign key ("user_id") references "users"("id") on delete cascade on update cascade;

create table "moderation_notes" (
    "client_id" text collate "C" not null,
    "id" text collate "C" not null,
    "kind" text collate "C" not null,
    "subject_id" text collate "C" not null,
    "user_id" text collate "C",
    "text" text collate "C" not null,
    "mentions" text[] collate "C" default array[]::text[],
    "created_at" timestamptz(3) not null default current_timestamp,
    "edited_at" timestamptz(3),

    constraint "moderation_notes_pkey" primary key ("client_id", "id")
);
create index "moderation_notes_client_id_kind_subject_id_created_at_idx" on "moderation_notes"("client_id", "kind", "subject_id", "created_at");
create index "moderation_notes_user_id_idx" on "moderation_notes"("user_id");
alter table "moderation_notes"
  add constraint "moderation_notes_client_id_fkey" foreign key ("client_id") references "clients"("id") on delete cascade on update cascade,
  add constraint "moderation_notes_user_id_fkey" foreign key ("user_id") references "users"("id") on delete set null on update cascade;

-- What people rejected, for the reasons that a store uses most.
create index moderation_events_rejected_idx on moderation_events (client_id, at) include (reason)
  where to_state = 'rejected' and actor_kind = 'user';

-- Whether a person may decide at a client: what an assignment requires.
create function may_moderate(person text, at_client text) returns boolean language sql stable as $$
  select exists (
    select from users u join clients c on c.id = at_client
      left join user_clients a on a.user_id = u.id and a.client_id = c.id
     where u.id = person and u.disabled_at is null
       and case when u.role = 'operator' then true
                when u.all_clients then u.account_id = c.account_id and u.role in ('moderator', 'admin')
                else a.user_id is not null and coalesce(a.role, u.role) in ('moderator', 'admin') end)
$$;

-- Assignments end when the person may no longer decide. Checked at commit, since a change of access takes several
-- statements.
create function release_assignments() returns trigger language plpgsql as $$
begin
  delete from item_assignments
   where user_id = to_jsonb(coalesce(new, old)) ->> tg_argv[0] and not may_moderate(user_id, client_id);
  return null;
end $$;
create constraint trigger users_release_assignments after update of role, all_clients, account_id, disabled_at on users
  deferrable initially deferred for each row
  when ((old.role, old.all_clients, old.account_id, old.disabled_at) is distinct from (new.role, new.all_clients, new.account_id, new.disabled_at))
  execute function release_assignments('id');
create constraint trigger user_clients_release_assignments after update or delete on user_clients
  deferrable initially deferred for each row execute function release_assignments('user_id');

-- Assignments and notes are deleted with their item.
create function forget_teamwork() returns trigger language plpgsql as $$
begin
  delete from item_assignments a using gone g
   where a.client_id = g.client_id and a.kind = tg_argv[0] and a.subject_id = g.id;
  delete from moderation_notes n using gone g
   where n.client_id = g.client_id and n.kind = tg_argv[0] and n.subject_id = g.id;
  return null;
end $$;
create trigger reviews_forget_teamwork after delete on reviews referencing old table as gone
  for each statement execute function forget_teamwork('review');
create trigger seller_reviews_forget_teamwork after delete on seller_reviews referencing old table as gone
  for each statement execute function forget_teamwork('seller_review');
create trigger questions_forget_teamwork after delete on questions referencing old table as gone
  for each statement execute function forget_teamwork('question');
create trigger answers_forget_teamwork after delete on answers referencing old table as gone
  for each statement execute function forget_teamwork('answer');

-- A photo is deleted, released by its item, or belongs to an erasure that deletes its files.
create function forget_teamwork_of_photo() returns trigger language plpgsql as $$
begin
  delete from item_assignments where client_id = old.client_id and kind = 'photo' and subject_id = old.token;
  delete from moderation_notes where client_id = old.client_id and kind = 'photo' and subject_id = old.token;
  return null;
end $$;
create trigger uploads_forget_teamwork after delete on uploads
  for each row when (old.claimed_at is not null) execute function forget_teamwork_of_photo();
create trigger uploads_released_forget_teamwork after update of subject_kind on uploads
  for each row when (old.subject_kind is not null and new.subject_kind is distinct from old.subject_kind)
  execute function forget_teamwork_of_photo();

-- Photos are decided with their text, hidden from its page, or in the queue.
create function release_photo() returns trigger language plpgsql as $$
begin
  delete from item_assignments where client_id = new.client_id and kind = 'photo' and subject_id = new.token;
  return null;
end $$;
create trigger uploads_release after update of accepted on uploads
  for each row when (old.accepted is null and new.accepted is not null) execute function release_photo();
