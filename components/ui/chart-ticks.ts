/** The lower end, the middle and the upper end of an axis from 0 that includes `max`: whole or round numbers. */
export function countTicks(max: number): [number, number, number] {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, max))) - 1);
  const top = Math.max(2, Math.ceil(max / (2 * step)) * 2 * step);
  return [0, top / 2, top];
}
