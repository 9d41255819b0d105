type TransientFailure =
  | { status: number; retryAfter?: number; html?: boolean }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body";

/** A number from 0 to 99 for the nth response: reproducible, without a pattern. */
export const pseudoRandomOf = (n: number): number => (Math.imul(n ^ 0x5bd1e995, 0x9e3779b1) >>> 16) % 100;

/** Every transient failure occurs; about a quarter of all responses fail. Null: no failure. */
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
