import { use } from "react";
import { translations } from "@/lib/accounts/language/request-language";
import type { Translate } from "@/lib/platform/i18n/translator";

// What `#messages` resolves to on the server (package.json, "imports"): a component that renders on the server and in
// the browser calls `useTranslations` in both.

/** Messages in the reader's language. In an async component: `const t = await translations()`. */
export const useTranslations = (): Translate => use(translations());
