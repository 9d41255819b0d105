import type { ClientRow } from "@/lib/accounts/stores/get-client";

/** The part of a client shown in its emails. */
export type BrandedClient = Pick<ClientRow, "display_name" | "contact_email" | "contact_url" | "config">;

const DEFAULT_ACCENT = "#1f2937";

/**
 * Template variables for the look of a client's emails: logo, colors and contact. Clients write templates with these
 * names: only add to them.
 */
export function brandingOf(client: BrandedClient) {
  const { config } = client;
  const accent = color(config.accent_color) ?? DEFAULT_ACCENT;
  const logo = safeUrl(config.logo_url);
  return {
    client_name: client.display_name,
    logo_url: logo,
    logo_x: logo && positiveNumber(config.logo_width),
    logo_y: logo && positiveNumber(config.logo_height),
    accent_color: accent,
    accent_ink: textColorOn(accent),
    contact: contactOf(client),
  };
}

const contactOf = ({ contact_url, contact_email }: BrandedClient) => {
  const url = safeUrl(contact_url);
  if (contact_email) return { url: `mailto:${contact_email}`, label: contact_email };
  return url ? { url, label: url.replace(/^https?:\/\//, "") } : null;
};

export const positiveNumber = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : null;

/** A URL that is safe to link to, or null. */
export const safeUrl = (value: unknown): string | null =>
  typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : null;

/** A color that is safe in a style attribute, or null. */
const color = (value: unknown): string | null =>
  typeof value === "string" && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? value : null;

/** White or near-black, whichever has more contrast on a color (WCAG relative luminance). */
export function textColorOn(background: string): string {
  const hex = background.length === 4 ? background.replace(/[0-9a-f]/gi, "$&$&") : background;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.18 ? "#111827" : "#ffffff";
}
