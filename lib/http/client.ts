import type { z } from "zod";
import { AppError, type ErrorCode, errorStatus, type Fault } from "@/lib/errors";
import type { Contract } from "@/lib/http/contract";

type Input<S> = S extends z.ZodType ? z.input<S> : undefined;
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

export type Given<C extends Contract> = {
  params?: Record<string, string>;
  /** what is undefined or empty is left out */
  query?: Record<string, string | undefined>;
  signal?: AbortSignal;
} & (C["body"] extends z.ZodType ? { body: Input<C["body"]> } : { body?: undefined });

/** Sentences for the two things that go wrong before an answer can be read. */
const unreachable = "The service cannot be reached. Check your connection and try again.";
const unreadable = "The service answered something that cannot be read. Try again.";

/**
 * Calls an endpoint of this origin from the browser, as its contract describes it, with the session of the page. Only the
 * contract's type is needed: its method and path are written once more, and the compiler holds them against it, so
 * that neither the contract nor the schemas go to the browser. A body that holds a file travels as a form.
 * Throws AppError with the service's own code and message; `unavailable` when there is no answer.
 */
export async function call<C extends Contract>(
  door: `${C["method"]} ${C["path"]}`,
  given: Given<C>,
): Promise<Output<C["response"]>> {
  const [method = "", path = ""] = door.split(" ");
  const isForm = Object.values(given.body ?? {}).some((value) => value instanceof Blob);
  let response: Response;
  try {
    response = await fetch(addressOf(path, given), {
      method,
      credentials: "same-origin",
      headers: given.body === undefined || isForm ? undefined : { "Content-Type": "application/json" },
      body: given.body === undefined ? undefined : isForm ? formOf(given.body as object) : JSON.stringify(given.body),
      signal: given.signal,
    });
  } catch (cause) {
    if (given.signal?.aborted) throw cause;
    throw new AppError("unavailable", unreachable, { cause });
  }
  const text = await response.text();
  if (!response.ok) throw refusal(response.status, text);
  if (text === "") return undefined as Output<C["response"]>;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new AppError("internal", unreadable, { cause });
  }
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

/** What to tell a person about a failed call. */
export const messageOf = (error: unknown): string => (error instanceof AppError ? error.message : unreadable);

/** What is wrong with a member of the body, or with something within it; undefined where nothing is. */
export const faultOf = (error: unknown, member: string): string | undefined =>
  error instanceof AppError ? error.faults.find(({ field }) => field?.split(/[.[]/)[0] === member)?.message : undefined;

/** Everything that a call was refused for, each with its place in the request. */
export const faultsIn = (error: unknown): readonly Fault[] => (error instanceof AppError ? error.faults : []);

/** Whether trying again may help: there was no answer, or the service is away. */
export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.code === "unavailable";
/** What a failed call was refused for; null where it failed otherwise. */
export const codeOf = (error: unknown): ErrorCode | null => (error instanceof AppError ? error.code : null);

/** Whether the person has to sign in again. */
export const isSignedOut = (error: unknown): boolean => error instanceof AppError && error.code === "unauthorized";

/** Whether somebody else was first: the message says who and what. */
export const isConflict = (error: unknown): boolean => error instanceof AppError && error.code === "conflict";

function addressOf(route: string, { params = {}, query = {} }: Pick<Given<Contract>, "params" | "query">): string {
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value);
  return search.size > 0 ? `${path}?${search}` : path;
}

function refusal(status: number, text: string): AppError {
  let faults: (Fault & { code: ErrorCode })[] = [];
  try {
    faults = (JSON.parse(text) as { errors: typeof faults }).errors;
  } catch {
    // Not ours: a proxy's page, for example. The status still says what happened.
  }
  const first = faults[0];
  if (first && first.code in errorStatus) return new AppError(first.code, first.message, { faults });
  return new AppError(status >= 500 ? "unavailable" : "internal", status >= 500 ? unreachable : unreadable);
}
