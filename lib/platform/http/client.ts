import type { z } from "zod";
import type { Contract } from "@/lib/platform/http/contract";
import { PERSON_HEADER } from "@/lib/platform/http/values";
import { type Language, languageOf } from "@/lib/platform/i18n/languages";
import type { PublicIssue, TranslateError, TranslateNotices } from "@/lib/platform/i18n/translate-errors";
import type { Translate } from "@/lib/platform/i18n/translator";
import { type ErrorCode, errorStatus, type Issue, type Params } from "@/lib/platform/issue";

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

export type CallOptions<C extends Contract> = {
  params?: Record<string, string>;
  /** what is undefined or empty is left out */
  query?: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** sent again with the same one, it has its effect once, and is answered as it was the first time */
  key?: string;
} & (C["body"] extends z.ZodType ? { body: Input<C["body"]> } : { body?: undefined });

/** Why a call failed, in the language of the page. `issues` holds what the service found, each with its place. */
export class CallError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly IssueMessage[];

  constructor(code: ErrorCode, message: string, issues: readonly IssueMessage[] = [], cause?: unknown) {
    super(message, { cause });
    this.name = "CallError";
    this.code = code;
    this.issues = issues;
  }
}

/** An issue in words. */
export type IssueMessage = { field: string | null; message: string };
export type { Issue, PublicIssue as ToldIssue, TranslateNotices };

/** For logs: what went wrong before an answer could be read. */
const unreachable = "The server can’t be reached.";
const unreadable = "The server sent an invalid response.";

/**
 * Calls an endpoint of this origin from the browser, as its contract describes it, with the session of the page, and
 * refused where that is another person's by now. Only the contract's type is needed: its method and path are written once
 * more, and the compiler holds them against it, so that neither the contract nor the schemas go to the browser. A body
 * that holds a file travels as a form. Throws CallError with the service's own code and what it says, in the language of
 * the page; `unavailable` when there is no answer, or not all of it.
 */
export async function call<C extends Contract>(
  route: `${C["method"]} ${C["path"]}`,
  given: CallOptions<C>,
): Promise<Output<C["response"]>> {
  const [method = "", path = ""] = route.split(" ");
  const person = pagePerson();
  const isForm = Object.values(given.body ?? {}).some((value) => value instanceof Blob);
  let response: Response;
  let text: string;
  try {
    response = await fetch(urlOf(path, given), {
      method,
      credentials: "same-origin",
      headers: {
        ...(given.body !== undefined && !isForm && { "Content-Type": "application/json" }),
        ...(person !== undefined && { [PERSON_HEADER]: person }),
        ...(given.key !== undefined && { "Idempotency-Key": given.key }),
      },
      body: given.body === undefined ? undefined : isForm ? formOf(given.body as object) : JSON.stringify(given.body),
      signal: given.signal,
    });
    text = await response.text(); // breaks off with the connection: what became of the call is as unknown
  } catch (cause) {
    if (given.signal?.aborted) throw cause;
    throw new CallError("unavailable", unreachable, [], cause);
  }
  if (!response.ok) throw await toCallError(response.status, text);
  if (text === "") return undefined as Output<C["response"]>;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError("internal", unreadable, [], cause);
  }
}

/**
 * How issues are said in the language of the page. The catalogue comes when something is to be said, and a page without
 * trouble brings no script for it. Where it does not come, the API's English is better than nothing.
 */
export async function loadIssueTranslator(told: readonly unknown[]): Promise<TranslateError> {
  const untranslated: TranslateError = ({ message }) => message;
  if (told.length === 0) return untranslated;
  return import("@/lib/platform/i18n/translate-errors")
    .then(({ translateErrors }) => translateErrors(pageLanguage()))
    .catch(() => untranslated);
}

/** How what these answers tell is said in the language of the page. */
export async function loadNoticeTranslator(
  answers: readonly { readonly notices?: object }[],
): Promise<TranslateNotices> {
  const asTold: TranslateNotices = (notices) => notices.map(({ message }) => message).join(" ");
  if (!answers.some(({ notices }) => notices)) return asTold;
  return import("@/lib/platform/i18n/translate-errors")
    .then(({ translateNotices }) => translateNotices(pageLanguage()))
    .catch(() => asTold);
}

/** Whom the page was drawn for, as the layout of the portal's pages writes it there; undefined elsewhere. */
const pagePerson = (): string | undefined =>
  globalThis.document?.querySelector<HTMLElement>("[data-person]")?.dataset.person;

const pageLanguage = (): Language =>
  typeof document === "undefined" ? "en" : languageOf(document.documentElement.lang);

/** Issues in words: of the service's, or found before anything was sent. */
export async function translateIssues(
  issues: readonly (Issue | (PublicIssue & { field: string | null }))[],
): Promise<IssueMessage[]> {
  const say = await loadIssueTranslator(issues);
  return issues.map((issue) => ({
    field: issue.field,
    message: say("message" in issue ? issue : { ...issue, message: issue.reason }),
  }));
}

/** A body as a form: files as they are, everything else as its text. */
function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, value instanceof Blob ? value : String(value));
  return form;
}

/** The `after` of a page's next link; undefined on the last page. The link's origin may be another name of this server. */
export const nextCursor = (page: { links: { next?: string } }): string | undefined =>
  page.links.next === undefined ? undefined : (new URL(page.links.next).searchParams.get("after") ?? undefined);

/** What to show of a failed call. */
export const messageOf = (error: unknown, t: Translate): string =>
  error instanceof CallError && error.issues.length > 0
    ? error.message
    : t(isUnavailable(error) ? "common.errorOffline" : "common.errorBadResponse");

/** What is wrong with a member of the body, or with something within it; undefined where nothing is. */
export const issueOf = (error: unknown, member: string): string | undefined =>
  error instanceof CallError
    ? error.issues.find(({ field }) => field?.split(/[.[]/)[0] === member)?.message
    : undefined;

/** Everything that a call was refused for, each with its place in the request. */
export const issuesIn = (error: unknown): readonly IssueMessage[] => (error instanceof CallError ? error.issues : []);

/** Whether trying again may help: there was no answer, or the service is away. */
export const isUnavailable = (error: unknown): boolean => error instanceof CallError && error.code === "unavailable";
/** What a failed call was refused for; null where it failed otherwise. */
export const codeOf = (error: unknown): ErrorCode | null => (error instanceof CallError ? error.code : null);

/** Whether the person has to sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.code === "unauthorized";

/** Whether somebody else was first: the message says who and what. */
export const isConflict = (error: unknown): boolean => error instanceof CallError && error.code === "conflict";

function urlOf(route: string, { params = {}, query = {} }: Pick<CallOptions<Contract>, "params" | "query">): string {
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

async function toCallError(status: number, text: string): Promise<CallError> {
  const told = parseErrors(text);
  const say = await loadIssueTranslator(told);
  const [first] = told;
  if (!first)
    return new CallError(status >= 500 ? "unavailable" : "internal", status >= 500 ? unreachable : unreadable);
  const issues = told.map((issue) => ({ field: issue.field, message: say(issue) }));
  const translateWithField = await loadNoticeTranslator([{ notices: told }]);
  return new CallError(first.code, translateWithField([first]), issues);
}

type ErrorEntry = PublicIssue & { code: ErrorCode; field: string | null; params?: Params };

/** The issues that an answer tells; none where it is not ours, as a proxy's page: the status still says what happened. */
function parseErrors(text: string): ErrorEntry[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    return Array.isArray(errors) && errors.every(isErrorEntry) ? errors : [];
  } catch {
    return [];
  }
}

function isErrorEntry(value: unknown): value is ErrorEntry {
  if (typeof value !== "object" || value === null) return false;
  const { code, message, field } = value as Record<string, unknown>;
  const isPlace = field === null || typeof field === "string";
  return isPlace && typeof message === "string" && typeof code === "string" && Object.hasOwn(errorStatus, code);
}
