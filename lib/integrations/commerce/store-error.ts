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
export type StoreErrorKind = "login" | "unauthorized" | "rejected" | "missing" | "nowhere" | "broken" | "busy";

type StoreErrorDetails = {
  status?: number;
  /** seconds that the shop asks to wait */
  retryAfter?: number;
  /** what the shop said, put together, without traces */
  said?: string;
  parameters?: Record<string, unknown>;
  cause?: unknown;
};

/** An answer of the shop that is none. `message` tells people what to do; secrets are never in it. */
export class StoreError extends AppError {
  constructor(
    readonly kind: StoreErrorKind,
    notices: Notice | readonly Notice[],
    readonly details: StoreErrorDetails = {},
  ) {
    super(kind === "busy" || kind === "broken" ? "unavailable" : "invalid_field", {
      issues: [notices].flat().map((notice) => ({ ...notice, field: null })),
      cause: details.cause,
    });
  }
}

const MAX_QUOTED_LENGTH = 300;
/** So much of what the shop sends is looked at. What of it is shown is far less, and an answer may be as long as it likes. */
const MAX_READ_LENGTH = 2_000;
/** Faults within one, each told after the other. */
const MAX_ITEMS = 10;

/** What an error body of the shop says, with its parameters put in: it sends the text and the values apart. */
export function readMessage(body: unknown): { text: string; parameters: Record<string, unknown> } | null {
  if (typeof body !== "object" || body === null) return null;
  const { message, messages, parameters, errors } = body as Record<string, unknown>;
  if (typeof message === "string") {
    const values: Record<string, unknown> = Array.isArray(parameters)
      ? Object.fromEntries(parameters.slice(0, MAX_READ_LENGTH).map((value, at) => [String(at + 1), value]))
      : typeof parameters === "object" && parameters !== null
        ? (parameters as Record<string, unknown>)
        : {};
    const more = Array.isArray(errors) ? errors.slice(0, MAX_ITEMS).map(nestedMessage) : [];
    const texts = [withValues(message, values), ...more];
    return { text: quoteText(texts.filter(Boolean).join(" ")), parameters: values };
  }
  // The way of its fatal errors.
  const fatal = (messages as { error?: unknown } | undefined)?.error;
  if (!Array.isArray(fatal)) return null;
  const texts = fatal.slice(0, MAX_ITEMS).map(nestedMessage).filter(Boolean);
  return {
    text: quoteText(texts.join(" ") || "no reason given"),
    parameters: {},
  };
}

/** What a fault within another says by itself. */
function nestedMessage(fault: unknown): string | undefined {
  const { message, parameters } = (typeof fault === "object" && fault !== null ? fault : {}) as Record<string, unknown>;
  if (typeof message !== "string") return undefined;
  const { text } = readMessage({ message, parameters }) ?? {};
  return text;
}

function withValues(message: string, values: Record<string, unknown>): string {
  return message.slice(0, MAX_READ_LENGTH).replace(/%(\w+)/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return valueText(value) ?? whole;
  });
}

/** A value as it is shown within a message; lists of plain values, too. */
function valueText(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value
      .slice(0, MAX_ITEMS)
      .map((one) => (Array.isArray(one) ? undefined : valueText(one)))
      .filter((one) => one !== undefined)
      .join(",");
  if (value === null) return "null";
  return typeof value === "object" || value === undefined ? undefined : String(value).slice(0, MAX_QUOTED_LENGTH);
}

/** What is shown of a text, which is kept with the run. */
const quoteText = (text: string): string => quotedText(text, MAX_QUOTED_LENGTH);

/** The fault in an answer whose status, or whose body in spite of its status, is one. */
export function toStoreError(
  status: number,
  headers: http.IncomingHttpHeaders,
  body: unknown,
  auth: AuthMethod,
  resource: string,
): StoreError {
  const errorMessage = readMessage(body);
  const said = errorMessage?.text;
  const details = { status, said, parameters: errorMessage?.parameters };
  if (status >= 300 && status < 400) {
    const address = headers.location && withoutQuery(headers.location);
    const notice: Notice = address
      ? { reason: "shop_redirects_to", params: { address } }
      : { reason: "shop_redirects" };
    return new StoreError("missing", notice, details);
  }
  if (status === 429 || status === 502 || status === 503 || status === 504 || (status >= 500 && !errorMessage)) {
    const retryAfter = readRetryAfter(headers["retry-after"]);
    const reason = status === 429 ? "shop_throttles" : "shop_unavailable";
    return new StoreError("busy", { reason, params: { status } }, { ...details, retryAfter });
  }
  if (status >= 500 || status === 200)
    return new StoreError(
      "broken",
      withResponseText({ reason: "shop_failed", params: { resource, status } }, said),
      details,
    );
  if (status === 401 || status === 403 || isSignatureError(said))
    return new StoreError("unauthorized", withResponseText(explainRefusal(auth, said, resource), said), details);
  if (status === 404)
    return new StoreError(
      "missing",
      withResponseText({ reason: "shop_resource_missing", params: { resource } }, said),
      details,
    );
  return new StoreError(
    "rejected",
    withResponseText({ reason: "shop_rejected", params: { resource, status } }, said),
    details,
  );
}

/** With what the shop said itself, if anything. */
const withResponseText = (notice: Notice, said: string | undefined): Notice[] =>
  said ? [notice, { reason: "shop_says", params: { said } }] : [notice];

const isSignatureError = (said = ""): boolean => /signature|nonce|oauth_|timestamp/i.test(said);

/**
 * Whether it may not be read, until somebody changes the role in the shop or the address here. All else passes, perhaps,
 * as does a refusal by what stands before the shop: it comes without a word of the shop's own.
 */
export const isPermissionDenied = ({ kind, details: { status, said } }: StoreError): boolean =>
  kind === "nowhere" ||
  (kind === "unauthorized" && (status === 401 || status === 403) && Boolean(said) && !isSignatureError(said));

const withoutQuery = (address: string): string => quoteText(address.slice(0, MAX_READ_LENGTH).split(/[?#]/)[0] ?? "");

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
export function toLoginError(status: number, headers: http.IncomingHttpHeaders, body: unknown): StoreError {
  const errorMessage = readMessage(body);
  const said = errorMessage?.text ?? "";
  const details = { status, said, parameters: errorMessage?.parameters };
  // The shop fails, and has not even looked at the password: that says nothing against it.
  if (status === 200 || status === 429 || status >= 500) {
    const fault = toStoreError(status, headers, body, "password", "the token");
    return fault.kind === "busy" ? fault : new StoreError("busy", fault.issues, fault.details);
  }
  if (/2fa|two-?factor/i.test(said)) {
    const unset = /configure/i.test(said);
    const reason = unset ? "second_factor_not_set_up" : "second_factor_needed";
    return new StoreError("login", withResponseText({ reason }, said), details);
  }
  if (status === 404 || (status >= 300 && status < 400))
    return toStoreError(status, headers, body, "password", "the token");
  return new StoreError("login", withResponseText({ reason: "shop_login_refused" }, said), details);
}
