import { portalText } from "@/lib/platform/i18n/messages";

/** The catalog's English, for the API, the command and what is stored. Not for the browser, which gets one language. */
export const english = portalText("en");
