import { execFile, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { routes } from "@/app/_routes";
import { root } from "@/lib/tools/launch/bootstrap.mjs";
import {
  aClient,
  anAnswer,
  rowsOf,
  someQuestions,
  someReviews,
  someSellerReviews,
  type TestClient,
} from "@/lib/tools/test/factories";
import { temporaryFolder } from "@/lib/tools/test/temporary-folder";
import { serve } from "@/lib/tools/test/test-server";

// The guide's programs, where their languages are installed. lib/display/older-sites.db.test.ts reads the same lists
// everywhere.

const guide = readFileSync(path.join(root, "docs/guides/widget.md"), "utf8");
const programOf = (language: string) => new RegExp(`\n\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(guide)?.[1];
const isInstalled = (command: string) => spawnSync(command, ["--version"]).status === 0;

let shop: TestClient;
let expected: string[];
let address: string;
let close: () => Promise<unknown>;
beforeAll(async () => {
  shop = await aClient({ external_user_reviews: true });
  const many = (n: number) =>
    Array.from({ length: n }, (_, index) => ({ accepted: true, date: `2026-01-${10 + (index % 9)}` }));
  const reviews = await someReviews(shop.id, many(230));
  const questions = await someQuestions(shop.id, many(120));
  for (const id of questions) await anAnswer(shop.id, id);
  const seller = await someSellerReviews(shop.id, many(130));
  await rowsOf(
    "insert into external_totals (client_id, product_id, source, kind, count, score_dist) values ($1, 'sku-1', 'x', 'user', 3, '{0,0,1,1,1}')",
    [shop.id],
  );
  const named = (kind: string, ids: string[]) => ids.map((id) => `${kind} ${id}`);
  expected = [...named("question", questions), ...named("review", reviews), ...named("seller", seller)].sort();
  // URLs in responses have the configured address: here they get the one that the program can reach.
  const served = await serve(routes);
  const front = http.createServer(async (request, response) => {
    const answer = await fetch(`http://127.0.0.1:${served.port}${request.url}`);
    const text = (await answer.text()).replaceAll("http://localhost:3000", address);
    response.writeHead(answer.status, { "Content-Type": answer.headers.get("content-type") ?? "" }).end(text);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  close = async () => {
    front.closeAllConnections();
    await new Promise((resolve) => front.close(resolve));
    await served.close();
  };
});
afterAll(() => close());

describe("the program that reads all lists", () => {
  it.for([
    ["python", "python3", "read.py"],
    ["php", "php", "read.php"],
  ] as const)("in %s prints every row once", async ([language, command, name], { skip }) => {
    const program = programOf(language);
    expect(program).toBeDefined();
    if (!isInstalled(command)) skip(`${command} isn't installed`);
    const file = path.join(temporaryFolder("readers"), name);
    writeFileSync(file, program ?? "");
    const { stdout } = await promisify(execFile)(command, [file, address, shop.id, "sku-1"]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.map((line) => line.split(" ").slice(0, 2).join(" ")).sort()).toEqual(expected);
  });
});
