import type { DeltaShareFile } from "./delta-share-table";

const HINT = /^\s*`?([\w.]+)`?\s*(>=|<=|=|>|<)\s*'?([^']*?)'?\s*$/;

/**
 * Whether a file may contain rows that match a recipient's hints, by the minimum and maximum of each column.
 * Unsupported hints are ignored: hints are optional.
 */
export const matchesHints = (
  { stats, partitionValues }: Pick<DeltaShareFile, "stats" | "partitionValues">,
  hints: string[],
): boolean =>
  hints.every((hint) => {
    const [, column = "", operator, value = ""] = HINT.exec(hint) ?? [];
    const own = partitionValues[column];
    const [min, max] = [own ?? stats.minValues[column], own ?? stats.maxValues[column]];
    if (min === undefined || min === null || max === undefined || max === null) return true;
    const wanted = typeof min === "number" ? Number(value) : value;
    const [low, high] = typeof min === "number" ? [min, max] : [String(min), String(max)];
    if (operator === ">=") return high >= wanted;
    if (operator === ">") return high > wanted;
    if (operator === "<=") return low <= wanted;
    if (operator === "<") return low < wanted;
    return operator === "=" ? low <= wanted && wanted <= high : true;
  });
