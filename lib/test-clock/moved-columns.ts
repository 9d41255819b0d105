// The columns that a test store's clock moves. moved-columns.db.test.ts compares this with the database: a new column with
// a time or day must be added here.

export type MovedTable = {
  name: string;
  /** columns with a point in time */
  times: readonly string[];
  /** columns with a calendar day */
  days?: readonly string[];
  /** only these rows */
  where?: string;
  /** a day is part of the key, so that rows moved by a day would meet those not moved yet */
  keyedByDay?: boolean;
};

const written = ["created_at", "updated_at"] as const;
const decided = ["accepted_at", "decided_at"] as const;

/** Tables whose rows belong to a store, by `client_id`. */
export const movedTables: readonly MovedTable[] = [
  { name: "store_setup", times: ["dismissed_at", "widget_found_at", "updated_at"] },
  { name: "products", times: written },
  { name: "feeds", times: ["next_run_at", "asked_at", "last_run_at", ...written] },
  { name: "feed_uploads", times: ["created_at"] },
  { name: "feed_imports", times: ["started_at", "finished_at"] },
  { name: "review_imports", times: ["created_at", "imported_at", "undone_at"] },
  { name: "customers", times: written },
  { name: "customer_emails", times: ["created_at"] },
  { name: "orders", times: written },
  { name: "order_items", times: ["held_at", ...written], days: ["delivery_date", "held_until"] },
  { name: "item_notes", times: ["at"], days: ["until"] },
  {
    name: "invitations",
    times: [
      "claimed_at",
      "sent_at",
      "expires_at",
      "delivered_at",
      "bounced_at",
      "opened_at",
      "clicked_at",
      "handed_at",
      "taken_at",
      "reviewed_at",
      ...written,
    ],
    days: ["day"],
  },
  { name: "quarantines", times: [], days: ["last_day", "erased_until"] },
  { name: "erased_hashes", times: ["erased_at"] },
  { name: "send_days", times: [], days: ["day"], keyedByDay: true },
  { name: "suppressions", times: ["created_at"] },
  { name: "mails", times: ["created_at", "sent_at"] },
  { name: "reviews", times: ["terms_agreed_at", ...decided, ...written], days: ["date"] },
  { name: "seller_reviews", times: ["terms_agreed_at", ...decided, ...written], days: ["date"] },
  { name: "questions", times: ["terms_agreed_at", ...decided, ...written], days: ["date"] },
  { name: "answers", times: ["mailed_at", ...decided, ...written], days: ["date"] },
  { name: "responses", times: written, days: ["date"] },
  // Compared with `updated_at` of the text.
  { name: "review_words", times: ["text_at"] },
  { name: "seller_review_words", times: ["text_at"] },
  { name: "question_words", times: ["text_at"] },
  { name: "item_assignments", times: ["assigned_at"] },
  { name: "moderation_notes", times: ["created_at", "edited_at"] },
  { name: "reply_templates", times: ["created_at"] },
  { name: "template_versions", times: ["created_at"] },
  { name: "digests", times: ["updated_at"] },
  { name: "notifications", times: ["created_at", "again_at", "read_at", "emailed_at"] },
  { name: "votes", times: written },
  { name: "flags", times: ["created_at", "resolved_at"] },
  { name: "uploads", times: ["hidden_at", "queued_at", "claimed_at", "created_at", ...decided] },
  { name: "submissions", times: ["created_at"] },
  { name: "review_counts", times: [], days: ["date"] },
  { name: "external_totals", times: ["updated_at"] },
  { name: "moderation_events", times: ["at"] },
  { name: "moderation_findings", times: ["created_at"] },
  { name: "moderation_prints", times: ["created_at", "expires_at"] },
  { name: "action_links", times: ["expires_at", "used_at", "created_at"] },
  { name: "deletion_requests", times: ["created_at"] },
  { name: "integrations", times: ["last_run_at", ...written] },
  { name: "integration_runs", times: ["started_at", "finished_at"] },
  { name: "share_rows", times: ["imported_at"] },
  { name: "deliveries", times: ["due_at", "asked_at", ...written] },
  {
    name: "webhooks",
    times: ["paused_at", "disabled_at", "failing_since", "next_try_at", "last_sent_at", ...written],
  },
  { name: "webhook_deliveries", times: ["happened_at", "due_at", "tried_at", "created_at"] },
  // Events that have been delivered belong to the jobs, which run in real time.
  { name: "outbox", times: ["created_at", "available_at"], where: "relayed_at is null" },
  { name: "job_failures", times: ["failed_since", "failed_at"] },
];

/** Times and days that stay, and why: `table`, or `table.column`. */
export const unmovedTimes: Readonly<Record<string, string>> = {
  accounts: "of the installation",
  api_keys: "of the installation",
  audit_entries: "what people really did, and when",
  clients: "the store itself; `test_days` counts instead",
  "deletion_requests.touched_at": "when a process was last seen working",
  "digests.last_day": "the team's digests come in real time",
  idempotency_keys: "callers retry in real time",
  job_runs: "jobs run in real time",
  job_steps: "jobs run in real time",
  lasting_secret: "of the installation",
  log_figures: "a test store has no log",
  log_keys: "of the installation",
  logs: "a test store has no log",
  "mails.doubtful_since": "a lease of a process",
  "mails.handed_at": "a lease of a process",
  "outbox.clock_at": "the clock of a job",
  "outbox.relayed_at": "jobs run in real time",
  "outbox.taken_until": "a lease of a process",
  partner_paces: "of partners, who live in real time",
  password_links: "people of the installation",
  portal_sessions: "people of the installation",
  queue_looks: "what people are looking at",
  recorded_exclusions: "a test store has none",
  "review_imports.touched_at": "when a process was last seen working",
  saved_views: "people of the installation",
  users: "people of the installation",
};
