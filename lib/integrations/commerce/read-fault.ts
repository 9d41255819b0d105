import type http from "node:http";
import { AppError } from "@/lib/platform/errors";
import { quotedText } from "@/lib/platform/kept-text";
import type { AuthMethod } from "./schema";

/**
 * What kind of refusal it is, which decides what follows:
 * `login`: user and password, not to be tried again as they are; `unauthorized`: not with these credentials, or not
 * this resource; `rejected`: the question is at fault; `missing`: no such address; `nowhere`: the address that was set does not
 * tell where it would be; `broken`: the shop fails on something in the answer; `busy`: again later, perhaps.
 */
export type FaultKind = "login" | "unauthorized" | "rejected" | "missing" | "nowhere" | "broken" | "busy";

type FaultDetails = {
  status?: number;
  /** seconds that the shop asks to wait */
  retryAfter?: number;
  /** what the shop said, put together, without traces */
  said?: string;
  parameters?: Record<string, unknown>;
  cause?: unknown;
};

/** An answer of the shop that is none. `message` tells people what to do; secrets are never in it. */
export class StoreFault extends AppError {
  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly details: FaultDetails = {},
  ) {
    super(kind === "busy" || kind === "broken" ? "unavailable" : "invalid_field", {
      reason: "told",
      params: { message },
      cause: details.cause,
    });
  }
}

const SHOWN = 300;
/** So much of what the shop sends is looked at. What of it is shown is far less, and an answer may be as long as it likes. */
const READ = 2_000;
/** Faults within one, each told after the other. */
const MOST = 10;

/** What an error body of the shop says, with its parameters put in: it sends the text and the values apart. */
export function readMessage(body: unknown): { text: string; parameters: Record<string, unknown> } | null {
  if (typeof body !== "object" || body === null) return null;
  const { message, messages, parameters, errors } = body as Record<string, unknown>;
  if (typeof message === "string") {
    const values: Record<string, unknown> = Array.isArray(parameters)
      ? Object.fromEntries(parameters.slice(0, READ).map((value, at) => [String(at + 1), value]))
      : typeof parameters === "object" && parameters !== null
        ? (parameters as Record<string, unknown>)
        : {};
    const more = Array.isArray(errors) ? errors.slice(0, MOST).map(ownText) : [];
    const texts = [withValues(message, values), ...more];
    return { text: shortened(texts.filter(Boolean).join(" ")), parameters: values };
  }
  // The way of its fatal errors.
  const fatal = (messages as { error?: unknown } | undefined)?.error;
  if (!Array.isArray(fatal)) return null;
  const texts = fatal.slice(0, MOST).map(ownText).filter(Boolean);
  return {
    text: shortened(texts.join(" ") || "no reason given"),
    parameters: {},
  };
}

/** What a fault within another says by itself. */
function ownText(fault: unknown): string | undefined {
  const { message, parameters } = (typeof fault === "object" && fault !== null ? fault : {}) as Record<string, unknown>;
  if (typeof message !== "string") return undefined;
  const { text } = readMessage({ message, parameters }) ?? {};
  return text;
}

function withValues(message: string, values: Record<string, unknown>): string {
  return message.slice(0, READ).replace(/%(\w+)/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return valueText(value) ?? whole;
  });
}

/** A value as it is shown within a message; lists of plain values, too. */
function valueText(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value
      .slice(0, MOST)
      .map((one) => (Array.isArray(one) ? undefined : valueText(one)))
      .filter((one) => one !== undefined)
      .join(",");
  if (value === null) return "null";
  return typeof value === "object" || value === undefined ? undefined : String(value).slice(0, SHOWN);
}

/** What is shown of a text, which is kept with the run. */
const shortened = (text: string): string => quotedText(text, SHOWN);

/** The fault in an answer whose status, or whose body in spite of its status, is one. */
export function readFault(
  status: number,
  headers: http.IncomingHttpHeaders,
  body: unknown,
  auth: AuthMethod,
  resource: string,
): StoreFault {
  const told = readMessage(body);
  const said = told?.text;
  const quoted = said ? ` The shop says: “${said}”` : "";
  const details = { status, said, parameters: told?.parameters };
  if (status >= 300 && status < 400) {
    const to = headers.location ? ` to ${withoutQuery(headers.location)}` : "";
    return new StoreFault("missing", `The shop sends callers elsewhere${to}: give that address instead.`, details);
  }
  if (status === 429 || status === 502 || status === 503 || status === 504 || (status >= 500 && !told)) {
    const what = status === 429 ? "wants to be asked less often" : "is not available at the moment";
    const retryAfter = readRetryAfter(headers["retry-after"]);
    return new StoreFault("busy", `The shop ${what} (${status}).`, {
      ...details,
      retryAfter,
    });
  }
  if (status >= 500 || status === 200)
    return new StoreFault("broken", `The shop failed on ${resource} (${status}).${quoted}`, details);
  if (status === 401 || status === 403 || isSignatureFault(said))
    return new StoreFault("unauthorized", `${explainRefusal(auth, said, resource)}${quoted}`, details);
  if (status === 404)
    return new StoreFault("missing", `There is nothing at the address of ${resource} (404).${quoted}`, details);
  return new StoreFault(
    "rejected",
    `The shop did not accept the question for ${resource} (${status}).${quoted}`,
    details,
  );
}

const isSignatureFault = (said = ""): boolean => /signature|nonce|oauth_|timestamp/i.test(said);

/**
 * Whether it may not be read, until somebody changes the role in the shop or the address here. All else passes, perhaps,
 * as does a refusal by what stands before the shop: it comes without a word of the shop's own.
 */
export const refusesRights = ({ kind, details: { status, said } }: StoreFault): boolean =>
  kind === "nowhere" ||
  (kind === "unauthorized" && (status === 401 || status === 403) && Boolean(said) && !isSignatureFault(said));

const withoutQuery = (address: string): string => shortened(address.slice(0, READ).split(/[?#]/)[0] ?? "");

/** Seconds, or a date; undefined where neither is given. */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** The shop answers alike to a wrong token, an old one, one that is not allowed as bearer, and a role too small. */
function explainRefusal(auth: AuthMethod, said: string | undefined, resource: string): string {
  const role = `its role must be allowed to read ${resource} (${resourceRoles[resource] ?? "see the platform's resources"})`;
  if (auth === "oauth1") {
    if (said && /signature method/i.test(said))
      return "The shop is too old for signatures with HMAC-SHA256. Update it, or use a bearer token.";
    if (said && /signature/i.test(said))
      return "The shop found the signature wrong: check the consumer secret and the token secret, and give the address exactly as the shop knows itself (https or http, with or without www, its port).";
    if (said && /nonce|timestamp/i.test(said))
      return "The shop refused the time of the request: check the clock of this server.";
    return `The shop does not accept these keys: check that the integration is active and its keys are complete; ${role}.`;
  }
  if (auth === "bearer")
    return `The shop refused the token. The reasons look alike: the token is wrong; integration tokens are not allowed as bearer tokens (since 2.4.4 only with oauth/consumer/enable_integration_as_bearer set to 1; OAuth 1.0a works without); or ${role}.`;
  return `The shop gave a token for this user and does not let it read ${resource}: ${role}.`;
}

/** The permissions a role needs, as the platform names them. */
export const resourceRoles: Record<string, string> = {
  orders: "Magento_Sales::actions_view",
  shipments: "Magento_Sales::shipment",
  products: "Magento_Catalog::products",
  categories: "Magento_Catalog::categories",
  "store/storeConfigs": "Magento_Backend::store",
};

/** Why no token was given for a user and a password, and what to do. */
export function readLoginFault(status: number, headers: http.IncomingHttpHeaders, body: unknown): StoreFault {
  const told = readMessage(body);
  const said = told?.text ?? "";
  const quoted = said ? ` The shop says: “${said}”` : "";
  const details = { status, said, parameters: told?.parameters };
  // The shop fails, and has not even looked at the password: that says nothing against it.
  if (status === 200 || status === 429 || status >= 500) {
    const fault = readFault(status, headers, body, "password", "the token");
    return fault.kind === "busy" ? fault : new StoreFault("busy", fault.message, fault.details);
  }
  if (/2fa|two-?factor/i.test(said)) {
    const unset = /configure/i.test(said);
    return new StoreFault(
      "login",
      `This user needs a second factor, ${unset ? "which is not even set up yet" : "which a program cannot give"}. Make an integration in the shop (System → Integrations) and use its keys with OAuth 1.0a instead, or have two-factor authentication switched off for this user.${quoted}`,
      details,
    );
  }
  if (status === 404 || (status >= 300 && status < 400))
    return readFault(status, headers, body, "password", "the token");
  return new StoreFault(
    "login",
    `The shop refused user name and password. It is not tried again until they are changed, since the shop locks users after a few failures.${quoted}`,
    details,
  );
}
