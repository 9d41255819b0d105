// What an archive of a store does with each table. tables.db.test.ts compares this with the database: a new table must
// be added here.

export type StoreTable = {
  name: string;
  /** the order of its rows, the same in every archive of the same rows */
  order: string;
  /**
   * columns that aren't part of the archive: derived by triggers, set by the import, or numbered by a sequence of the
   * installation
   */
  without?: readonly string[];
  where?: string;
};

/** Exported tables, in the order of the import: a table comes after those that it refers to. */
export const storeTables: readonly StoreTable[] = [
  { name: "clients", order: "id", without: ["account_id", "demo", "version", "updated_at"] },
  { name: "products", order: "id" },
  { name: "customers", order: "id" },
  { name: "customer_emails", order: "customer_id, email_key" },
  { name: "orders", order: "id" },
  { name: "order_items", order: "order_id, id" },
  { name: "item_notes", order: "id", without: ["id"] },
  { name: "invitations", order: "id" },
  { name: "invitation_items", order: "invitation_id, order_id, item_id" },
  { name: "quarantines", order: "person_hash" },
  { name: "erased_hashes", order: "hash" },
  { name: "send_days", order: "day" },
  { name: "suppressions", order: "email_hash, reason" },
  { name: "reviews", order: "id", without: ["body"] },
  { name: "seller_reviews", order: "id", without: ["body"] },
  { name: "questions", order: "id", without: ["body", "answer_count", "answers_version"] },
  { name: "answers", order: "id" },
  { name: "responses", order: "id" },
  { name: "votes", order: "review_id, voter" },
  { name: "flags", order: "id" },
  // Photos of an erasure are about to be deleted.
  { name: "uploads", order: "token", where: "subject_kind is distinct from 'erased'" },
  { name: "reply_templates", order: "id" },
  { name: "template_versions", order: "template, language, version" },
  { name: "external_totals", order: "product_id, kind, source, locale, country" },
  // Whom items were assigned to are people of the installation, and the keys that sign the log are its own.
  {
    name: "moderation_events",
    order: "id",
    without: ["id", "assignee_id"],
    where: "action not in ('key', 'key_retired')",
  },
  { name: "moderation_findings", order: "id" },
  // Their authors and who they mention are people of the installation.
  { name: "moderation_notes", order: "id", without: ["user_id", "mentions"] },
  { name: "moderation_prints", order: "kind, subject_id, print" },
  { name: "action_links", order: "hash" },
  { name: "audit_entries", order: "at, id", without: ["id", "account_id"] },
];

/**
 * A table of the archive that isn't one of the database: who in the archive has a suppression or cooldown, whose rows
 * have only a hash.
 */
export const knownPeople = { name: "known_people", columns: ["hash", "kind", "value"] };

/** Computed from exported rows: by triggers during the import, or by a job soon after. */
export const derivedTables: Readonly<Record<string, string>> = {
  family_summaries: "triggers on reviews and questions",
  product_summaries: "triggers on reviews and questions",
  question_words: "the job index-words",
  review_counts: "triggers on reviews",
  review_facets: "triggers on reviews",
  review_words: "the job index-words",
  seller_review_words: "the job index-words",
  seller_summaries: "triggers on seller reviews",
};

/** Tables that stay where they are, and why. */
export const otherTables: Readonly<Record<string, string>> = {
  accounts: "of the installation",
  api_key_clients: "access of keys of the installation",
  api_keys: "of the installation",
  deletion_requests: "a store isn't exported while one is running",
  deliveries: "events and texts for other systems, which the installation still sends, and its log of them",
  digests: "subscriptions of people of the installation",
  feed_imports: "a log, deleted after 90 days",
  feed_uploads: "files about to be imported",
  feeds: "addresses with credentials",
  item_assignments: "people of the installation",
  idempotency_keys: "responses to calls of the last day",
  integration_runs: "the log of an integration",
  integrations: "credentials and positions of another system",
  job_failures: "jobs of the installation",
  job_runs: "jobs of the installation",
  job_steps: "jobs of the installation",
  lasting_secret: "of the installation",
  log_bundles: "made again from the history",
  log_figures: "computed again from the log",
  log_keys: "of the installation",
  log_position: "of the installation",
  log_tiles: "made again from the history",
  logs: "signed by the installation",
  notification_settings: "people of the installation",
  notifications: "people of the installation",
  mails: "the installation sent them, or still does",
  outbox: "events that the installation still handles",
  partner_paces: "rate limits of the last minutes",
  password_links: "people of the installation",
  portal_sessions: "people of the installation",
  queue_looks: "who looked at what in the last minutes",
  recorded_exclusions: "recorded again from the next day on",
  review_import_items: "what an import created, to undo it",
  review_imports: "a log, with the files that can still be imported",
  saved_views: "people of the installation",
  share_files: "read again from the share",
  share_rows: "read again from the share",
  store_setup: "results of checks of this installation",
  submissions: "of the last minute",
  user_clients: "access of people of the installation",
  users: "people of the installation",
  webhook_deliveries: "events that the installation sends",
  webhooks: "addresses and secrets of other systems",
};
