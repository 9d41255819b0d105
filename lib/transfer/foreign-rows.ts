import { createHash, createHmac } from "node:crypto";
import { questionName, validateAnswers } from "@/lib/accounts/stores/custom-answers";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import { parseDay } from "@/lib/feeds/read-day";
import { lastingKey } from "@/lib/platform/env";
import { emailAddress, text } from "@/lib/platform/http/fields";
import type { FeedReport } from "@/lib/platform/parsing/report";
import { storableText, truncateText } from "@/lib/platform/storable-text";
import { columnKey, type Layout } from "@/lib/transfer/foreign-layouts";
import {
  plainText,
  readAddresses,
  readIncentivized,
  readScore,
  readStatus,
  shortText,
} from "@/lib/transfer/foreign-values";
import type { NamedResponse, ReadRow, RowValues } from "@/lib/transfer/review-row";

/** What reading another service's file requires to know about the client. */
export type ForeignContext = {
  report: FeedReport;
  /** The store's public name, for replies: these files don't have their author. */
  sellerName: string;
  questions: readonly CustomQuestion[];
  /** The latest allowed date of a review. */
  latest: string;
  /** Status of reviews if the file has none; services export such files of published reviews. */
  defaultStatus: { accepted: boolean | null; reject_reason: null };
};

const MAX_EXTRACT = text(60_000);

/**
 * Converts the rows of a file by its layout. Rows without a score, a product or a readable date are rejected, as are
 * seller reviews. Nothing is marked as verified, whatever the file says: this installation has seen no order.
 */
export class ForeignRows {
  readonly #layout: Layout;
  readonly #context: ForeignContext;
  readonly #has: Set<string>;
  readonly #questions: Map<string, CustomQuestion>;
  readonly #shown = { day_first: false, month_first: false };
  readonly #ambiguous = { count: 0, rows: [] as number[] };

  constructor(layout: Layout, header: string[], context: ForeignContext) {
    this.#layout = layout;
    this.#context = context;
    this.#has = new Set(header.map(columnKey));
    this.#questions = new Map(
      header.flatMap((name) => {
        const question = questionOf(name, context.questions);
        return question ? [[columnKey(name), question] as const] : [];
      }),
    );
  }

  read(row: number, fields: string[]): ReadRow {
    const cells = new Map<string, string>();
    for (let at = 0; at < fields.length; at += 2) {
      const name = columnKey(fields[at]!);
      // Ids and addresses may contain unstorable characters too.
      const value = storableText(fields[at + 1]!);
      if (!cells.has(name) && value.trim() !== "") cells.set(name, value);
    }
    const { report, latest, defaultStatus } = this.#context;
    const { columns, parent, shopReview } = this.#layout;
    const first = (place: keyof typeof columns) => {
      const name = columns[place]?.find((column) => cells.has(column));
      return name === undefined ? undefined : cells.get(name);
    };

    if (shopReview?.word.test(cells.get(shopReview.column) ?? "")) return { row, reason: "seller_review" };
    const date = first("date");
    const day = date === undefined ? null : parseDay(date, latest);
    if (date !== undefined && day === null) return { row, reason: "date_invalid" };
    if (day?.impliedOrder) this.#shown[day.impliedOrder] = true;
    if (day && day.day > latest) return { row, reason: "date_in_future" };
    const word = first("status");
    const status = word === undefined ? defaultStatus : readStatus(word, row, report);
    const extract = plainText(first("extract") ?? "", row, report);
    if (!MAX_EXTRACT.safeParse(extract).success) return { row, reason: "extract_invalid" };
    const author = shortText(first("author"), 255, row, report);

    const answered = parent === undefined ? undefined : cells.get(parent)?.trim();
    if (answered !== undefined && answered !== "0") {
      if (status.accepted !== true) return { row, reason: "not_published" };
      const reply = this.#reply(
        `${answered}#${cells.get(this.#layout.id ?? "") ?? row}`,
        extract,
        author,
        day?.day ?? latest,
      );
      return { row, parent: this.#externalId(answered), reply };
    }

    const given = first("score");
    const score = given === undefined ? null : readScore(given, row, report);
    if (score === null) return { row, reason: given === undefined ? "score_missing" : "score_invalid" };
    const candidates = columns.product.flatMap((column) => productId(cells.get(column)) ?? []);
    if (candidates.length === 0) return { row, reason: "product_missing" };
    if (/^(true|1|yes|verified.*)$/i.test(first("verified")?.trim() ?? "")) report.repair("verified_mark", row);

    const email = first("email")?.trim();
    const authorEmail = email !== undefined && emailAddress.safeParse(email).success ? email : null;
    if (email !== undefined && authorEmail === null) report.warn(row, "author_email", "not_an_address");
    const title = shortText(first("title"), 255, row, report);
    const id = cells.get(this.#layout.id ?? "")?.trim();
    const externalId = this.#externalId(
      id ?? keyOf([candidates[0]!, authorEmail ?? author, date ?? null, authorEmail ? null : extract]),
    );
    if (externalId.length > 255) return { row, reason: "external_id_invalid" };

    const values: RowValues = { external_id: externalId, product_id: null, score, ...status };
    // A missing column leaves the value unchanged; an empty cell clears it.
    const setColumn = <C extends keyof RowValues>(place: keyof typeof columns, column: C, value: RowValues[C]) => {
      if (columns[place]?.some((name) => this.#has.has(name))) values[column] = value;
    };
    setColumn("title", "title", title);
    setColumn("extract", "extract", extract);
    setColumn("author", "author", author);
    setColumn("email", "author_email", authorEmail);
    setColumn("incentivized", "incentivized", readIncentivized(first("incentivized") ?? ""));
    if (day) values.date = day.day;
    const name = shortText(first("productName"), 255, row, report);
    if (name !== null) values.product_name = name;
    const [page] = readAddresses(first("productUrl") ?? "");
    if (page !== undefined) values.product_url = page;
    const images = readAddresses(first("images") ?? "");
    if (images.length > 0) values.images = images.map((url) => ({ token: tokenOf(externalId, url), url }));
    const reply = plainText(first("reply") ?? "", row, report);
    if (reply !== "") {
      const replied = parseDay(first("replyDate") ?? "", latest);
      values.responses = [this.#reply(externalId, reply, null, replied?.day ?? day?.day ?? latest)];
    }
    if (day?.alternative) {
      this.#ambiguous.count += 1;
      if (this.#ambiguous.rows.length < 10) this.#ambiguous.rows.push(row);
    }
    const answers = this.#answers(cells, row);
    if (answers !== null) values.answers = answers;
    return { row, id: null, values, detected: null, otherDate: day?.alternative ?? null, candidates };
  }

  /**
   * Whether ambiguous dates are month-first; call it once, after the last row. The file's other dates decide; if they
   * don't or contradict each other, the service's own order applies, and the report says so.
   */
  monthFirst(): boolean {
    const { day_first, month_first } = this.#shown;
    if (day_first !== month_first) return month_first;
    const { count, rows } = this.#ambiguous;
    for (const row of rows) this.#context.report.repair("ambiguous_date", row);
    if (count > rows.length) this.#context.report.repair("ambiguous_date", 0, count - rows.length);
    return this.#layout.monthFirst ?? false;
  }

  /** Prefixed with the service, so that ids of two services don't collide. */
  #externalId(id: string): string {
    return `${this.#layout.format}:${id}`;
  }

  /** The id is derived from the review's, so that the next import finds the reply. */
  #reply(key: string, extract: string, author: string | null, date: string): NamedResponse {
    const id = `rsp_${keyOf([this.#layout.format, key]).slice(0, 20)}`;
    const moment = `${date}T00:00:00.000Z`;
    return {
      id,
      author: author ?? this.#context.sellerName,
      date,
      extract,
      lang: null,
      created_at: moment,
      updated_at: moment,
    };
  }

  #answers(cells: Map<string, string>, row: number): Record<string, unknown> | null {
    if (this.#questions.size === 0) return null;
    const answers: Record<string, unknown> = {};
    for (const [column, question] of this.#questions) {
      const cell = cells.get(column);
      if (cell === undefined) continue;
      const value = answerOf(question, plainText(cell, row, this.#context.report));
      const validated = validateAnswers([question], { [question.id]: value }, null);
      if (validated.issues.length > 0) this.#context.report.warn(row, questionName(question), "not_an_answer");
      else Object.assign(answers, validated.answers);
    }
    return answers;
  }
}

/** Converts `gid://shopify/Product/123` to `123`. */
function productId(given: string | undefined): string | null {
  const id = given?.trim().replace(/^gid:\/\/.*\//, "");
  return id && id.length <= 255 ? id : null;
}

/** Token derived from an image's source, so the next import finds it. Keyed, since tokens must not be guessable. */
const tokenOf = (externalId: string, url: string): string =>
  createHmac("sha256", lastingKey("picture-token/1"))
    .update(JSON.stringify([externalId, url]))
    .digest("hex")
    .slice(0, 32);

/** Id for a review without one: hash of product, person and time (and text, if there is no address). */
const keyOf = (parts: (string | null)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);

/** The custom question a column answers, matched by id, name or label. */
function questionOf(column: string, questions: readonly CustomQuestion[]): CustomQuestion | undefined {
  const wording = (given: string) => columnKey(given.replace(/[^\p{L}\p{N}\s_-]/gu, ""));
  const columnWording = wording(column.replace(/^cf_/i, ""));
  return questions.find(({ id, name, label }) =>
    [id, name, ...Object.values(label)].some((known) => known !== undefined && wording(known) === columnWording),
  );
}

function answerOf(question: CustomQuestion, cell: string): unknown {
  if (question.type === "score") return Number(cell);
  if (question.type === "text") return truncateText(cell, 2_000);
  const optionOf = (given: string) => {
    const word = given.trim().toLowerCase();
    const option = question.options.find(({ id, label }) =>
      [id, ...Object.values(label)].some((known) => known.toLowerCase() === word),
    );
    return option?.id ?? given.trim();
  };
  return question.multiple ? cell.split(/[,;|]/).map(optionOf) : optionOf(cell);
}
