const second = 1_000;
const minute = 60 * second;
const delays = [10 * second, 30 * second, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 40 * minute];

/** Milliseconds to wait after failed attempt number `attempt` (0 = the first), growing, with a tenth of chance in it. */
export function backoff(attempt: number): number {
  const base = delays[attempt] ?? 60 * minute;
  return Math.round(base * (1 + Math.random() / 10));
}
