import type { WireRequest } from "@/lib/tools/bench/load";
import { feedbackToken, PRODUCTS, productId, readerClient, writerClient } from "@/lib/tools/bench/seed";
import { randomReview, seededRandom } from "@/lib/tools/bench/texts";

/** The servers of a run: Candor, and two yardsticks on bare node:http. */
export const servers = ["candor", "plain", "limit"] as const;
export type ServerName = (typeof servers)[number];

export type Case = {
  name: string;
  /** what one request does, for the report */
  description: string;
  expected: number;
  requests: readonly WireRequest[];
  /** `json`: all servers must return the same data before the measurement; `status`: the same status is enough */
  compareBy: "json" | "status";
};

const PAGE = 500;
const RATINGS_PER_PAGE = 100;

const get = (path: string, headers = `authorization: Bearer ${readerClient.secretKey}\r\n`): WireRequest => ({
  head: `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}`,
  body: null,
});

/** The cases to measure. Cursors and entity tags are fetched from Candor at `candorPort`. */
export async function makeCases(candorPort: number): Promise<Case[]> {
  const list = (name: string, description: string, path: string): Case => ({
    name,
    description,
    expected: 200,
    requests: [get(path)],
    compareBy: "json",
  });
  const paths = displayPaths();
  const tags = await Promise.all(paths.map(async (path) => (await fetchPath(candorPort, path)).etag));
  return [
    list("list 100, page 1", "GET /v1/reviews?limit=100", "/v1/reviews?limit=100"),
    list(`list 100, page ${PAGE}`, "the same with a cursor", await pathOfPage(candorPort, PAGE)),
    list("list 1000", "GET /v1/reviews?limit=1000", "/v1/reviews?limit=1000"),
    list("summaries 1000", "GET /v1/summaries?limit=1000", "/v1/summaries?limit=1000"),
    {
      name: "no SQL",
      description: "GET /v1/reviews?limit=0: the key is checked, the query refused (400); plain answers a constant",
      expected: 400,
      requests: [get("/v1/reviews?limit=0")],
      compareBy: "status",
    },
    {
      name: "display",
      description: `GET /onpage/{client}/reviews.json?key= of ${paths.length} products; plain runs Candor's own SQL on every hit`,
      expected: 200,
      requests: paths.map((path) => get(path, "")),
      compareBy: "json",
    },
    {
      name: "display, unchanged",
      description: "the same with If-None-Match (304)",
      expected: 304,
      requests: paths.map((path, index) => get(path, `if-none-match: ${tags[index]}\r\n`)),
      compareBy: "status",
    },
    {
      name: "display, cold",
      description:
        "the same with a family's name that nobody asked with before, so that no answer is in memory; plain as above",
      expected: 200,
      requests: paths.map((path) => get(`${path}&url_key={serial}`, "")),
      compareBy: "json",
    },
    {
      name: `ratings of ${RATINGS_PER_PAGE}`,
      description: `GET /onpage/{client}/ratings.json of ${RATINGS_PER_PAGE} products; plain selects their counters`,
      expected: 200,
      requests: ratingPaths().map((path) => get(path, "")),
      compareBy: "json",
    },
    {
      name: "feedback, many reviews",
      description: `POST /collect/feedback, votes of new voters on ${PRODUCTS} reviews; plain inserts a row and commits`,
      expected: 204,
      requests: votes((index) => index),
      compareBy: "status",
    },
    {
      name: "feedback, one review",
      description: "the same, all on one review",
      expected: 204,
      requests: votes(() => 0),
      compareBy: "status",
    },
    {
      name: "submit, many products",
      description: `POST /collect/reviews, ${PRODUCTS} products; plain inserts a row and commits`,
      expected: 201,
      requests: submissions((index) => productId(index)),
      compareBy: "status",
    },
    {
      name: "submit, one product",
      description: "the same, all of one product",
      expected: 201,
      requests: submissions(() => productId(0)),
      compareBy: "status",
    },
    {
      name: "post order",
      description:
        "POST /v1/orders, a new order of a new customer, one or two items; plain inserts one row of `orders` and commits",
      expected: 200,
      requests: orders(),
      compareBy: "status",
    },
    {
      name: "post review",
      description: `POST /v1/reviews without an order, ${PRODUCTS} products; plain inserts a row and commits`,
      expected: 201,
      requests: importedReviews(),
      compareBy: "status",
    },
  ];
}

/** Products with very different numbers of reviews. */
const displayPaths = (): string[] =>
  Array.from({ length: 200 }, (_, index) => `/onpage/${readerClient.id}/reviews.json?key=${productId(index * 5)}`);

/** Listing pages of different products, spread over the catalog. */
const ratingPaths = (): string[] =>
  Array.from({ length: 50 }, (_, page) => {
    const keys = Array.from(
      { length: RATINGS_PER_PAGE },
      (_, index) => `key=${productId((page * 20 + index * 7) % PRODUCTS)}`,
    );
    return `/onpage/${readerClient.id}/ratings.json?${keys.join("&")}`;
  });

/** Votes of voters who haven't voted before. */
const votes = (review: (index: number) => number): WireRequest[] =>
  Array.from({ length: PRODUCTS }, (_, index) => ({
    head: `POST /collect/feedback/${feedbackToken(review(index))} HTTP/1.1\r\nhost: localhost\r\n`,
    body: `type=${index % 4 === 0 ? "down" : "up"}&voter_id=visitor-{serial}`,
    type: "application/x-www-form-urlencoded",
  }));

/** One submission per product, with new text each time it is sent. */
function submissions(product: (index: number) => string): WireRequest[] {
  const random = seededRandom(7);
  return Array.from({ length: PRODUCTS }, (_, index) => {
    const { author, score, title, extract, pros, cons } = randomReview(random);
    const body = {
      client_id: writerClient.id,
      api_key: writerClient.publicKey,
      product_id: product(index),
      author,
      author_email: `shopper${index}@mail.example`,
      score,
      ...(title === null ? {} : { title }),
      content: `${extract} {serial}`,
      pros,
      cons,
    };
    return { head: "POST /collect/reviews HTTP/1.1\r\nhost: localhost\r\n", body: JSON.stringify(body) };
  });
}

const post = (path: string, body: object): WireRequest => ({
  head: `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${writerClient.secretKey}\r\n`,
  body: JSON.stringify(body),
});

/** New orders, every other one of two products. */
const orders = (): WireRequest[] =>
  Array.from({ length: PRODUCTS }, (_, index) => {
    const delivery_date = new Date().toISOString().slice(0, 10);
    const items = [productId(index), productId((index * 7 + 1) % PRODUCTS)].slice(0, 1 + (index % 2));
    const customer = {
      id: "C-{serial}",
      name: `Shopper ${index}`,
      email: "shopper{serial}@mail.example",
      lang: "en",
    };
    return post("/v1/orders", {
      order: {
        id: "O-{serial}",
        store_name: "Web",
        customer,
        items: items.map((id) => ({ id, delivery_date })),
      },
    });
  });

/** One imported review per product. */
function importedReviews(): WireRequest[] {
  const random = seededRandom(11);
  return Array.from({ length: PRODUCTS }, (_, index) => {
    const { author, score, title, extract, pros, cons } = randomReview(random);
    const author_email = `shopper${index}@mail.example`;
    const item = { id: productId(index) };
    return post("/v1/reviews", {
      review: { author, author_email, score, title, extract: `${extract} {serial}`, pros, cons, order: { item } },
    });
  });
}

async function pathOfPage(port: number, page: number): Promise<string> {
  let address = "/v1/reviews?limit=100";
  for (let at = 1; at < page; at += 1) {
    const answer = await fetchPath(port, address);
    const { links } = JSON.parse(answer.body) as { links: { next?: string } };
    if (!links.next) throw new Error(`There are only ${at} pages.`);
    const next = new URL(links.next);
    address = next.pathname + next.search;
  }
  return address;
}

/** One request, outside of any measurement. */
export async function fetchPath(port: number, path: string, headers: Record<string, string> = {}) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${readerClient.secretKey}`, ...headers },
  });
  return { status: answer.status, body: await answer.text(), etag: answer.headers.get("etag") };
}

/**
 * The comparable data of a response: keys sorted, without values that depend on the time of the request (the next
 * page's URL, signatures of images).
 */
export function comparableData(body: string): string {
  const inOrder = (_: string, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  const { links: _, ...rest } = JSON.parse(body);
  return JSON.stringify(rest, inOrder).replace(/\?expires=[^"]*/g, "");
}
