import { SaxesParser } from "saxes";
import { attributeIssue, type ElementRule, elements, isNumber, textIssue } from "@/lib/display/google-feed/rules";
import { toGtin14 } from "@/lib/platform/parsing/gtin";

/** A finding of a check. `line` and `review` (its number in the feed, from 1) locate it; 0 is the feed as a whole. */
type Finding = { line: number; review: number; message: string };

export type FeedCheck = {
  /** no errors: valid by the schema */
  valid: boolean;
  reviews: number;
  bytes: number;
  /** by stars, 1 to 5; others are ignored */
  scores: number[];
  /** schema violations, the first hundred */
  errors: Finding[];
  errorCount: number;
  /** recommendations of Google beyond the schema, the first hundred */
  advice: Finding[];
  adviceCount: number;
};

const MAX_FINDINGS = 100;
/** Google's limits. */
const MAX_BYTES = 100 * 1024 * 1024;
const MIN_REVIEWS = 50;
/** Characters of an element's text that are checked. */
const MAX_TEXT_LENGTH = 200_000;

type Open = { name: string; path: string; rule: ElementRule | null; text: string; seen: string[] };

/**
 * Checks a product-review feed against what Google publishes of its schema 2.4: well-formed UTF-8 XML, position, order,
 * number and values of elements, unique reviews; and advises on Google's policies. Reads a stream and only stores the
 * ids of reviews. Whatever is in the feed becomes a finding, never an error.
 */
export async function checkReviewFeed(input: AsyncIterable<Uint8Array>): Promise<FeedCheck> {
  const checker = new Checker();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let bytes = 0;
  try {
    for await (const piece of input) {
      bytes += piece.length;
      checker.write(decoder.decode(piece, { stream: true }));
      if (checker.broken) break;
    }
    if (!checker.broken) checker.write(decoder.decode());
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    checker.abort("The feed isn’t UTF-8.");
  }
  return checker.end(bytes);
}

class Checker {
  readonly #parser = new SaxesParser();
  readonly #open: Open[] = [];
  readonly #ids = new Set<string>();
  readonly #errors: Finding[] = [];
  readonly #advice: Finding[] = [];
  readonly #scores = [0, 0, 0, 0, 0];
  #errorCount = 0;
  #adviceCount = 0;
  #reviews = 0;
  #ratingBounds: { min: number; max: number } | null = null;
  #identifiers: Set<string> = new Set();
  broken = false;

  constructor() {
    this.#parser.on("error", (error) =>
      this.abort(`The feed isn’t valid XML: ${error.message.replace(/^\d+:\d+: /, "")}`),
    );
    this.#parser.on("doctype", () => this.#addIssue("has a document type, which isn’t allowed", "The feed"));
    this.#parser.on("opentag", ({ name, attributes }) => this.#onOpenTag(name, attributes as Record<string, string>));
    this.#parser.on("text", (text) => this.#onText(text));
    this.#parser.on("cdata", (text) => this.#onText(text));
    this.#parser.on("closetag", () => this.#onCloseTag());
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  /** The rest can't be parsed: further findings would be meaningless. */
  abort(message: string): void {
    if (this.broken) return;
    this.#addFinding(this.#errors, message);
    this.#errorCount += 1;
    this.broken = true;
  }

  end(bytes: number): FeedCheck {
    if (!this.broken) this.#parser.close();
    if (!this.broken) {
      const small = this.#reviews < MIN_REVIEWS;
      if (small)
        this.#addAdvice(`Google shows stars once a feed has ${MIN_REVIEWS} reviews. This one has ${this.#reviews}.`, 0);
      if (bytes > MAX_BYTES)
        this.#addAdvice("The feed is larger than 100 MB, the most that Google accepts in one file.", 0);
    }
    return {
      valid: this.#errorCount === 0,
      reviews: this.#reviews,
      bytes,
      scores: this.#scores,
      errors: this.#errors,
      errorCount: this.#errorCount,
      advice: this.#advice,
      adviceCount: this.#adviceCount,
    };
  }

  #onOpenTag(name: string, attributes: Record<string, string>): void {
    if (this.broken) return;
    const holder = this.#open.at(-1);
    const path = holder ? `${holder.name}/${name}` : name;
    if (path === "reviews/review") this.#reviews += 1;
    const rule = holder && holder.rule === null ? null : (elements[path] ?? null);
    if (!holder && name !== "feed") this.#addIssue("isn’t <feed>", `The root element <${name}>`);
    else if (holder?.rule) this.#checkPosition(holder, name, rule !== null);
    holder?.seen.push(name);
    if (rule) this.#checkAttributes(rule, name, attributes);
    if (path === "reviews/review") this.#identifiers = new Set();
    this.#open.push({ name, path, rule, text: "", seen: [] });
  }

  /** Checks that an element is allowed here, after its siblings. */
  #checkPosition(holder: Open, name: string, known: boolean): void {
    const places = holder.rule?.children ?? [];
    const place = places.findIndex((child) => child.name === name);
    if (!known || place < 0) {
      this.#addIssue(`isn’t allowed in <${holder.name}>`, `<${name}>`);
      return;
    }
    const times = holder.seen.filter((each) => each === name).length;
    if (times >= (places[place]?.max ?? 1)) this.#addIssue(`appears in <${holder.name}> more than once`, `<${name}>`);
    if (holder.rule?.anyOrder) return;
    const before = places.findIndex((child) => child.name === holder.seen.at(-1));
    if (place < before) this.#addIssue(`must come before <${holder.seen.at(-1)}>`, `<${name}>`);
  }

  #checkAttributes(rule: ElementRule, name: string, attributes: Record<string, string>): void {
    // The root element also has the schema's and namespaces' attributes.
    const given = Object.keys(attributes).filter((each) => name !== "feed" || !/^(xmlns|xsi|vc)(:|$)/.test(each));
    for (const attribute of new Set([...given, ...Object.keys(rule.attributes ?? {})])) {
      const issue = attributeIssue(rule, attribute, attributes[attribute]);
      if (issue) this.#addIssue(issue, `<${name}>`);
    }
    if (name !== "overall" || !isNumber(attributes.min ?? "") || !isNumber(attributes.max ?? "")) return;
    this.#ratingBounds = { min: Number(attributes.min), max: Number(attributes.max) };
  }

  #onText(text: string): void {
    const open = this.#open.at(-1);
    if (open && open.text.length < MAX_TEXT_LENGTH) open.text += text;
  }

  #onCloseTag(): void {
    const closed = this.#open.pop();
    if (!closed || this.broken) return;
    const { name, path, rule, text, seen } = closed;
    if (!rule) return;
    const issue = textIssue(rule.text, text);
    if (issue) this.#addIssue(issue, `<${name}>`);
    for (const child of rule.children ?? [])
      if (child.min === 1 && !seen.includes(child.name)) this.#addIssue(`is missing <${child.name}>`, `<${name}>`);
    if (!issue) this.#checkValue(path, text.trim());
  }

  /** Checks that a well-formed value is plausible. */
  #checkValue(path: string, value: string): void {
    switch (path) {
      case "review/review_id":
        if (this.#ids.has(value)) this.#addIssue(`is ${value}, which an earlier review already has`, "<review_id>");
        this.#ids.add(value);
        return;
      case "ratings/overall": {
        const score = Number(value);
        if (this.#ratingBounds && (score < this.#ratingBounds.min || score > this.#ratingBounds.max))
          this.#addIssue(`is ${value}, which is outside its own min and max`, "<overall>");
        if (Number.isInteger(score) && score >= 1 && score <= 5) this.#scores[score - 1]! += 1;
        return;
      }
      case "gtins/gtin":
        this.#identifiers.add("gtin");
        if (toGtin14(value) === null) this.#addAdvice(`GTIN ${value} has the wrong length or check digit.`);
        return;
      case "mpns/mpn":
      case "brands/brand":
        this.#identifiers.add(path.split("/")[1]!);
        return;
      case "products/product":
        if (!this.#identifiers.has("gtin") && !(this.#identifiers.has("mpn") && this.#identifiers.has("brand")))
          this.#addAdvice(
            "The product has neither a GTIN nor a brand with a part number, so Google may not recognize it.",
          );
        return;
      case "review/title":
      case "review/content":
      case "pros/pro":
      case "cons/con":
        for (const [what, shape] of forbiddenContent)
          if (shape.test(value))
            this.#addAdvice(`<${path.split("/")[1]}> contains ${what}, which Google doesn’t allow.`);
        return;
    }
  }

  #addIssue(what: string, subject: string): void {
    this.#errorCount += 1;
    this.#addFinding(this.#errors, `${subject} ${what}.`);
  }

  #addAdvice(message: string, review = this.#reviews): void {
    this.#adviceCount += 1;
    this.#addFinding(this.#advice, message, review);
  }

  #addFinding(
    list: Finding[],
    message: string,
    review = this.#open.some(({ name }) => name === "review") ? this.#reviews : 0,
  ) {
    if (list.length < MAX_FINDINGS)
      list.push({ line: review === 0 && list === this.#advice ? 0 : this.#parser.line, review, message });
  }
}

const forbiddenContent: [what: string, shape: RegExp][] = [
  ["a URL", /\bhttps?:\/\/|\bwww\.[a-z\d-]+\.[a-z]{2,}/i],
  ["an email address", /[^\s@<>]@(?:[^\s@<>.]+\.)+[a-z]{2}/i],
  ["a phone number", /(?:\+|\b00)\d[\d ()/-]{7,18}\d\b/],
];
