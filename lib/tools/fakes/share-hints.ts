import type { ShareFile } from "./share-table";

const HINT = /^\s*`?([\w.]+)`?\s*(>=|<=|=|>|<)\s*'?([^']*?)'?\s*$/;

/**
 * Whether a file may hold rows that a recipient's hints are about, by the least and the greatest of each column. Hints
 * that are not understood are passed over: they are hints.
 */
export const passesHints = (
  { stats, partitionValues }: Pick<ShareFile, "stats" | "partitionValues">,
  hints: string[],
): boolean =>
  hints.every((hint) => {
    const [, column = "", compared, value = ""] = HINT.exec(hint) ?? [];
    const own = partitionValues[column];
    const [least, greatest] = [own ?? stats.minValues[column], own ?? stats.maxValues[column]];
    if (least === undefined || least === null || greatest === undefined || greatest === null) return true;
    const wanted = typeof least === "number" ? Number(value) : value;
    const [low, high] = typeof least === "number" ? [least, greatest] : [String(least), String(greatest)];
    if (compared === ">=") return high >= wanted;
    if (compared === ">") return high > wanted;
    if (compared === "<=") return low <= wanted;
    if (compared === "<") return low < wanted;
    return compared === "=" ? low <= wanted && wanted <= high : true;
  });
