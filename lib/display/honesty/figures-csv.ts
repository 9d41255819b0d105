import type { ByStars, Figures, ReviewFigures, Times } from "@/lib/honesty/figures";

type Row = (string | number | null)[];

/** The figures as CSV, a row each. Names and codes need no quotes. */
export function figuresCsv(figures: Figures): string {
  const { reviews, product_reviews, seller_reviews, questions, bias, invitations, imports } = figures;
  const rows: Row[] = [
    ["of", "figure", "detail", "total", "stars_1", "stars_2", "stars_3", "stars_4", "stars_5"],
    ["log", "entries", "", figures.size],
    ["log", "as_of", "", figures.as_of],
    ["log", "began_at", "", figures.began_at],
    ...Object.entries({ reviews, product_reviews, seller_reviews }).flatMap(([of, one]) => reviewRows(of, one)),
    ...Object.entries(questions).map(([name, count]): Row => ["questions", name, "", count]),
    ...bias.flatMap(({ question, since, low, high, p }): Row[] => [
      ["bias", question, "since", since],
      ["bias", question, "low_reviews", low.reviews],
      ["bias", question, "low_count", low.count],
      ["bias", question, "low_median", low.median],
      ["bias", question, "high_reviews", high.reviews],
      ["bias", question, "high_count", high.count],
      ["bias", question, "high_median", high.median],
      ["bias", question, "p", p],
    ]),
    ...(invitations
      ? [
          ["invitations", "first_day", "", invitations.first_day],
          ["invitations", "last_day", "", invitations.last_day],
          ["invitations", "sent", "", invitations.sent],
          ...Object.entries(invitations.skipped).map(
            ([reason, count]): Row => ["invitations", "skipped", reason, count],
          ),
        ]
      : []),
    ...Object.entries(imports).map(([name, count]): Row => ["imports", name, "", count]),
  ];
  return rows.map((row) => `${row.map((value) => value ?? "").join(",")}\r\n`).join("");
}

function reviewRows(of: string, figures: ReviewFigures): Row[] {
  const { reasons, decided_by, time_to_publish, published_share, store_edits, author_edits, reports, ...counts } =
    figures;
  const { fields, ...storeEdits } = store_edits;
  const byStars = (name: string, detail: string, { total, stars }: ByStars): Row => [of, name, detail, total, ...stars];
  const times = (detail: "count" | "median" | "p90"): Row => [
    of,
    "time_to_publish",
    detail,
    time_to_publish[detail],
    ...time_to_publish.stars.map((one: Times) => one[detail]),
  ];
  const plain = (name: string, record: Record<string, number>): Row[] =>
    Object.entries(record).map(([detail, count]) => [of, name, detail, count]);
  return [
    ...Object.entries(counts).map(([name, one]) => byStars(name, "", one)),
    byStars("published_share", "published", published_share.published),
    byStars("published_share", "of", published_share.of),
    ...Object.entries(reasons).map(([reason, one]) => byStars("reasons", reason, one)),
    ...plain("published_by", decided_by.published),
    ...plain("rejected_by", decided_by.rejected),
    times("count"),
    times("median"),
    times("p90"),
    ...plain("store_edits", storeEdits),
    ...plain("store_edits_of", fields),
    ...plain("author_edits", author_edits),
    ...plain("reports", reports),
  ];
}
