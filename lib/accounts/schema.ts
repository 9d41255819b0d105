import { z } from "zod";
import { assignableRoles, PASSWORD, scopes } from "@/lib/accounts/values";
import { clientId, cursor, day, emailAddress, filledText, text, timestamp } from "@/lib/platform/http/fields";
import { languages } from "@/lib/platform/i18n/languages";
import { encodeReason } from "@/lib/platform/issue";

export const ClientQuery = z.object({ client_id: clientId });
export const IdParams = z.object({ id: text(100) });

const chosenClients = z
  .array(text(100))
  .min(1, { error: encodeReason("none_named") })
  .max(1_000, { error: encodeReason("too_many_named", { max: 1000 }) })
  .meta({ description: "Ids of stores that the person has access to." });

export const NewApiKey = z.object({
  name: filledText(100).meta({ description: "Name that helps you recognize the key." }),
  scopes: z.array(z.enum(scopes)).min(1, { error: encodeReason("none_held") }),
  clients: chosenClients
    .optional()
    .meta({ description: "Stores that the key has access to. Default: the store of the call." }),
});

export const IssuedApiKey = z.object({
  id: z.string(),
  secret: z.string().meta({ description: "Secret of the key. Shown only in this response." }),
});

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().meta({ description: "First characters of the secret." }),
  scopes: z.array(z.enum(scopes)),
  clients: z
    .array(z.string())
    .meta({ description: "Stores that both the key and the signed-in person have access to." }),
  other_clients: z.number().int().meta({ description: "Number of further stores that the key has access to." }),
  created_at: timestamp,
  created_by: z.string().nullable(),
  last_used_at: timestamp.nullable().meta({ description: "Time of the last use, updated at most once a minute." }),
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const Password = text(PASSWORD.max)
  .refine((value) => [...value].length >= PASSWORD.min, {
    error: encodeReason("password_too_short", { min: PASSWORD.min }),
  })
  .meta({ minLength: PASSWORD.min });

/** Basic auth separates user name and password by a colon. */
export const isUserName = (value: string): boolean => /^[^\s:]{1,100}$/.test(value);
export const userNameRule = { reason: "invalid_username", params: { min: 1, max: 100 } } as const;
const username = z
  .string()
  .refine(isUserName, { error: encodeReason(userNameRule.reason, userNameRule.params) })
  .meta({ minLength: 1, maxLength: 100 });
const personName = text(100).nullable().meta({ description: "Display name, or null." });
const allClientsField = z
  .boolean()
  .meta({ description: "Whether the person has access to all stores of the account, including future ones." });

const roles = z
  .record(text(100), z.enum(assignableRoles))
  .meta({ description: "Roles at individual stores that differ from `role`." });

export const NewPerson = z.object({
  email: emailAddress,
  username: username.optional().meta({ description: "Name to sign in with. Default: the email address." }),
  name: personName.optional(),
  role: z.enum(assignableRoles),
  roles: roles.optional(),
  clients: chosenClients
    .optional()
    .meta({ description: "Stores that the person has access to. Default: the store of the call." }),
  all_clients: allClientsField.optional(),
});

export const InvitedPerson = z.object({ id: z.string(), username: z.string() });

export const PersonChange = z.object({
  role: z.enum(assignableRoles).optional(),
  roles: roles.optional().meta({
    description: "Roles at individual stores, replaced as a whole. Stores that are left out get the role in `role`.",
  }),
  clients: chosenClients.optional(),
  all_clients: allClientsField.optional(),
  disabled: z.boolean().optional(),
  second_factor: z.literal(false).optional().meta({
    description: "`false` disables two-factor authentication, for people who lost their app and recovery codes.",
  }),
});

export const PersonLine = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum([...assignableRoles, "operator"]),
  roles,
  state: z.enum(["invited", "active", "disabled"]).meta({ description: "`invited` until the first sign-in." }),
  all_clients: z.boolean(),
  clients: z.array(z.string()).meta({ description: "Stores that both this person and the caller have access to." }),
  other_clients: z.number().int(),
  second_factor: z.boolean(),
  last_sign_in_at: timestamp.nullable(),
  created_at: timestamp,
  may_change: z.boolean().meta({ description: "Whether the caller may change this person's role and stores." }),
});
export type PersonLine = z.infer<typeof PersonLine>;

export const OwnAccount = z.object({
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  language: z.enum(languages).nullable().meta({ description: "Language of the portal and of emails to the person." }),
  role: z.enum([...assignableRoles, "operator"]),
  roles,
  second_factor: z.boolean(),
  recovery_codes: z.number().int().meta({ description: "Number of unused recovery codes." }),
  hide_stars: z
    .boolean()
    .meta({ description: "Whether the portal hides the stars of reviews that aren't decided yet, at every store." }),
  demo: z.boolean().meta({ description: "Whether this is the demo sign-in, which can't be changed." }),
});
export type OwnAccount = z.infer<typeof OwnAccount>;

export const OwnChange = z.object({
  name: personName.optional(),
  language: z.enum(languages).nullable().optional(),
  hide_stars: z.boolean().optional(),
  email: emailAddress.optional(),
  password: text(PASSWORD.max)
    .optional()
    .meta({ description: "Current password. Required to change the email address." }),
});

export const PasswordChange = z.object({ current: text(PASSWORD.max), password: Password });

export const OwnPassword = z.object({ password: text(PASSWORD.max) });
export const NewSecondFactor = z.object({
  secret: z
    .string()
    .meta({ description: "Base32 secret to enter in an authenticator app. Shown only in this response." }),
  uri: z.string().meta({ description: "`otpauth://…` URL for a QR code." }),
});
export const SecondFactorCode = z.object({ code: text(20) });
export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).meta({
    description: "Recovery codes. Each works once instead of a code from the app. Shown only in this response.",
  }),
});

export const Session = z.object({
  id: z.string(),
  browser: z.string().nullable().meta({ description: "Browser as named by its user agent." }),
  address: z.string().nullable(),
  created_at: timestamp,
  last_seen_at: timestamp,
  current: z.boolean().meta({ description: "Whether this is the session that made the call." }),
});
export type Session = z.infer<typeof Session>;

/** Subjects of the audit log: the first word of its actions. */
export const auditSubjects = ["client", "key", "user", "password", "second_factor", "feed", "personal_data"] as const;

export const AuditFilter = z.object({
  client_id: clientId,
  what: z
    .string()
    .regex(/^[a-z_]{1,50}$/, { error: encodeReason("not_an_action") })
    .optional()
    .meta({ description: "First word of the actions to list, such as `key`." }),
  who: text(100).optional().meta({ description: "Id of the person or key that made the change." }),
  from: day.optional().meta({ description: "First day, in the store's time zone." }),
  to: day.optional().meta({ description: "Last day, in the store's time zone." }),
});
export type AuditFilter = z.output<typeof AuditFilter>;
export const AuditQuery = AuditFilter.extend({ after: cursor });

export const AuditLine = z.object({
  id: z.string(),
  at: timestamp,
  action: z.string().meta({ description: "Action, such as `key.revoked`." }),
  by: z
    .string()
    .nullable()
    .meta({ description: "Name of the person or key that made the change; null if no longer known." }),
  by_kind: z.string().meta({ description: "Kind of actor: `user`, `key`, `system` and others." }),
  by_id: z.string().nullable(),
  subject: z.string().nullable().meta({ description: "Id of what was changed." }),
  subject_name: z.string().nullable(),
  whole_account: z
    .boolean()
    .meta({ description: "Whether the entry is about the whole account instead of this store." }),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof AuditLine>;

export const NewAccount = z.object({ name: filledText(255).meta({ description: "Name of the account." }) });

export const NewClient = z.object({
  id: text(100).meta({
    description: "Id of the store, usually its domain: letters, digits, dots, hyphens, underscores.",
  }),
  account_id: text(100).meta({ description: "Account that the store belongs to." }),
  display_name: filledText(255).optional().meta({ description: "Name of the store. Default: its id." }),
  test: z.boolean().default(false).meta({ description: "Whether it is a test store, with a clock of its own." }),
});

export const Contract = z.object({
  contract_send_limit: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .meta({ description: "Highest value the store may set as `send_limit`, in emails per day; null for no limit." }),
});

/** An account as shown to operators. `people` and the clients are counted and listed up to a limit. */
export type AccountLine = {
  id: string;
  name: string;
  demo: boolean;
  people: number;
  clients: {
    id: string;
    display_name: string;
    send_limit: number;
    contract_send_limit: number | null;
    own_moderation: boolean;
    test: boolean;
    /** emails counted against today's limit, in UTC */
    sent_today: number;
  }[];
  /** there are more clients than listed */
  more: boolean;
};

/** A team member who may moderate at the store. */
export const Colleague = z.object({ id: z.string(), name: z.string() });
export type Colleague = z.infer<typeof Colleague>;
