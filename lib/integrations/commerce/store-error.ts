import type http from "node:http";
import { AppError } from "@/lib/platform/errors";
import type { Notice } from "@/lib/platform/issue";
import { quotedText } from "@/lib/platform/storable-text";
import type { AuthMethod } from "./schema";

/**
 * Decides what follows. `login`: rejected user and password, not to be retried; `unauthorized`: insufficient
 * credentials or permissions; `rejected`: invalid request; `missing`: no such address; `nowhere`: address can't be
 * derived from the configured URL; `broken`: the store fails on an item in the response; `busy`: may succeed later.
 */
export type StoreErrorKind = "login" | "unauthorized" | "rejected" | "missing" | "nowhere" | "broken" | "busy";

type StoreErrorDetails = {
  status?: number;
  /** seconds to wait, as requested by the store */
  retryAfter?: number;
  /** the store's message with parameters filled in, without stack traces */
  storeMessage?: string;
  parameters?: Record<string, unknown>;
  cause?: unknown;
};

/** An error response of the store. `message` tells people what to do and never contains secrets. */
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
/** Maximum length to process. What is shown is far shorter, and a response may be of any length. */
const MAX_READ_LENGTH = 2_000;
/** Maximum number of nested errors and of list values in a message. */
const MAX_ITEMS = 10;

/** Message of an error body, with its parameters filled in. The store sends text and values separately. */
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
  // Format of fatal errors.
  const fatal = (messages as { error?: unknown } | undefined)?.error;
  if (!Array.isArray(fatal)) return null;
  const texts = fatal.slice(0, MAX_ITEMS).map(nestedMessage).filter(Boolean);
  return {
    text: quoteText(texts.join(" ") || "no reason given"),
    parameters: {},
  };
}

/** Message of a nested error. */
function nestedMessage(nestedError: unknown): string | undefined {
  const { message, parameters } = (
    typeof nestedError === "object" && nestedError !== null ? nestedError : {}
  ) as Record<string, unknown>;
  if (typeof message !== "string") return undefined;
  const { text } = readMessage({ message, parameters }) ?? {};
  return text;
}

function withValues(message: string, values: Record<string, unknown>): string {
  return message.slice(0, MAX_READ_LENGTH).replace(/%(\w+)/g, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return valueText(value) ?? placeholder;
  });
}

/** Text of a parameter, including lists of plain values. */
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

/** The part of a text that is stored with the run and shown. */
const quoteText = (text: string): string => quotedText(text, MAX_QUOTED_LENGTH);

/** The error of a response, by its status or by an error body with status 200. */
export function toStoreError(
  status: number,
  headers: http.IncomingHttpHeaders,
  body: unknown,
  auth: AuthMethod,
  resource: string,
): StoreError {
  const errorMessage = readMessage(body);
  const messageText = errorMessage?.text;
  const details = { status, storeMessage: messageText, parameters: errorMessage?.parameters };
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
      withResponseText({ reason: "shop_failed", params: { resource, status } }, messageText),
      details,
    );
  if (status === 401 || status === 403 || isSignatureError(messageText))
    return new StoreError(
      "unauthorized",
      withResponseText(explainRefusal(auth, messageText, resource), messageText),
      details,
    );
  if (status === 404)
    return new StoreError(
      "missing",
      withResponseText({ reason: "shop_resource_missing", params: { resource } }, messageText),
      details,
    );
  return new StoreError(
    "rejected",
    withResponseText({ reason: "shop_rejected", params: { resource, status } }, messageText),
    details,
  );
}

/** Appends the store's own message, if any. */
const withResponseText = (notice: Notice, messageText: string | undefined): Notice[] =>
  messageText ? [notice, { reason: "shop_says", params: { said: messageText } }] : [notice];

const isSignatureError = (messageText = ""): boolean => /signature|nonce|oauth_|timestamp/i.test(messageText);

/**
 * Whether access is denied until the role or the configured URL changes. Other errors may pass, including a rejection
 * by a proxy, which comes without a message of the store.
 */
export const isPermissionDenied = ({ kind, details: { status, storeMessage } }: StoreError): boolean =>
  kind === "nowhere" ||
  (kind === "unauthorized" &&
    (status === 401 || status === 403) &&
    Boolean(storeMessage) &&
    !isSignatureError(storeMessage));

const withoutQuery = (address: string): string => quoteText(address.slice(0, MAX_READ_LENGTH).split(/[?#]/)[0] ?? "");

/** Seconds or a date; undefined if there is neither. */
function readRetryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/**
 * The store responds alike to a wrong token, an expired one, one not allowed as bearer token, and missing permissions.
 */
function explainRefusal(auth: AuthMethod, messageText: string | undefined, resource: string): Notice {
  const params = { resource, permission: resourceRoles[resource] ?? "see the platform's resources" };
  if (auth === "oauth1") {
    if (messageText && /signature method/i.test(messageText)) return { reason: "shop_too_old_for_signatures" };
    if (messageText && /signature/i.test(messageText)) return { reason: "shop_finds_signature_wrong" };
    if (messageText && /nonce|timestamp/i.test(messageText)) return { reason: "shop_refuses_time" };
    return { reason: "shop_refuses_keys", params };
  }
  return { reason: auth === "bearer" ? "shop_refuses_token" : "shop_refuses_user", params };
}

/** Required permissions by resource, as the platform names them. */
export const resourceRoles: Record<string, string> = {
  orders: "Magento_Sales::actions_view",
  shipments: "Magento_Sales::shipment",
  products: "Magento_Catalog::products",
  categories: "Magento_Catalog::categories",
  "store/storeConfigs": "Magento_Backend::store",
};

/** Why the store issued no token, and what to do. */
export function toLoginError(status: number, headers: http.IncomingHttpHeaders, body: unknown): StoreError {
  const errorMessage = readMessage(body);
  const messageText = errorMessage?.text ?? "";
  const details = { status, storeMessage: messageText, parameters: errorMessage?.parameters };
  // The store failed before it checked the password, which may be valid.
  if (status === 200 || status === 429 || status >= 500) {
    const storeError = toStoreError(status, headers, body, "password", "the token");
    return storeError.kind === "busy" ? storeError : new StoreError("busy", storeError.issues, storeError.details);
  }
  if (/2fa|two-?factor/i.test(messageText)) {
    const unset = /configure/i.test(messageText);
    const reason = unset ? "second_factor_not_set_up" : "second_factor_needed";
    return new StoreError("login", withResponseText({ reason }, messageText), details);
  }
  if (status === 404 || (status >= 300 && status < 400))
    return toStoreError(status, headers, body, "password", "the token");
  return new StoreError("login", withResponseText({ reason: "shop_login_refused" }, messageText), details);
}
