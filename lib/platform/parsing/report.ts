import { english } from "@/lib/platform/i18n/english";
import type { Reason } from "@/lib/platform/issue";
import { type RepairKind, repairMessages } from "@/lib/platform/parsing/values";
import { truncateText } from "@/lib/platform/storable-text";

/** One kind of repair: its count, and the first affected rows. */
export type Repair = { kind: RepairKind; message: string; count: number; rows: number[] };

/** A value that could not be used and was omitted. */
export type Warning = { row: number; field: string; reason: string; value?: string };

/** Number of example rows per repair. */
const MAX_EXAMPLES = 10;
const WARNINGS = 1_000;

/**
 * Counts the repairs and omitted values of an import, and whether the feed was incomplete. Stays small for any feed.
 * Row 0 means the whole file.
 */
export class FeedReport {
  readonly #repairs = new Map<RepairKind, Repair>();
  readonly warnings: Warning[] = [];
  warningCount = 0;
  /** The detected encoding; null before it's known. */
  encoding: string | null = null;
  /** Why the feed is incomplete; null if it's complete so far. An incomplete feed deletes nothing. */
  incomplete: Reason | null = null;

  repair(kind: RepairKind, row: number, times = 1): void {
    let known = this.#repairs.get(kind);
    if (!known) {
      known = { kind, message: english(repairMessages[kind]), count: 0, rows: [] };
      this.#repairs.set(kind, known);
    }
    known.count += times;
    if (row > 0 && known.rows.length < MAX_EXAMPLES && known.rows.at(-1) !== row) known.rows.push(row);
  }

  /** `value` is the omitted value; never pass personal data. */
  warn(row: number, field: string, reason: string, value?: string): void {
    this.warningCount += 1;
    if (this.warnings.length >= WARNINGS) return;
    this.warnings.push(
      value === undefined ? { row, field, reason } : { row, field, reason, value: truncateText(value, 200) },
    );
  }

  /** Keeps the first cause: later ones are consequences. */
  markIncomplete(reason: Reason): void {
    this.incomplete ??= reason;
  }

  get repairs(): Repair[] {
    return [...this.#repairs.values()];
  }
}
