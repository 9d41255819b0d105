type Passing =
  | { status: number; retryAfter?: number; html?: boolean }
  | "cut"
  | "cut in the middle"
  | "never answer"
  | "slow body";

/** What becomes of the nth answer, of 0 to 99: the same each time, and without a pattern. */
export const diceOf = (n: number): number => (Math.imul(n ^ 0x5bd1e995, 0x9e3779b1) >>> 16) % 100;

/** About a quarter of all answers go wrong, in every way that passes; null: it goes well. */
export function stormOf(n: number): Passing | null {
  const dice = diceOf(n);
  if (dice < 3) return { status: 429, retryAfter: 1 };
  if (dice < 8) return { status: 503, html: true };
  if (dice < 11) return { status: 500, html: true };
  if (dice < 15) return "cut";
  if (dice < 19) return "cut in the middle";
  if (dice < 22) return "never answer";
  return dice < 25 ? "slow body" : null;
}
