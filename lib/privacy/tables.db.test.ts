import { expect, it } from "vitest";
import { rowsOf } from "@/lib/tools/test/factories";

// What an erasure does with each table. Whoever adds one says it here, and sees to it.

/** Rows about the person go. */
const removed = [
  "action_links",
  "answers",
  "customer_emails",
  "customers",
  "deliveries",
  "deletion_requests",
  "feed_imports",
  "flags",
  "idempotency_keys",
  "invitation_items",
  "invitations",
  "item_notes",
  "job_runs",
  "job_steps",
  "mails",
  "moderation_findings",
  "moderation_prints",
  "order_items",
  "orders",
  "outbox",
  "questions",
  "responses",
  "review_facets",
  "reviews",
  "saved_views",
  "seller_reviews",
  "share_rows",
  "submissions",
  "uploads",
  "votes",
  "webhook_deliveries",
];

/** Rows about the person stay without telling who it was: keyed hashes, history without words, the audit. */
const kept = ["audit_entries", "erased_hashes", "moderation_events", "quarantines", "suppressions"];

/** No customers in it: the service's own people, settings, the catalogue, counters. */
const nobodys = [
  "accounts",
  "api_key_clients",
  "api_keys",
  "clients",
  "digests", // people of the shop
  "external_totals",
  "family_summaries",
  "feed_uploads", // a shop's own files on their way in: their parts go with the import; those of orders that lie about go with an erasure
  "feeds",
  "integration_runs", // counts, and errors without what was sent
  "integrations",
  "job_failures", // names of jobs and runs
  "lasting_secret",
  "partner_paces",
  "password_links", // people of the shop
  "portal_sessions",
  "product_summaries",
  "products",
  "queue_looks", // which of the shop's people looks at what: an item's random id, for two minutes
  "reply_templates",
  "seller_summaries",
  "share_files", // which files of a data share were read, by their random ids
  "send_days",
  "user_clients",
  "users",
  "webhooks",
];

it("is decided for every table", async () => {
  const tables = await rowsOf(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1",
  );
  expect([...removed, ...kept, ...nobodys].sort()).toEqual(tables.map(({ tablename }) => tablename));
});
