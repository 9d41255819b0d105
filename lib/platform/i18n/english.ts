import { portalText } from "@/lib/platform/i18n/messages";

/** The English messages, for the API, admin command and stored texts. Not for the browser, which gets one language. */
export const english = portalText("en");
