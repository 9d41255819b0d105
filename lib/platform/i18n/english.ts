import portal from "@/lib/platform/i18n/messages/en/portal.json";
import { translator } from "@/lib/platform/i18n/translator";

/** The catalogue's English, for the API, the command and what is stored. Not for the browser, which gets one language. */
export const english = translator("en", portal);
