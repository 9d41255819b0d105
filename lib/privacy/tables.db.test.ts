import { expect, it } from "vitest";
import { rowsOf } from "@/lib/tools/test/factories";

// What an erasure does with each table. New tables must be added here and handled.

/** Rows about the person are erased. */
const erased = [
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
  "item_assignments", // with the item: who takes care of it
  "item_notes",
  "job_runs",
  "job_steps",
  "mails",
  "moderation_findings",
  "moderation_notes",
  "moderation_prints",
  "order_items",
  "orders",
  "outbox",
  "question_words",
  "questions",
  "responses",
  "review_facets",
  "review_words",
  "reviews",
  "saved_views",
  "seller_review_words",
  "seller_reviews",
  "share_rows",
  "submissions",
  "uploads",
  "votes",
  "webhook_deliveries",
];

/** Rows about the person stay without identifying them: keyed hashes, history without text, the audit. */
const retained = ["audit_entries", "erased_hashes", "moderation_events", "quarantines", "suppressions"];

/** No customer data: the service's own users, settings, the catalog, counters. */
const tablesWithoutPeople = [
  "accounts",
  "api_key_clients",
  "api_keys",
  "clients",
  "digests", // team members
  "external_totals",
  "family_summaries",
  "feed_uploads", // uploaded files: parts are deleted with the import, leftover order files by an erasure
  "feeds",
  "integration_runs", // counts, and errors without request data
  "integrations",
  "job_failures", // names of jobs and runs
  "lasting_secret",
  "log_bundles", // entries have no texts, names or ids
  "log_figures", // numbers
  "log_keys",
  "log_position",
  "log_tiles",
  "logs",
  "partner_paces",
  "recorded_exclusions", // days
  "notification_settings", // team members
  "notifications", // for team members: kinds, with names of feeds, files and team members
  "password_links", // team members
  "portal_sessions",
  "product_summaries",
  "products",
  "queue_looks", // which team member views which item, by its random id, for two minutes
  "reply_templates",
  "review_counts",
  "review_import_items", // ids of reviews
  "review_imports", // reports have codes and row numbers; leftover files are deleted by an erasure
  "seller_summaries",
  "share_files", // files of a data share that were read, by their random ids
  "send_days",
  "store_setup",
  "template_versions", // texts and team members, no customers
  "user_clients",
  "users",
  "webhooks",
];

it("every table is classified", async () => {
  const tables = await rowsOf(
    "select tablename from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' order by 1",
  );
  expect([...erased, ...retained, ...tablesWithoutPeople].sort()).toEqual(tables.map(({ tablename }) => tablename));
});
