type TransientFailure =
  | { status: number; retryAfter?: number; html?: boolean }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body";

/** What becomes of the nth answer, of 0 to 99: the same each time, and without a pattern. */
export const pseudoRandomOf = (n: number): number => (Math.imul(n ^ 0x5bd1e995, 0x9e3779b1) >>> 16) % 100;

/** About a quarter of all answers go wrong, in every way that passes; null: it goes well. */
export function randomFailureOf(n: number): TransientFailure | null {
  const roll = pseudoRandomOf(n);
  if (roll < 3) return { status: 429, retryAfter: 1 };
  if (roll < 8) return { status: 503, html: true };
  if (roll < 11) return { status: 500, html: true };
  if (roll < 15) return "cut";
  if (roll < 19) return "cut in the middle";
  if (roll < 22) return "never answer";
  return roll < 25 ? "slow body" : null;
}
