import { use } from "react";
import { words } from "@/lib/accounts/sign-in/language-of-request";
import type { Words } from "@/lib/platform/i18n/rules";

// What `#words` is on the server (package.json, "imports"): a component that is drawn there and in the browser says
// `useWords` in both, and ships no dictionary where it is drawn on the server alone.

/** How to say something in the reader's language. In an async component: `const t = await words()`. */
export const useWords = (): Words => use(words());
