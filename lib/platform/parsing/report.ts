import { english } from "@/lib/platform/i18n/english";
import type { Reason } from "@/lib/platform/issue";
import { type RepairKind, repairMessages } from "@/lib/platform/parsing/values";
import { cut } from "@/lib/platform/storable-text";

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
      known = { kind, message: english(repairMessages[kind]), count: 0, rows: [] };
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
  markIncomplete(reason: Reason): void {
    this.incomplete ??= reason;
  }

  get repairs(): Repair[] {
    return [...this.#repairs.values()];
  }
}
