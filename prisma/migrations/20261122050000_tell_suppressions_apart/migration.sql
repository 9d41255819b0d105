-- One row an address made the reasons share it: an opt-out took the place of a bounce, and taking the opt-out back
-- wrote to a dead mailbox again. Each reason is a row of its own, and goes by itself.

alter table "suppressions" drop constraint "suppressions_pkey";
alter table "suppressions" add constraint "suppressions_pkey" primary key ("client_id", "email_hash", "reason");

-- What becomes of a mail is told by the mail; its invitation is found by that.
create index "invitations_client_id_mail_id_idx" on "invitations"("client_id", "mail_id");

-- What the mail service told of an invitation's mail: that it arrived, that it could not, that a person (no machine) opened it.
alter table "invitations" add column "delivered_at" timestamptz(3), add column "bounced_at" timestamptz(3), add column "opened_at" timestamptz(3);
