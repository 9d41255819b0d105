import { z } from "zod";
import {
  ApiKey,
  AuditFilter,
  AuditLine,
  AuditQuery,
  ClientQuery,
  Contract,
  IdParams,
  InvitedPerson,
  IssuedApiKey,
  NewAccount,
  NewApiKey,
  NewClient,
  NewPerson,
  NewSecondFactor,
  OwnAccount,
  OwnChange,
  OwnPassword,
  PasswordChange,
  PersonChange,
  PersonLine,
  RecoveryCodes,
  SecondFactorCode,
  Session,
} from "@/lib/accounts/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { page, single } from "@/lib/platform/http/fields";

const admins = { tag: "Portal", auth: "session", role: "admin", query: ClientQuery } as const;

export const listApiKeysContract = endpoint({
  ...admins,
  id: "portal.api_keys.list",
  method: "GET",
  path: "/portal/api/v1/api_keys",
  summary: "Keys that reach a client, without their secrets: those in use first, the newest first",
  response: z.object({ data: z.array(ApiKey) }),
});

export const createApiKeyContract = endpoint({
  ...admins,
  id: "portal.api_keys.create",
  method: "POST",
  path: "/portal/api/v1/api_keys",
  summary: "Make a key for some of the person's clients; its secret is told this once",
  body: NewApiKey,
  status: 201,
  response: single(IssuedApiKey),
  refusals: ["not_found"],
});

export const revokeApiKeyContract = endpoint({
  ...admins,
  id: "portal.api_keys.revoke",
  method: "DELETE",
  path: "/portal/api/v1/api_keys/{id}",
  summary: "End a key: it is refused everywhere within a second",
  description: "A key that reaches clients which are not the person's is theirs to end: `forbidden`.",
  params: IdParams,
  status: 204,
});

export const listPeopleContract = endpoint({
  ...admins,
  id: "portal.users.list",
  method: "GET",
  path: "/portal/api/v1/users",
  summary: "People who reach a client",
  response: z.object({ data: z.array(PersonLine) }),
});

export const invitePersonContract = endpoint({
  ...admins,
  id: "portal.users.invite",
  method: "POST",
  path: "/portal/api/v1/users",
  summary: "Invite somebody by a mail with a link to set a password",
  body: NewPerson,
  status: 201,
  response: single(InvitedPerson),
  refusals: ["conflict", "not_found"],
});

export const changePersonContract = endpoint({
  ...admins,
  id: "portal.users.change",
  method: "PUT",
  path: "/portal/api/v1/users/{id}",
  summary: "Change somebody's role or clients, shut them out or let them in again",
  description:
    "A new role ends the person's sessions. Nobody changes their own, nor that of somebody who reaches further.",
  params: IdParams,
  body: PersonChange,
  status: 204,
});

export const mailPersonContract = endpoint({
  ...admins,
  id: "portal.users.mail",
  method: "POST",
  path: "/portal/api/v1/users/{id}/link",
  summary: "Mail somebody a new link to set a password; earlier ones end",
  params: IdParams,
  status: 204,
  refusals: ["conflict"],
});

export const listAuditContract = endpoint({
  ...admins,
  id: "portal.audit.list",
  method: "GET",
  path: "/portal/api/v1/audit",
  summary: "Who did what, the newest first",
  description:
    "What is about the whole account is told to those who reach all of it. A page may hold few lines and still have a next one.",
  query: AuditQuery,
  response: page(AuditLine),
});

export const auditCsvContract = endpoint({
  ...admins,
  id: "portal.audit.csv",
  method: "GET",
  path: "/portal/api/v1/audit/csv",
  summary: "All of it that fits the filter as a CSV file, written as it is read",
  query: AuditFilter,
  produces: "text/csv; charset=utf-8",
});

/** What everybody may do with their own login. */
const own = { tag: "Portal", auth: "session", client: "none", scope: "read", role: "viewer" } as const;

export const getAccountContract = endpoint({
  ...own,
  id: "portal.account.get",
  method: "GET",
  path: "/portal/api/v1/account",
  summary: "The caller's own login",
  response: single(OwnAccount),
});

export const changeAccountContract = endpoint({
  ...own,
  id: "portal.account.change",
  method: "PUT",
  path: "/portal/api/v1/account",
  summary: "Change one's own name, language or address",
  body: OwnChange,
  status: 204,
});

export const changePasswordContract = endpoint({
  ...own,
  id: "portal.account.password",
  method: "PUT",
  path: "/portal/api/v1/account/password",
  summary: "Change one's own password; every other session ends",
  body: PasswordChange,
  status: 204,
  refusals: ["conflict"],
});

export const listSessionsContract = endpoint({
  ...own,
  id: "portal.sessions.list",
  method: "GET",
  path: "/portal/api/v1/account/sessions",
  summary: "Where one is signed in, the latest first",
  response: z.object({ data: z.array(Session) }),
});

export const endSessionsContract = endpoint({
  ...own,
  id: "portal.sessions.end_others",
  method: "DELETE",
  path: "/portal/api/v1/account/sessions",
  summary: "End every session but this one",
  status: 204,
});

export const endSessionContract = endpoint({
  ...own,
  id: "portal.sessions.end",
  method: "DELETE",
  path: "/portal/api/v1/account/sessions/{id}",
  summary: "End one session: it is refused within a second",
  params: IdParams,
  status: 204,
});

const operators = { tag: "Portal", auth: "session", role: "operator", client: "none" } as const;

export const createAccountContract = endpoint({
  ...operators,
  id: "portal.accounts.create",
  method: "POST",
  path: "/portal/api/v1/accounts",
  summary: "Make an account: a customer of the operator",
  body: NewAccount,
  status: 201,
  response: single(z.object({ id: z.string(), name: z.string() })),
});

export const createClientContract = endpoint({
  ...operators,
  id: "portal.clients.create",
  method: "POST",
  path: "/portal/api/v1/clients",
  summary: "Make a client in an account, with the settings that every new one has",
  body: NewClient,
  status: 201,
  response: single(z.object({ id: z.string() })),
  refusals: ["conflict", "not_found"],
});

export const setContractContract = endpoint({
  ...operators,
  id: "portal.clients.contract",
  method: "PUT",
  path: "/portal/api/v1/clients/{id}/contract",
  summary: "Set what a client's contract allows",
  params: IdParams,
  body: Contract,
  status: 204,
});

export const beginSecondFactorContract = endpoint({
  ...own,
  id: "portal.second_factor.begin",
  method: "POST",
  path: "/portal/api/v1/account/second_factor",
  summary: "Begin with a second factor: a secret for an authenticator app",
  body: OwnPassword,
  response: single(NewSecondFactor),
});

export const confirmSecondFactorContract = endpoint({
  ...own,
  id: "portal.second_factor.confirm",
  method: "POST",
  path: "/portal/api/v1/account/second_factor/confirm",
  summary: "Switch it on with a code of the app; every other session ends",
  body: SecondFactorCode,
  response: single(RecoveryCodes),
  refusals: ["conflict"],
});

export const removeSecondFactorContract = endpoint({
  ...own,
  id: "portal.second_factor.remove",
  method: "POST",
  path: "/portal/api/v1/account/second_factor/remove",
  summary: "Switch one's own second factor off",
  body: OwnPassword,
  status: 204,
});
