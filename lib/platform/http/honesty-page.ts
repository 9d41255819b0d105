import { env } from "@/lib/platform/env";
import type { Language } from "@/lib/platform/i18n/languages";

/** The address of the public page on how a store handles reviews: in this language, or the reader's. */
export const honestyPageUrl = (clientId: string, language?: Language): string =>
  `${env().PUBLIC_URL}/honesty/${encodeURIComponent(clientId)}${language ? `?lang=${language}` : ""}`;

/** The address of its badge. */
export const honestyBadgeUrl = (clientId: string, language: Language): string =>
  `${honestyPageUrl(clientId)}/badge.svg?lang=${language}`;

/** The kinds of texts whose authors get a receipt, with the letters of their tokens. */
export const receiptLetters = { review: "r", seller_review: "s", question: "q" } as const;
export type ReceiptKind = keyof typeof receiptLetters;

/**
 * The token of an item's receipt. Secret: it has the salt of the item's history, which only the author gets, and the
 * database keeps until the item is deleted.
 */
export const receiptToken = (kind: ReceiptKind, id: string, salt: string): string =>
  `${receiptLetters[kind]}.${id}.${salt.replaceAll("-", "")}`;

/** The address of the receipt with this token: in this language, or the reader's. */
export const receiptUrl = (clientId: string, token: string, language?: Language): string =>
  `${env().PUBLIC_URL}/honesty/${encodeURIComponent(clientId)}/receipt/${encodeURIComponent(token)}${language ? `?lang=${language}` : ""}`;

/** The header by which an API response names a receipt. */
export const receiptHeader = (clientId: string, token: string | null): Record<string, string> =>
  token ? { Link: `<${receiptUrl(clientId, token)}>; rel="receipt"` } : {};
