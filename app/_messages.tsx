import type { ReactNode } from "react";
import { MessagesProvider } from "@/components/portal/messages";
import { messagesFor } from "@/lib/accounts/language/request-language";
import type { Namespace } from "@/lib/platform/i18n/translator";

/** Wraps a layout of the portal: passes its client components the message namespaces that they use. */
export const withMessages = (...names: Namespace[]) =>
  async function Messages({ children }: { children: ReactNode }) {
    return <MessagesProvider {...(await messagesFor(...names))}>{children}</MessagesProvider>;
  };
