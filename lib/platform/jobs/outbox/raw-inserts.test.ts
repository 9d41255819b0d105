import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

// Raw SQL that inserts outbox events must also write derived events (`withDerivedEvents`); raw SQL that deletes them
// must withdraw those (`withdrawEvents`). Only this test enforces it.

const root = path.resolve(import.meta.dirname, "../../../..");
const here = path.relative(root, import.meta.dirname);
const sources = ["app", "components", "inngest", "lib"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => path.join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^lib\/tools\//.test(file) && path.dirname(file) !== here),
);

/** Events inserted by raw SQL that have no derived events. */
const withoutDerivedEvents = ["moderation/due", "order/family_given", "verification/due"];

const rawStatements = sources.flatMap((file) => {
  const text = readFileSync(path.join(root, file), "utf8");
  return [...text.matchAll(/(insert\s+into|delete\s+from)\s+outbox/gi)].map(({ 0: what, index }) => ({
    where: `${file}: ${what}`,
    followed: /withDerivedEvents\(`$/.test(text.slice(0, index)),
    name: /'([a-z_]+\/[a-z_]+)'/.exec(text.slice(index))?.[1],
  }));
});

it("raw outbox inserts write derived events or have none", () => {
  expect(rawStatements.filter(({ followed }) => followed)).toHaveLength(2);
  expect(rawStatements.filter(({ followed, name = "" }) => !followed && !withoutDerivedEvents.includes(name))).toEqual(
    [],
  );
  const derivedEventsSource = readFileSync(path.join(import.meta.dirname, "derived-events.ts"), "utf8");
  expect(withoutDerivedEvents.filter((name) => derivedEventsSource.includes(`'${name}'`))).toEqual([]);
});
