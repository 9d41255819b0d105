import { Parser } from "htmlparser2";

type Attributes = Record<string, string>;

/** Lines are counted from 1. */
type Visitor = {
  onElement: (name: string, attributes: Attributes, line: number) => void;
  /** the text of a script element, and the line where the text starts */
  onScript?: (text: string, line: number, attributes: Attributes) => void;
};

/** Open elements. The parser looks through all of them at each tag, so many would take minutes. */
const MAX_DEPTH = 512;

/**
 * Visits the elements and scripts of a page's HTML from top to bottom, without those in comments. Runs nothing. Stops
 * where elements are nested too deeply; returns that line, or null if everything was read.
 */
export function readHtml(html: string, { onElement, onScript }: Visitor): number | null {
  const lineAt = lineCounter(html);
  let script: { start: number; attributes: Attributes } | null = null;
  let depth = 0;
  let stoppedAt: number | null = null;
  const parser = new Parser({
    onopentag(name, attributes) {
      onElement(name, attributes, lineAt(parser.startIndex));
      script = name === "script" ? { start: parser.endIndex + 1, attributes } : null;
      depth += 1;
      if (depth <= MAX_DEPTH) return;
      stoppedAt = lineAt(parser.startIndex);
      parser.pause();
    },
    onclosetag(name) {
      depth -= 1;
      if (name !== "script" || !script) return;
      onScript?.(html.slice(script.start, parser.startIndex), lineAt(script.start), script.attributes);
      script = null;
    },
  });
  parser.end(html);
  return stoppedAt;
}

/** Returns a function that finds the line of a position in a text. */
export function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let next = text.indexOf("\n"); next >= 0; next = text.indexOf("\n", next + 1)) starts.push(next + 1);
  return (at) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
