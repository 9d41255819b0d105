import { use } from "react";
import { translations } from "@/lib/accounts/sign-in/request-language";
import type { Translate } from "@/lib/platform/i18n/translator";

// What `#messages` is on the server (package.json, "imports"): a component that is drawn there as well as in the browser
// calls `useTranslations` in both.

/** How the reader's language says something. In an async component: `const t = await translations()`. */
export const useTranslations = (): Translate => use(translations());
