import { z } from "zod";
import { givenRoles, PASSWORD, scopes } from "@/lib/accounts/values";
import { clientId, cursor, day, emailAddress, filledText, text, timestamp } from "@/lib/platform/http/fields";
import { languages } from "@/lib/platform/i18n/languages";
import { because } from "@/lib/platform/issue";

export const ClientQuery = z.object({ client_id: clientId });
export const IdParams = z.object({ id: text(100) });

const chosenClients = z
  .array(text(100))
  .min(1, { error: because("none_named") })
  .max(1_000, { error: because("too_many_named", { max: 1000 }) })
  .meta({ description: "Ids of clients that the person reaches." });

export const NewApiKey = z.object({
  name: filledText(100).meta({ description: "What it is for, to know it again." }),
  scopes: z.array(z.enum(scopes)).min(1, { error: because("none_held") }),
  clients: chosenClients.optional().meta({ description: "Whom it reaches; the call's client where left out." }),
});

export const IssuedApiKey = z.object({
  id: z.string(),
  secret: z.string().meta({ description: "Told this once; only its hash is kept." }),
});

export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().meta({ description: "How the secret begins." }),
  scopes: z.array(z.enum(scopes)),
  clients: z.array(z.string()).meta({ description: "Of the clients it reaches those that the person reaches too." }),
  other_clients: z.number().int().meta({ description: "How many more it reaches." }),
  created_at: timestamp,
  created_by: z.string().nullable(),
  last_used_at: timestamp.nullable().meta({ description: "Written down once a minute." }),
  revoked_at: timestamp.nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const Password = text(PASSWORD.most)
  .refine((value) => [...value].length >= PASSWORD.least, {
    error: because("password_too_short", { min: PASSWORD.least }),
  })
  .meta({ minLength: PASSWORD.least });

/** Basic auth sets user name and password apart by a colon. */
export const isUserName = (value: string): boolean => /^[^\s:]{1,100}$/.test(value);
export const userNameRule = { reason: "invalid_username", params: { min: 1, max: 100 } } as const;
const username = z
  .string()
  .refine(isUserName, { error: because(userNameRule.reason, userNameRule.params) })
  .meta({ minLength: 1, maxLength: 100 });
const personName = text(100).nullable().meta({ description: "What others call the person; null for none." });
const wholeAccount = z.boolean().meta({ description: "All clients of the account, later ones too." });

const roles = z
  .record(text(100), z.enum(givenRoles))
  .meta({ description: "The role at single clients named for the person, where it is not `role`." });

export const NewPerson = z.object({
  email: emailAddress,
  username: username
    .optional()
    .meta({ description: "What the person signs in with; the e-mail address where left out." }),
  name: personName.optional(),
  role: z.enum(givenRoles),
  roles: roles.optional(),
  clients: chosenClients.optional().meta({ description: "Whom the person reaches; the call's client where left out." }),
  all_clients: wholeAccount.optional(),
});

export const InvitedPerson = z.object({ id: z.string(), username: z.string() });

export const PersonChange = z.object({
  role: z.enum(givenRoles).optional(),
  roles: roles.optional().meta({ description: "All of them: a client left out has the usual role again." }),
  clients: chosenClients.optional(),
  all_clients: wholeAccount.optional(),
  disabled: z.boolean().optional(),
  second_factor: z
    .literal(false)
    .optional()
    .meta({ description: "Takes it away from somebody who lost app and codes." }),
});

export const PersonLine = z.object({
  id: z.string(),
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  role: z.enum([...givenRoles, "operator"]),
  roles,
  state: z.enum(["invited", "active", "disabled"]).meta({ description: "`invited`: has not signed in yet." }),
  all_clients: z.boolean(),
  clients: z
    .array(z.string())
    .meta({ description: "Of the clients named for the person those that the caller reaches too." }),
  other_clients: z.number().int(),
  second_factor: z.boolean(),
  last_sign_in_at: timestamp.nullable(),
  created_at: timestamp,
  may_change: z.boolean().meta({ description: "Whether the caller may change the person's role and reach." }),
});
export type PersonLine = z.infer<typeof PersonLine>;

export const OwnAccount = z.object({
  username: z.string(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  language: z
    .enum(languages)
    .nullable()
    .meta({ description: "In which the portal speaks to the person, and mails to them are written." }),
  role: z.enum([...givenRoles, "operator"]),
  roles,
  second_factor: z.boolean(),
  recovery_codes: z.number().int().meta({ description: "How many codes for a lost app are left." }),
  demo: z.boolean().meta({ description: "The demo's login, which cannot be changed." }),
});
export type OwnAccount = z.infer<typeof OwnAccount>;

export const OwnChange = z.object({
  name: personName.optional(),
  language: z.enum(languages).nullable().optional(),
  email: emailAddress.optional(),
  password: text(PASSWORD.most).optional().meta({ description: "The present one; needed to change the address." }),
});

export const PasswordChange = z.object({ current: text(PASSWORD.most), password: Password });

export const OwnPassword = z.object({ password: text(PASSWORD.most) });
export const NewSecondFactor = z.object({
  secret: z.string().meta({ description: "Base32, to be typed into an app; told this once." }),
  uri: z.string().meta({ description: "`otpauth://…`, as apps read it from a picture." }),
});
export const SecondFactorCode = z.object({ code: text(20) });
export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).meta({ description: "Each lets in once in the app's place; told this once." }),
});

export const Session = z.object({
  id: z.string(),
  browser: z.string().nullable().meta({ description: "What the browser says of itself." }),
  address: z.string().nullable(),
  created_at: timestamp,
  last_seen_at: timestamp,
  current: z.boolean().meta({ description: "The one that asks." }),
});
export type Session = z.infer<typeof Session>;

/** What the audit tells of, by the first word of its actions. */
export const auditSubjects = ["client", "key", "user", "password", "second_factor", "feed", "personal_data"] as const;

export const AuditFilter = z.object({
  client_id: clientId,
  what: z
    .string()
    .regex(/^[a-z_]{1,50}$/, { error: because("not_an_action") })
    .optional()
    .meta({ description: "The first word of the actions looked for, such as `key`." }),
  who: text(100).optional().meta({ description: "The id of the person or key that acted." }),
  from: day.optional().meta({ description: "The first day, in the client's time zone." }),
  to: day.optional().meta({ description: "The last day." }),
});
export type AuditFilter = z.output<typeof AuditFilter>;
export const AuditQuery = AuditFilter.extend({ after: cursor });

export const AuditLine = z.object({
  id: z.string(),
  at: timestamp,
  action: z.string().meta({ description: "Such as `key.revoked`." }),
  by: z.string().nullable().meta({ description: "The name of who acted; null where it is not known any more." }),
  by_kind: z.string().meta({ description: "`user`, `key`, `system` …" }),
  by_id: z.string().nullable(),
  subject: z.string().nullable().meta({ description: "The id of what it was done to." }),
  subject_name: z.string().nullable(),
  whole_account: z.boolean().meta({ description: "It is about the whole account, not this client alone." }),
  detail: z.record(z.string(), z.unknown()),
});
export type AuditLine = z.infer<typeof AuditLine>;

export const NewAccount = z.object({ name: filledText(255).meta({ description: "The customer's name." }) });

export const NewClient = z.object({
  id: text(100).meta({ description: "Usually the site's name: letters, digits, dots, hyphens, underscores." }),
  account_id: text(100).meta({ description: "The account it belongs to." }),
  display_name: filledText(255).optional().meta({ description: "The shop's name; its id where left out." }),
});

export const Contract = z.object({
  contract_send_limit: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .meta({ description: "Mails a day that the shop may set as its limit; null: any number." }),
});

/** An account as the operator sees it. `people` and the clients are counted and listed up to a bound. */
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
    /** mails counted against the limit today, by UTC */
    sent_today: number;
  }[];
  /** there are more clients than are listed */
  more: boolean;
};
