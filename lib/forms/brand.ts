import { type ClientRow, isTestStore } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";
import { languageOf } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { safeUrl, textColorOn } from "@/lib/platform/mail/branding";

export type Brand = {
  name: string;
  logo: string | null;
  url: string | null;
  accent: { color: string; ink: string } | null;
  /** email address or page where customers reach the store; the email address takes precedence */
  contact: string | null;
  /** of a test store: the mark of its pages, in its language; null = a real store */
  mark: string | null;
};

/** How a store presents itself to customers. Contains only addresses and colors that are safe in a page. */
export function brandOf(client: ClientRow): Brand {
  const { display_name, contact_email, contact_url, config } = client;
  const accent = typeof config.accent_color === "string" && /^#[0-9a-f]{6}$/i.test(config.accent_color);
  return {
    name: display_name,
    logo: toSafeImageUrl(typeof config.logo_url === "string" ? config.logo_url : null),
    url: safeUrl(contact_url),
    contact: contact_email ? `mailto:${contact_email}` : safeUrl(contact_url),
    mark: isTestStore(client) ? publicText(languageOf(client.locale))("testStore.mark") : null,
    accent: accent ? { color: config.accent_color as string, ink: textColorOn(config.accent_color as string) } : null,
  };
}

/** A safe image URL, or null. Pages load images only over https or from this server. */
export const toSafeImageUrl = (url: string | null): string | null =>
  url && URL.canParse(url) && (new URL(url).protocol === "https:" || new URL(url).origin === env().PUBLIC_URL)
    ? url
    : null;
