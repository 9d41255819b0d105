import type { Reason } from "@/lib/platform/issue";
import { cut } from "@/lib/platform/storable-text";

/** What a reader mended so that a row could be used. Nothing of meaning is lost, or only what was unreadable anyway. */
export const repairText = {
  invalid_characters: "Bytes that are not text in the feed's encoding were replaced by �.",
  guessed_encoding: "The feed is not in the encoding it names, or names none; the likely one was used.",
  control_characters: "Control characters were removed.",
  entities: "HTML entities left in texts were decoded.",
  blanks: "Blanks around texts were removed.",
  line_breaks: "Line breaks in names were replaced by blanks.",
  relative_url: "Addresses without a host were completed with the host of the product page.",
  unclosed_element: "Elements that were not closed were taken to end where the next one begins.",
  stray_quotes: "Quotes that open or close nothing were kept as text.",
  cells: "Rows with more or fewer cells than the header were read as far as they go.",
  text_before: "Text before the document was passed over.",
  long_value: "Values beyond the limit were cut.",
  many_properties: "Properties beyond the fiftieth were left out.",
  html: "HTML in texts was turned into plain text.",
  rounded_score: "Scores with decimals were rounded.",
  ambiguous_date: "Dates that can be read in two ways were read in the order that the service writes them.",
  unknown_status: "A status that is not known was taken as pending.",
  verified_mark: "Another service's marks of verified buyers were not taken over.",
  pictures_left: "Pictures by address were left out; they come with --fetch-images.",
} as const;

export type RepairKind = keyof typeof repairText;

/** One kind of repair: how often, and the first rows it happened in. */
export type Repair = { kind: RepairKind; message: string; count: number; rows: number[] };

/** A value of a row that could not be used and was left out. */
export type Warning = { row: number; field: string; reason: string; value?: string };

/** Rows that name an example, so that somebody can look at the feed. */
const EXAMPLES = 10;
const WARNINGS = 1_000;

/**
 * The running tally of one reading: what was repaired, which values were dropped, and whether the feed broke off.
 * It stays small whatever the feed holds. Row 0 stands for the file as a whole.
 */
export class FeedReport {
  readonly #repairs = new Map<RepairKind, Repair>();
  readonly warnings: Warning[] = [];
  warningCount = 0;
  /** What the file's text was encoded in, as it was read; null before that. */
  encoding: string | null = null;
  /** Why the end of the feed was not seen; null while it was, or may yet be. Such a feed deletes nothing. */
  incomplete: Reason | null = null;

  repair(kind: RepairKind, row: number, times = 1): void {
    let known = this.#repairs.get(kind);
    if (!known) {
      known = { kind, message: repairText[kind], count: 0, rows: [] };
      this.#repairs.set(kind, known);
    }
    known.count += times;
    if (row > 0 && known.rows.length < EXAMPLES && known.rows.at(-1) !== row) known.rows.push(row);
  }

  /** `value` is what was left out; never given where it may be a person's own. */
  warn(row: number, field: string, reason: string, value?: string): void {
    this.warningCount += 1;
    if (this.warnings.length >= WARNINGS) return;
    this.warnings.push(value === undefined ? { row, field, reason } : { row, field, reason, value: cut(value, 200) });
  }

  /** The first cause stands: what follows a break is its consequence. */
  breakOff(reason: Reason): void {
    this.incomplete ??= reason;
  }

  get repairs(): Repair[] {
    return [...this.#repairs.values()];
  }
}
