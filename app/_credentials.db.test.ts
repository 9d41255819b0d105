import http from "node:http";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { contracts, routes } from "@/app/_routes";
import type { Contract } from "@/lib/platform/http/contract";
import { log } from "@/lib/platform/log";
import {
  aClient,
  aKey,
  anOrder,
  someProducts,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
  uniqueName,
} from "@/lib/tools/test/factories";
import { serve } from "@/lib/tools/test/test-server";

// A key in the query string must never appear in a response, link or log line, wherever it is in the address. Checks
// every endpoint over HTTP.

let shop: TestClient;
let other: TestClient;
let key: string;
let rows: Record<string, string>;
let server: Awaited<ReturnType<typeof serve>>;
const lines: string[] = [];

beforeAll(async () => {
  [shop, other] = [await aClient(), await aClient()];
  key = (await aKey([shop.id, other.id])).secret;
  const [sku = ""] = await someProducts(shop.id, [{}, {}, {}]);
  const order = await anOrder(shop.id, { id: uniqueName("order") });
  await anOrder(shop.id);
  const given = [{ product_id: sku, accepted: true }, {}, {}];
  const [[review = ""], [sellerReview = ""], [question = ""]] = [
    await someReviews(shop.id, given),
    await someSellerReviews(shop.id, [{}, {}, {}]),
    await someQuestions(shop.id, [{}, {}, {}]),
  ];
  rows = {
    "/v1/orders/{id}": order.id,
    "/v1/reviews/{id}": review,
    "/v1/seller_reviews/{id}": sellerReview,
    "/v1/questions/{id}": question,
  };
  server = await serve(routes);
  for (const level of ["trace", "debug", "info", "warn", "error", "fatal"] as const)
    vi.spyOn(log, level).mockImplementation((...line: unknown[]) => void lines.push(inspect(line, { depth: 20 })));
  for (const level of ["log", "info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...line: unknown[]) => void lines.push(inspect(line, { depth: 20 })));
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.close();
});

type LoggedResponse = { status: number; headers: http.IncomingHttpHeaders; text: string; log: string };

/** Sends a raw request line; returns the response and everything logged. */
async function sendRaw(
  method: string,
  target: string,
  headers: http.OutgoingHttpHeaders = {},
  body?: string,
): Promise<LoggedResponse> {
  lines.length = 0;
  const answer = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const to = { port: server.port, host: "127.0.0.1", agent: false, method, path: target, headers };
    http.request(to, resolve).on("error", reject).end(body);
  });
  let text = "";
  for await (const piece of answer.setEncoding("utf8")) text += piece;
  return { status: answer.statusCode ?? 0, headers: answer.headers, text, log: lines.join("\n") };
}

/** Checks for every encoding of the key, and for any `token=` that isn't masked. */
function expectNoCredential(request: string, { headers, text, log: logged, status }: LoggedResponse): void {
  const bare = key.slice("sk_".length);
  for (const [where, output] of Object.entries({ headers: JSON.stringify(headers), text, logged })) {
    expect(output.includes(bare), `${request}: ${status}, ${where}: ${output}`).toBe(false);
    if (where !== "text") expect(output).not.toMatch(/token(=|%3D)(?!\*\*\*)/i);
  }
}

const pathOf = (contract: Contract) =>
  contract.path.replace(/\{\w+\}/g, encodeURIComponent(rows[contract.path] ?? "none"));
const sent = ({ accepts }: Contract): [http.OutgoingHttpHeaders, string | undefined] =>
  accepts === "none" ? [{}, undefined] : [{ "Content-Type": "application/json" }, "{}"];

const named = contracts.map((contract) => [contract.id, contract] as const);

describe.each(named)("%s", (_, contract) => {
  it("does not repeat a key from its query", async () => {
    const path = pathOf(contract);
    const client = `client_id=${shop.id}`;
    const queries = [
      `?token=${key}&${client}&limit=1`,
      `?${client}&limit=1&token=${key}`,
      `?token=${key}&token=${key}x&${client}&limit=1`,
      `?%74oken=${key}&${client}&limit=1`,
      `?token=${key}&${client}&limit=1#token=${key}`,
      // invalid request:
      `?token=${key}`,
      `?token=${key}x&${client}`,
      `?token=${key}&client_id=nobody`,
      `?token=${key}&${client}&limit=0&updated_after=${key}`,
      `?token=${key}%00&${client}`,
      `?token=${key}&${client}&${key}%00=1`,
      `?token%3D${key}%00&${client}`,
      `?token=${key}&${client}&after=${key}`,
      // unusual spelling:
      `?Token=${key}&${client}&limit=1`,
      `?${client}&limit=1?token=${key}`,
      `?${client}&amp;token=${key}`,
      `?${client};token=${key}`,
      `?${encodeURIComponent(`token=${key}`)}`,
      `?${encodeURIComponent(encodeURIComponent(`&token=${key}`))}`,
      `?token=%ZZ${key}`,
      `??token=${key}`,
    ];
    const [headers, body] = sent(contract);
    for (const query of queries) {
      const response = await sendRaw(contract.method, path + query, { ...headers }, body);
      expectNoCredential(query, response);
      expect(response.log, "it is in the log").toContain(`path: '${path.slice(0, 8)}`);
    }
    for (const target of [
      `${path}/?token=${key}`,
      `${path}&token=${key}`,
      `${path};token=${key}`,
      `${path}%3Ftoken=${key}`,
      `${path}%26token%3D${key}`,
      `${path}/token=${key}`,
      `${path}%00?token=${key}`,
      `//${path.slice(1)}?token=${key}`,
      `${path.replaceAll("/", "//")}?token=${key}`,
      `http://elsewhere.example${path}?token=${key}`,
    ])
      expectNoCredential(target, await sendRaw(contract.method, target, { ...headers }, body));
    expectNoCredential("other method", await sendRaw("PATCH", `${path}?token=${key}`));
    expectNoCredential("no method", await sendRaw("PROPFIND", `${path}?token=${key}`));
    expectNoCredential(
      "no host",
      await sendRaw(contract.method, `${path}?token=${key}`, { ...headers, Host: "no/host" }, body),
    );
  });
});

it("links between pages omit the key", async () => {
  const lists = contracts.filter(
    ({ auth, method, path }) => auth === "management" && method === "GET" && !path.includes("{"),
  );
  let followed = 0;
  for (const { path } of lists) {
    const first = await sendRaw("GET", `${path}?token=${key}&client_id=${shop.id}&limit=1&Token=${key}&note=mine`);
    const next: string | undefined = JSON.parse(first.text).links?.next;
    if (next === undefined) continue;
    expect([...new URL(next).searchParams.keys()].sort()).toEqual(
      path === "/v1/clients" ? ["after", "limit"] : ["after", "client_id", "limit"],
    );
    followed += 1;
    const { pathname, search } = new URL(next);
    expect((await sendRaw("GET", pathname + search)).status).toBe(401);
    expect((await sendRaw("GET", `${pathname}${search}&token=${key}`)).status).toBe(200);
  }
  expect(followed).toBeGreaterThanOrEqual(6);
});

it("is not passed to pages, which repeat addresses", async () => {
  for (const target of ["/portal/reviews", "/", "/nothing", "/portal/sign-in?to=%2Fportal", "/v1/nowhere"]) {
    const page = await sendRaw("GET", `${target}${target.includes("?") ? "&" : "?"}token=${key}`);
    expect({ status: page.status, address: page.text }).toEqual({ status: 299, address: target });
  }
  const misplaced = await sendRaw("GET", `/portal/reviews&token=${key}`);
  expect({ status: misplaced.status, text: misplaced.text }).toEqual({
    status: 404,
    text: "Nothing was found at this URL. Check the path.\n",
  });
});
