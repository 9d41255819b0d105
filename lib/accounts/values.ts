/** Values the browser needs from lib/accounts besides types: no schemas here. */

/** Scopes of a key; the form explains each. */
export const scopes = ["read", "write", "privacy"] as const;

/** Most stores that a page loads for the store switcher; others are found by a search on the server. */
export const MAX_LISTED_STORES = 200;

/** Roles that an admin can assign; operators are created on the server. */
export const assignableRoles = ["viewer", "moderator", "admin"] as const;

/** Minimum and maximum length of a password, in characters. */
export const PASSWORD = { min: 10, max: 1_000 } as const;

/** Actions in the audit log, in the field's terms. The portal has labels for each (audit-labels.ts). */
export type AuditAction =
  | "client.created"
  | "client.updated"
  | "key.created"
  | "key.revoked"
  | "user.invited"
  | "user.changed"
  | "user.disabled"
  | "user.enabled"
  | "user.link_mailed"
  | "user.address_changed"
  | "password.set"
  | "password.reset"
  | "password.changed"
  | "second_factor.enabled"
  | "second_factor.disabled"
  | "feed.created"
  | "feed.updated"
  | "feed.deleted"
  | "feed.uploaded"
  | "integration.created"
  | "integration.updated"
  | "integration.paused"
  | "integration.resumed"
  | "integration.removed"
  | "integration.retried"
  | "integration.deletions_confirmed"
  | "webhook.created"
  | "webhook.updated"
  | "webhook.rotated"
  | "webhook.paused"
  | "webhook.resumed"
  | "webhook.removed"
  | "webhook.replayed"
  | "order.tried"
  | "order.held"
  | "order.released"
  | "order.excluded"
  | "order.included"
  | "order.sent"
  | "personal_data.deleted"
  | "personal_data.copied"
  | "reviews.exported"
  | "reviews.uploaded"
  | "reviews.imported"
  | "reviews.import_undone"
  | "test_clock.advanced"
  | "test_store.filled"
  | "test_store.link_replaced";

/** Names of details in an audit entry, besides the names of settings. The portal has labels for each. */
export type AuditDetailName =
  | "name"
  | "scopes"
  | "username"
  | "role"
  | "roles"
  | "was"
  | "all_clients"
  | "clients"
  | "other_clients"
  | "url"
  | "schedule"
  | "enabled"
  | "format"
  | "kind"
  | "filename"
  | "confirm_deletions"
  | "secrets"
  | "retried"
  | "replayed"
  | "items"
  | "until"
  | "removed"
  | "requested_at"
  | "held"
  | "days";
