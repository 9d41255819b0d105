/** Adds to a count of a run's report. A count of nothing gets no entry. */
export const addCount = (counts: Record<string, number>, name: string, by: number = 1): void => {
  if (by > 0) counts[name] = (counts[name] ?? 0) + by;
};
