import { z } from "zod";
import {
  ApiKey,
  AuditFilter,
  AuditLine,
  AuditQuery,
  ClientQuery,
  Colleague,
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
import { filledText, page, single } from "@/lib/platform/http/fields";

const admins = { tag: "Portal", auth: "session", role: "admin", query: ClientQuery } as const;

export const listApiKeysContract = endpoint({
  ...admins,
  id: "portal.api_keys.list",
  method: "GET",
  path: "/portal/api/v1/api_keys",
  summary: "List a store's API keys, active and newest first",
  response: z.object({ data: z.array(ApiKey) }),
});

export const createApiKeyContract = endpoint({
  ...admins,
  id: "portal.api_keys.create",
  method: "POST",
  path: "/portal/api/v1/api_keys",
  summary: "Create an API key",
  body: NewApiKey,
  status: 201,
  response: single(IssuedApiKey),
  errors: ["not_found"],
});

export const revokeApiKeyContract = endpoint({
  ...admins,
  id: "portal.api_keys.revoke",
  method: "DELETE",
  path: "/portal/api/v1/api_keys/{id}",
  summary: "Revoke an API key",
  description:
    "The key stops working within a second. `forbidden` if the key also has access to stores that the caller can't access.",
  params: IdParams,
  status: 204,
});

export const listPeopleContract = endpoint({
  ...admins,
  id: "portal.users.list",
  method: "GET",
  path: "/portal/api/v1/users",
  summary: "List a store's team members",
  response: z.object({ data: z.array(PersonLine) }),
});

export const invitePersonContract = endpoint({
  ...admins,
  id: "portal.users.invite",
  method: "POST",
  path: "/portal/api/v1/users",
  summary: "Invite a team member by email",
  body: NewPerson,
  status: 201,
  response: single(InvitedPerson),
  errors: ["conflict", "not_found"],
});

export const changePersonContract = endpoint({
  ...admins,
  id: "portal.users.change",
  method: "PUT",
  path: "/portal/api/v1/users/{id}",
  summary: "Change a team member's role or stores, deactivate or reactivate them",
  description:
    "A new role ends the person's sessions. You can't change yourself, or anyone with access to more stores than you.",
  params: IdParams,
  body: PersonChange,
  status: 204,
});

export const mailPersonContract = endpoint({
  ...admins,
  id: "portal.users.mail",
  method: "POST",
  path: "/portal/api/v1/users/{id}/link",
  summary: "Email a team member a new link to set a password",
  params: IdParams,
  status: 204,
  errors: ["conflict"],
});

export const listAuditContract = endpoint({
  ...admins,
  id: "portal.audit.list",
  method: "GET",
  path: "/portal/api/v1/audit",
  summary: "List audit log entries, newest first",
  description:
    "Entries about the whole account are listed only for people with access to all of its stores. A page can have few entries and still have a next one.",
  query: AuditQuery,
  response: page(AuditLine),
});

export const auditCsvContract = endpoint({
  ...admins,
  id: "portal.audit.csv",
  method: "GET",
  path: "/portal/api/v1/audit/csv",
  summary: "Export the matching audit log entries as CSV",
  query: AuditFilter,
  produces: "text/csv; charset=utf-8",
});

/** Endpoints with which people manage their own login. */
const own = { tag: "Portal", auth: "session", client: "none", scope: "read", role: "viewer" } as const;

export const getAccountContract = endpoint({
  ...own,
  id: "portal.account.get",
  method: "GET",
  path: "/portal/api/v1/account",
  summary: "Retrieve the signed-in person",
  response: single(OwnAccount),
});

export const changeAccountContract = endpoint({
  ...own,
  id: "portal.account.change",
  method: "PUT",
  path: "/portal/api/v1/account",
  summary: "Update the signed-in person's name, language or email address",
  body: OwnChange,
  status: 204,
});

export const changePasswordContract = endpoint({
  ...own,
  id: "portal.account.password",
  method: "PUT",
  path: "/portal/api/v1/account/password",
  summary: "Change the signed-in person's password and end their other sessions",
  body: PasswordChange,
  status: 204,
  errors: ["conflict"],
});

export const listSessionsContract = endpoint({
  ...own,
  id: "portal.sessions.list",
  method: "GET",
  path: "/portal/api/v1/account/sessions",
  summary: "List the signed-in person's sessions, latest first",
  response: z.object({ data: z.array(Session) }),
});

export const endSessionsContract = endpoint({
  ...own,
  id: "portal.sessions.end_others",
  method: "DELETE",
  path: "/portal/api/v1/account/sessions",
  summary: "End all other sessions",
  status: 204,
});

export const endSessionContract = endpoint({
  ...own,
  id: "portal.sessions.end",
  method: "DELETE",
  path: "/portal/api/v1/account/sessions/{id}",
  summary: "End a session",
  params: IdParams,
  status: 204,
});

const operators = { tag: "Portal", auth: "session", role: "operator", client: "none" } as const;

export const createAccountContract = endpoint({
  ...operators,
  id: "portal.accounts.create",
  method: "POST",
  path: "/portal/api/v1/accounts",
  summary: "Create an account",
  body: NewAccount,
  status: 201,
  response: single(z.object({ id: z.string(), name: z.string() })),
});

export const createClientContract = endpoint({
  ...operators,
  id: "portal.clients.create",
  method: "POST",
  path: "/portal/api/v1/clients",
  summary: "Create a store in an account, with default settings",
  body: NewClient,
  status: 201,
  response: single(z.object({ id: z.string() })),
  errors: ["conflict", "not_found"],
});

export const findStoresContract = endpoint({
  tag: "Portal",
  auth: "session",
  client: "all",
  id: "portal.stores",
  method: "GET",
  path: "/portal/api/v1/stores",
  summary: "Find the signed-in person's stores by id or name",
  description: "Up to 20 stores that contain the text: first the one with this id, then by name.",
  query: z.object({ q: filledText(200) }),
  response: single(z.object({ id: z.string(), display_name: z.string() }).array()),
});

export const setContractContract = endpoint({
  ...operators,
  id: "portal.clients.contract",
  method: "PUT",
  path: "/portal/api/v1/clients/{id}/contract",
  summary: "Set the limits of a store's contract",
  params: IdParams,
  body: Contract,
  status: 204,
});

export const startSecondFactorContract = endpoint({
  ...own,
  id: "portal.second_factor.begin",
  method: "POST",
  path: "/portal/api/v1/account/second_factor",
  summary: "Start two-factor setup and get a secret for an authenticator app",
  body: OwnPassword,
  response: single(NewSecondFactor),
});

export const confirmSecondFactorContract = endpoint({
  ...own,
  id: "portal.second_factor.confirm",
  method: "POST",
  path: "/portal/api/v1/account/second_factor/confirm",
  summary: "Enable two-factor authentication and end all other sessions",
  body: SecondFactorCode,
  response: single(RecoveryCodes),
  errors: ["conflict"],
});

export const removeSecondFactorContract = endpoint({
  ...own,
  id: "portal.second_factor.remove",
  method: "POST",
  path: "/portal/api/v1/account/second_factor/remove",
  summary: "Disable two-factor authentication",
  body: OwnPassword,
  status: 204,
});

export const listColleaguesContract = endpoint({
  ...admins,
  id: "portal.colleagues",
  role: "moderator",
  method: "GET",
  path: "/portal/api/v1/colleagues",
  summary: "List the people who can moderate the store's content, by name",
  response: z.object({ data: z.array(Colleague) }),
});
