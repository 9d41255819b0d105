import { exampleFigures, exampleReceipt } from "@/lib/display/honesty/example";
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
  summary: "The statement on how a store ensures that reviews are genuine, as HTML for its own pages",
  description: described,
  query: HonestyPageQuery,
  produces: "text/html; charset=utf-8",
});

export const honestyFiguresContract = endpoint({
  ...shared,
  id: "honesty.figures",
  path: "/honesty/{client_id}/figures.json",
  summary: "Retrieve the figures of a store's public page",
  description: described,
  response: HonestyFigures,
  example: { params: { client_id: "shop.example.com" }, answer: exampleFigures() },
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
