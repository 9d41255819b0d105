import type { ReactNode } from "react";
import { MessagesProvider } from "@/components/portal/messages";
import { messagesFor } from "@/lib/accounts/sign-in/request-language";
import type { Namespace } from "@/lib/platform/i18n/translator";

/** The layout of a part of the portal: gives its components in the browser the namespaces they use. */
export const withMessages = (...names: Namespace[]) =>
  async function Messages({ children }: { children: ReactNode }) {
    return <MessagesProvider {...(await messagesFor(...names))}>{children}</MessagesProvider>;
  };
