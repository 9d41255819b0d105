import {
  HonestyFigures,
  HonestyPageQuery,
  HonestyParams,
  HonestyReceipt,
  ReceiptParams,
} from "@/lib/display/honesty/schema";
import { endpoint } from "@/lib/platform/http/contract";

const shared = {
  method: "GET",
  tag: "Honesty",
  auth: "public",
  params: HonestyParams,
  alternatives: { 304: undefined },
} as const;

const described =
  "Computed from the store's log alone, at most every ten minutes, and rarer for very long logs. Has a strong ETag. `If-None-Match` gets 304 if nothing changed.";

/** Numbers of reviews with one to five stars, with their total. */
const byStars = (...stars: [number, number, number, number, number]) => ({
  total: stars.reduce((sum, count) => sum + count, 0),
  stars,
});
const none = byStars(0, 0, 0, 0, 0);
const noTimes = { count: 0, median: null, p90: null };
const noDeciders = { author: 0, rule: 0, person: 0, key: 0, system: 0 };
const exampleCheckpoint =
  "reviews.example.com/honesty/shop.example.com/log\n32\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— reviews.example.com/honesty/shop.example.com/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";

/** The receipt of a review. */
const exampleReceipt = {
  kind: "review",
  item: "3f1c9a0be47d5528a16b0c7be2d94f60",
  status: "published",
  is_behind: false,
  checkpoint: exampleCheckpoint,
  keys: ["reviews.example.com/honesty/shop.example.com/log+033de0a2+Af…"],
  entries: [
    {
      index: 1,
      entry:
        '{"type":"received","at":"2026-05-20T17:02:11Z","kind":"review","item":"3f1c9a0be47d5528a16b0c7be2d94f60","stars":4,"source":"invitation","verified":"buyer"}',
      proof: ["9kVR/NbweCPLh5cc+5FEZCXaGChrOrHvk14MvXpp9oo=", "OUbKZP942TymEJCkN8u2s9LKDUiPX5zPMFlgg2iydpM="],
    },
    {
      index: 2,
      entry:
        '{"type":"published","at":"2026-05-21T07:12:45Z","kind":"review","item":"3f1c9a0be47d5528a16b0c7be2d94f60","by":"person"}',
      proof: ["Q7sA0M53kKU7kSVrNwyIeyR5GlU5pvv7cMWHDoyRrl0="],
    },
  ],
  how_to_verify: ["Each entry is in the log: its hash is SHA-256 of a zero byte and the bytes of `entry`, and …"],
};

const exampleReviews = {
  received: byStars(1, 0, 1, 2, 8),
  published: byStars(1, 0, 1, 2, 7),
  pending: none,
  waiting: none,
  unconfirmed: none,
  rejected: byStars(0, 0, 0, 0, 1),
  removed: none,
  deleted: none,
  deleted_published: none,
  undone: none,
  erased: none,
  erased_published: none,
  published_share: { published: byStars(1, 0, 1, 2, 7), of: byStars(1, 0, 1, 2, 8) },
  reasons: { spam: byStars(0, 0, 0, 0, 1) },
  decided_by: { published: { ...noDeciders, rule: 9, person: 2 }, rejected: { ...noDeciders, person: 1 } },
  time_to_publish: {
    count: 11,
    median: 4,
    p90: 310,
    stars: [
      { count: 1, median: 310, p90: 310 },
      noTimes,
      { count: 1, median: 4, p90: 4 },
      { count: 2, median: 3, p90: 5 },
      { count: 7, median: 4, p90: 420 },
    ],
  },
  invited: byStars(1, 0, 1, 2, 5),
  imported: none,
  verified_buyer: byStars(1, 0, 1, 2, 5),
  verified_email: byStars(0, 0, 0, 0, 2),
  incentivized: byStars(0, 0, 0, 1, 2),
  replied: byStars(1, 0, 0, 0, 0),
  store_edits: { total: 0, raised: 0, lowered: 0, fields: {} },
  author_edits: { total: 1, raised: 0, lowered: 1 },
  reports: { total: 0, open: 0, kept: 0, gone: 0 },
};
const noReviews = {
  ...exampleReviews,
  received: none,
  published: none,
  rejected: none,
  published_share: { published: none, of: none },
  reasons: {},
  decided_by: { published: noDeciders, rejected: noDeciders },
  time_to_publish: { ...noTimes, stars: [noTimes, noTimes, noTimes, noTimes, noTimes] },
  invited: none,
  verified_buyer: none,
  verified_email: none,
  incentivized: none,
  replied: none,
  author_edits: { total: 0, raised: 0, lowered: 0 },
};

export const honestyPageContract = endpoint({
  ...shared,
  id: "honesty.page",
  path: "/honesty/{client_id}",
  summary: "The public page on how a store handles reviews",
  description: described,
  query: HonestyPageQuery,
  produces: "text/html; charset=utf-8",
});

export const honestyStatementContract = endpoint({
  ...shared,
  id: "honesty.statement",
  path: "/honesty/{client_id}/statement.html",
  summary: "The statement on whether and how a store checks that reviews are from customers, as HTML for its own pages",
  description: described,
  query: HonestyPageQuery,
  produces: "text/html; charset=utf-8",
});

export const honestyBadgeContract = endpoint({
  ...shared,
  id: "honesty.badge",
  path: "/honesty/{client_id}/badge.svg",
  summary: "The badge with the shares of bad and of good reviews that were published, as an image",
  description: `${described} 404 if the store hides its badge.`,
  query: HonestyPageQuery,
  produces: "image/svg+xml",
  example: { params: { client_id: "shop.example.com" } },
});

export const honestyFiguresContract = endpoint({
  ...shared,
  id: "honesty.figures",
  path: "/honesty/{client_id}/figures.json",
  summary: "Retrieve the figures of a store's public page",
  description: described,
  response: HonestyFigures,
  example: {
    params: { client_id: "shop.example.com" },
    answer: {
      checkpoint: exampleCheckpoint,
      as_of: "2026-05-22T10:13:00Z",
      size: 32,
      began_at: "2026-05-01T08:00:00Z",
      first_at: "2026-05-01T08:00:00Z",
      reviews: exampleReviews,
      product_reviews: exampleReviews,
      seller_reviews: noReviews,
      questions: { received: 1, published: 1, pending: 0, rejected: 0, deleted: 0, erased: 0 },
      bias: [],
      invitations: { first_day: "2026-05-02", last_day: "2026-05-21", sent: 41, skipped: { quarantine: 6 } },
      imports: { count: 0, created: 0, updated: 0, undone: 0 },
      settings: [{ at: "2026-05-01T08:00:00Z", settings: { send_emails_after_days: 7, send_limit: 1000 } }],
    },
  },
});

export const honestyFiguresCsvContract = endpoint({
  ...shared,
  id: "honesty.figures_csv",
  path: "/honesty/{client_id}/figures.csv",
  summary: "Retrieve the figures of a store's public page as CSV",
  description: `One row per figure: \`of\`, \`figure\`, \`detail\`, \`total\`, and \`stars_1\` to \`stars_5\` where it has them. ${described}`,
  produces: "text/csv; charset=utf-8",
  example: { params: { client_id: "shop.example.com" } },
});

const secret =
  "Its address is secret: the author gets it. Unknown addresses get 404, and so do wrong ones of a text that exists.";

export const honestyReceiptContract = endpoint({
  method: "GET",
  tag: "Honesty",
  auth: "public",
  id: "honesty.receipt",
  path: "/honesty/{client_id}/receipt/{token}",
  summary: "An author's page on what a store did with a review or question",
  description: `Status and history of one text, as the store's log has them. ${secret}`,
  params: ReceiptParams,
  query: HonestyPageQuery,
  produces: "text/html; charset=utf-8",
});

export const honestyReceiptFileContract = endpoint({
  method: "GET",
  tag: "Honesty",
  auth: "public",
  id: "honesty.receipt_file",
  path: "/honesty/{client_id}/receipt/{token}/receipt.json",
  summary: "Retrieve an author's receipt with its proofs",
  description: `All of a text's entries in the store's log, each with a proof that it is in there, and the log's signed head. Once the text is erased, the receipt still proves what was decided. ${secret}`,
  params: ReceiptParams,
  response: HonestyReceipt,
  example: {
    params: { client_id: "shop.example.com", token: "r.5f0c2a9be1d34876.6a0c2f8be91d4c57a3b04d5e6f708192" },
    answer: exampleReceipt,
  },
});
