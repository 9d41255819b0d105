/** What the browser needs of this room besides types: no schemas here. */

/** What a key may be made for; each is explained where it is chosen. */
export const scopes = ["read", "write", "privacy"] as const;

/** Roles that an admin may give; operators are made on the server. */
export const assignableRoles = ["viewer", "moderator", "admin"] as const;

/** Characters of a password, at least and at most. */
export const PASSWORD = { min: 10, max: 1_000 } as const;

/** What the audit tells of, in the field's words. The portal has words for each (audit-words.ts). */
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
  | "order.sent"
  | "personal_data.deleted"
  | "personal_data.copied";

/** What particulars of a line of the audit are called, besides the names of settings. The portal has words for each. */
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
  | "held";
