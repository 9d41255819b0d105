import type { Dimension } from "@/lib/analytics/schema";

/** A part of a whole in percent, honest about small ones; a dash where there is no whole. */
export function shareWords(part: number, whole: number): string {
  if (whole === 0) return "–";
  const percent = (part / whole) * 100;
  if (part > 0 && percent < 1) return "under 1%";
  if (part < whole && percent > 99) return "over 99%";
  return `${Math.round(percent)}%`;
}

/** A time in hours in the unit that tells it best: `4 min`, `3.5 h`, `2.1 d`. */
export function hoursWords(hours: number | null): string {
  if (hours === null) return "–";
  if (hours < 1) return `${Math.max(1, Math.round(hours * 60))} min`;
  const short = (value: number) => (value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value)));
  return hours < 48 ? `${short(hours)} h` : `${short(hours / 24)} d`;
}

/** What a row is called. */
export function nameOfKey(by: Dimension, key: string | null, name: string | null | undefined): string {
  if (key === null) return by === "language" ? "Language not known" : `No ${by}`;
  if (by === "language") return new Intl.DisplayNames("en", { type: "language", fallback: "code" }).of(key) ?? key;
  return name || key;
}
