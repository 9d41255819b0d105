import { readFileSync } from "node:fs";
import path from "node:path";
import type { Language } from "@/lib/platform/i18n/languages";
import type { EmailMessages, PublicMessages } from "@/lib/platform/i18n/translator";
import { textTranslator } from "@/lib/platform/i18n/translator";

// The service's messages, read from their files: Playwright loads modules with Node, which doesn't import JSON without
// an attribute.
const read = (language: Language, file: string) =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, "../lib/platform/i18n/messages", language, file), "utf8"));

export const publicText = (language: Language) =>
  textTranslator<PublicMessages>(language, read(language, "public.json"));
export const emailText = (language: Language) => textTranslator<EmailMessages>(language, read(language, "emails.json"));
