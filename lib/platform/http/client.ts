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
  /** undefined and empty values are omitted */
  query?: Record<string, string | undefined>;
  signal?: AbortSignal;
  /** idempotency key: a repeated call with the same key takes effect once and gets the same response */
  key?: string;
} & (C["body"] extends z.ZodType ? { body: Input<C["body"]> } : { body?: undefined });

/** Why a call failed, in the page's language. `issues` has the API's errors with their fields. */
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

/** An issue with its translated message. */
export type IssueMessage = { field: string | null; message: string };
export type { Issue, PublicIssue, TranslateNotices };

/** For logs: the response could not be read. */
const UNREACHABLE = "The server can’t be reached.";
const unreadable = "The server sent an invalid response.";

/**
 * Calls an endpoint of this origin from the browser with the page's session; fails if that now belongs to another
 * person. Takes only the contract's type: the route is repeated as a string and checked by the compiler, so that
 * contracts and schemas stay out of the browser. A body with a file is sent as a form. Throws CallError with the API's
 * code and messages in the page's language, or `unavailable` without a complete response.
 */
export async function call<C extends Contract>(
  route: `${C["method"]} ${C["path"]}`,
  given: CallOptions<C>,
): Promise<Output<C["response"]>> {
  // Reading may fail if the connection breaks: the result of the call is then unknown too.
  const { response, text } = await reachable(given.signal, async () => {
    const answer = await send(route, given);
    return { response: answer, text: await answer.text() };
  });
  if (!response.ok) throw await toCallError(response.status, text);
  if (text === "") return undefined as Output<C["response"]>;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CallError("internal", unreadable, [], cause);
  }
}

/**
 * Reads a file from an endpoint of this origin, like `call`, and passes each part of it on as it arrives. The browser
 * moves large files from memory to disk.
 */
export async function download<C extends Contract>(
  route: `${C["method"]} ${C["path"]}`,
  given: CallOptions<C>,
  onPart: (part: Uint8Array, headers: Headers) => void,
): Promise<Blob> {
  const response = await reachable(given.signal, () => send(route, given));
  if (!response.ok || !response.body) throw await toCallError(response.status, await response.text());
  const { body, headers } = response;
  return await reachable(given.signal, async () => {
    const parts = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        onPart(part, headers);
        controller.enqueue(part);
      },
    });
    return await new Response(body.pipeThrough(parts)).blob();
  });
}

/** Reports a network failure as `unavailable`; one that the caller requested is passed on. */
async function reachable<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new CallError("unavailable", UNREACHABLE, [], cause);
  }
}

function send<C extends Contract>(route: string, given: CallOptions<C>): Promise<Response> {
  const [method = "", path = ""] = route.split(" ");
  const person = pagePerson();
  const isForm = Object.values(given.body ?? {}).some((value) => value instanceof Blob);
  return fetch(urlOf(path, given), {
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
}

/**
 * Translates issues to the page's language. Loads the messages only when needed; if that fails, uses the API's English
 * text.
 */
export async function loadIssueTranslator(issues: readonly unknown[]): Promise<TranslateError> {
  const untranslated: TranslateError = ({ message }) => message;
  if (issues.length === 0) return untranslated;
  return import("@/lib/platform/i18n/translate-errors")
    .then(({ translateErrors }) => translateErrors(pageLanguage()))
    .catch(() => untranslated);
}

/** Translates the notices of these responses to the page's language. */
export async function loadNoticeTranslator(
  answers: readonly { readonly notices?: object }[],
): Promise<TranslateNotices> {
  const untranslated: TranslateNotices = (notices) => notices.map(({ message }) => message).join(" ");
  if (!answers.some(({ notices }) => notices)) return untranslated;
  return import("@/lib/platform/i18n/translate-errors")
    .then(({ translateNotices }) => translateNotices(pageLanguage()))
    .catch(() => untranslated);
}

/** The person the page was rendered for, as written by the portal's layout. Undefined elsewhere. */
const pagePerson = (): string | undefined =>
  globalThis.document?.querySelector<HTMLElement>("[data-person]")?.dataset.person;

const pageLanguage = (): Language =>
  typeof document === "undefined" ? "en" : languageOf(document.documentElement.lang);

/** Translates issues of the API, or issues found before a call. */
export async function translateIssues(
  issues: readonly (Issue | (PublicIssue & { field: string | null }))[],
): Promise<IssueMessage[]> {
  const translate = await loadIssueTranslator(issues);
  return issues.map((issue) => ({
    field: issue.field,
    message: translate("message" in issue ? issue : { ...issue, message: issue.reason }),
  }));
}

/** A body as a form: files unchanged, everything else as text. */
function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, value instanceof Blob ? value : String(value));
  return form;
}

/** The `after` of a page's next link; undefined on the last page. The link's origin may differ from the page's. */
export const nextCursor = (page: { links: { next?: string } }): string | undefined =>
  page.links.next === undefined ? undefined : (new URL(page.links.next).searchParams.get("after") ?? undefined);

/** The message to show for a failed call. */
export const messageOf = (error: unknown, t: Translate): string =>
  error instanceof CallError && error.issues.length > 0
    ? error.message
    : t(isUnavailable(error) ? "common.errorOffline" : "common.errorBadResponse");

/** The message of the first issue at a member of the body or within it. Undefined if there is none. */
export const issueOf = (error: unknown, member: string): string | undefined =>
  error instanceof CallError
    ? error.issues.find(({ field }) => field?.split(/[.[]/)[0] === member)?.message
    : undefined;

/** All issues of a failed call, with their fields. */
export const issuesIn = (error: unknown): readonly IssueMessage[] => (error instanceof CallError ? error.issues : []);

/** Whether a retry may help: no response, or the service is unavailable. */
export const isUnavailable = (error: unknown): boolean => error instanceof CallError && error.code === "unavailable";
/** The error code of a failed call. Null for other errors. */
export const codeOf = (error: unknown): ErrorCode | null => (error instanceof CallError ? error.code : null);

/** Whether the person has to sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof CallError && error.code === "unauthorized";

/** Whether the call conflicts with another change: the message has the details. */
export const isConflict = (error: unknown): boolean => error instanceof CallError && error.code === "conflict";

function urlOf(route: string, { params = {}, query = {} }: Pick<CallOptions<Contract>, "params" | "query">): string {
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

async function toCallError(status: number, text: string): Promise<CallError> {
  const entries = parseErrors(text);
  const translate = await loadIssueTranslator(entries);
  const [first] = entries;
  if (!first)
    return new CallError(status >= 500 ? "unavailable" : "internal", status >= 500 ? UNREACHABLE : unreadable);
  const issues = entries.map((issue) => ({ field: issue.field, message: translate(issue) }));
  const translateWithField = await loadNoticeTranslator([{ notices: entries }]);
  return new CallError(first.code, translateWithField([first]), issues);
}

type ErrorEntry = PublicIssue & { code: ErrorCode; field: string | null; params?: Params };

/** The issues of an error response. Empty if it isn't the API's, such as a proxy's page: then the status counts. */
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
  const isField = field === null || typeof field === "string";
  return isField && typeof message === "string" && typeof code === "string" && Object.hasOwn(errorStatus, code);
}
