/** What the browser needs of this room besides types: no schemas here. */

/** What a key may be made for; each is explained where it is chosen. */
export const scopes = ["read", "write", "privacy"] as const;

/** Roles that an admin may give; operators are made on the server. */
export const givenRoles = ["viewer", "moderator", "admin"] as const;

/** Characters of a password, at least and at most. */
export const PASSWORD = { least: 10, most: 1_000 } as const;
