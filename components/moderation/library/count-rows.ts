const [QUOTE, NEWLINE] = [34, 10];

/**
 * Counts the rows of a file that arrives in parts: lines of JSON, or of CSV after its header, in which a quoted cell may
 * contain line breaks.
 */
export function rowCounter(format: "csv" | "jsonl"): (part: Uint8Array) => number {
  let lines = format === "csv" ? -1 : 0;
  let isQuoted = false;
  return (part) => {
    for (const byte of part) {
      if (byte === QUOTE && format === "csv") isQuoted = !isQuoted;
      else if (byte === NEWLINE && !isQuoted) lines += 1;
    }
    return Math.max(0, lines);
  };
}
