import type { Language } from "@/lib/platform/i18n/languages";
import { portalMessages } from "@/lib/platform/i18n/messages";
import { translator } from "@/lib/platform/i18n/translator";

/** The portal's messages in a language, for tests. */
export const inLanguage = async (language: Language) => translator(language, portalMessages(language));
