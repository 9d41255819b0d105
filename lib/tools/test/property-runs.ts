/**
 * How many random cases a property test tries: `everyday` in `npm test`, and as many times more as PROPERTY_RUNS says
 * in the nightly workflow.
 */
export const propertyRuns = (everyday: number): number => everyday * Number(process.env.PROPERTY_RUNS || 1);
