import type { WireRequest } from "@/lib/bench/load";
import { reader } from "@/lib/bench/seed";

/** The servers of one run: Candor, and the two yardsticks on bare node:http. */
export const servers = ["candor", "plain", "limit"] as const;
export type ServerName = (typeof servers)[number];

export type Case = {
  name: string;
  /** what one request of it does, for the table's reader */
  about: string;
  expected: number;
  requests: readonly WireRequest[];
  /** `json`: all servers must give the same data before anything is measured; `status`: the same status is enough */
  same: "json" | "status";
  without?: readonly ServerName[];
};

const PAGE = 500;

const get = (path: string): WireRequest => ({
  head: `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${reader.secretKey}\r\n`,
  body: null,
});

/** What is measured. `candorPort`: the cursor of a late page is reached by paging through Candor itself. */
export async function makeCases(candorPort: number): Promise<Case[]> {
  const list = (name: string, about: string, path: string): Case => ({
    name,
    about,
    expected: 200,
    requests: [get(path)],
    same: "json",
  });
  return [
    list("list 100, page 1", "GET /v1/reviews?limit=100", "/v1/reviews?limit=100"),
    list(`list 100, page ${PAGE}`, "the same with a cursor", await addressOfPage(candorPort, PAGE)),
    list("list 1000", "GET /v1/reviews?limit=1000", "/v1/reviews?limit=1000"),
    {
      name: "no SQL",
      about: "GET /v1/reviews?limit=0: the key is checked, the query refused (400)",
      expected: 400,
      requests: [get("/v1/reviews?limit=0")],
      same: "status",
    },
  ];
}

async function addressOfPage(port: number, page: number): Promise<string> {
  let address = "/v1/reviews?limit=100";
  for (let at = 1; at < page; at += 1) {
    const answer = await ask(port, address);
    const { links } = JSON.parse(answer.body) as { links: { next?: string } };
    if (!links.next) throw new Error(`There are only ${at} pages.`);
    const next = new URL(links.next);
    address = next.pathname + next.search;
  }
  return address;
}

/** One request, outside of any measurement. */
export async function ask(port: number, path: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${reader.secretKey}` },
  });
  return { status: answer.status, body: await answer.text() };
}
