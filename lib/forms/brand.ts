import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { env } from "@/lib/platform/env";
import { safeUrl, textColorOn } from "@/lib/platform/mail/branding";

export type Brand = {
  name: string;
  logo: string | null;
  url: string | null;
  accent: { color: string; ink: string } | null;
  /** email address or page where customers reach the store; the email address takes precedence */
  contact: string | null;
};

/** How a store presents itself to customers. Contains only addresses and colors that are safe in a page. */
export function brandOf({ display_name, contact_email, contact_url, config }: ClientRow): Brand {
  const accent = typeof config.accent_color === "string" && /^#[0-9a-f]{6}$/i.test(config.accent_color);
  return {
    name: display_name,
    logo: toSafeImageUrl(typeof config.logo_url === "string" ? config.logo_url : null),
    url: safeUrl(contact_url),
    contact: contact_email ? `mailto:${contact_email}` : safeUrl(contact_url),
    accent: accent ? { color: config.accent_color as string, ink: textColorOn(config.accent_color as string) } : null,
  };
}

/** A safe image URL, or null. Pages load images only over https or from this server. */
export const toSafeImageUrl = (url: string | null): string | null =>
  url && URL.canParse(url) && (new URL(url).protocol === "https:" || new URL(url).origin === env().PUBLIC_URL)
    ? url
    : null;
