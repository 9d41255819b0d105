import fc from "fast-check";
import { expect, it } from "vitest";
import { rawPage } from "@/lib/platform/http/reply";

const pageOf = (...page: Parameters<typeof rawPage>) => new TextDecoder().decode(rawPage(...page).text as Uint8Array);

it("rawPage writes rows in any script unchanged, separated by commas", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }))),
      fc.option(fc.webUrl()),
      (rows, next) => {
        const links = next === null ? "{}" : JSON.stringify({ next });
        expect(pageOf(rows, next ?? undefined)).toBe(
          `{"data":[${rows.map((row) => row.join("")).join(",")}],"links":${links}}`,
        );
      },
    ),
  );
});

it("rawPage writes pages larger than its buffer", () => {
  const row = ["🙂é".repeat(400_000), "x".repeat(400_000)] as const;
  expect(pageOf([row, row, row], undefined)).toBe(
    `{"data":[${[row, row, row].map((r) => r.join("")).join(",")}],"links":{}}`,
  );
});
