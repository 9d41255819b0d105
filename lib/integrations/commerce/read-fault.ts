import type http from "node:http";
import { AppError } from "@/lib/platform/errors";
import type { Notice } from "@/lib/platform/issue";
import { quotedText } from "@/lib/platform/storable-text";
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
    notices: Notice | readonly Notice[],
    readonly details: FaultDetails = {},
  ) {
    super(kind === "busy" || kind === "broken" ? "unavailable" : "invalid_field", {
      issues: [notices].flat().map((notice) => ({ ...notice, field: null })),
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
  const details = { status, said, parameters: told?.parameters };
  if (status >= 300 && status < 400) {
    const address = headers.location && withoutQuery(headers.location);
    const notice: Notice = address
      ? { reason: "shop_redirects_to", params: { address } }
      : { reason: "shop_redirects" };
    return new StoreFault("missing", notice, details);
  }
  if (status === 429 || status === 502 || status === 503 || status === 504 || (status >= 500 && !told)) {
    const retryAfter = readRetryAfter(headers["retry-after"]);
    const reason = status === 429 ? "shop_throttles" : "shop_unavailable";
    return new StoreFault("busy", { reason, params: { status } }, { ...details, retryAfter });
  }
  if (status >= 500 || status === 200)
    return new StoreFault("broken", quoting({ reason: "shop_failed", params: { resource, status } }, said), details);
  if (status === 401 || status === 403 || isSignatureFault(said))
    return new StoreFault("unauthorized", quoting(explainRefusal(auth, said, resource), said), details);
  if (status === 404)
    return new StoreFault("missing", quoting({ reason: "shop_resource_missing", params: { resource } }, said), details);
  return new StoreFault("rejected", quoting({ reason: "shop_rejected", params: { resource, status } }, said), details);
}

/** With what the shop said itself, if anything. */
const quoting = (notice: Notice, said: string | undefined): Notice[] =>
  said ? [notice, { reason: "shop_says", params: { said } }] : [notice];

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
function explainRefusal(auth: AuthMethod, said: string | undefined, resource: string): Notice {
  const params = { resource, permission: resourceRoles[resource] ?? "see the platform's resources" };
  if (auth === "oauth1") {
    if (said && /signature method/i.test(said)) return { reason: "shop_too_old_for_signatures" };
    if (said && /signature/i.test(said)) return { reason: "shop_finds_signature_wrong" };
    if (said && /nonce|timestamp/i.test(said)) return { reason: "shop_refuses_time" };
    return { reason: "shop_refuses_keys", params };
  }
  return { reason: auth === "bearer" ? "shop_refuses_token" : "shop_refuses_user", params };
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
  const details = { status, said, parameters: told?.parameters };
  // The shop fails, and has not even looked at the password: that says nothing against it.
  if (status === 200 || status === 429 || status >= 500) {
    const fault = readFault(status, headers, body, "password", "the token");
    return fault.kind === "busy" ? fault : new StoreFault("busy", fault.issues, fault.details);
  }
  if (/2fa|two-?factor/i.test(said)) {
    const unset = /configure/i.test(said);
    const reason = unset ? "second_factor_not_set_up" : "second_factor_needed";
    return new StoreFault("login", quoting({ reason }, said), details);
  }
  if (status === 404 || (status >= 300 && status < 400))
    return readFault(status, headers, body, "password", "the token");
  return new StoreFault("login", quoting({ reason: "shop_login_refused" }, said), details);
}
