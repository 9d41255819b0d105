import { env } from "@/lib/platform/env";
import type { Language } from "@/lib/platform/i18n/languages";

/** The address of the public page on how a store handles reviews: in this language, or the reader's. */
export const honestyPageUrl = (clientId: string, language?: Language): string =>
  `${env().PUBLIC_URL}/honesty/${encodeURIComponent(clientId)}${language ? `?lang=${language}` : ""}`;
