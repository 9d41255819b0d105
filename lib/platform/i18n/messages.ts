import type { Language } from "@/lib/platform/i18n/languages";
import type { Namespace, PortalMessages } from "@/lib/platform/i18n/translator";

/** The portal's messages in a language. For the server: the browser gets the namespaces of its page (`MessagesProvider`). */
export const portalMessages = async (language: Language): Promise<PortalMessages> =>
  (await import(`./messages/${language}/portal.json`)).default;

/** Some namespaces of them. */
export function pickMessages(messages: PortalMessages, names: readonly Namespace[]): Partial<PortalMessages> {
  return Object.fromEntries(names.map((name) => [name, messages[name]]));
}
