import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";

const require = createRequire(import.meta.url);
const loader = require("../../../.config/next-constants-loader.cjs") as (this: { resourcePath: string }) => string;
const resourcePath = require.resolve("next/dist/lib/constants");
const all: Record<string, unknown> = require(resourcePath);

it("leaves of Next's constants what its browser side names, as they are, and few others", () => {
  const made = { exports: {} as Record<string, unknown> };
  new Function("module", loader.call({ resourcePath }))(made);
  const kept = made.exports;
  const client = path.join(path.dirname(resourcePath), "../client");
  const named = new Set(
    globSync("**/*.js", { cwd: client }).flatMap((file) => {
      const source = readFileSync(path.join(client, file), "utf8");
      const name = /(\w+) = require\("(?:\.\.\/)+lib\/constants"\)/.exec(source)?.[1];
      return name
        ? Array.from(source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g")), (match) => match[1] as string)
        : [];
    }),
  );
  expect([...named]).toContain("NEXT_NAV_DEPLOYMENT_ID_HEADER");
  for (const name of named) expect(kept).toHaveProperty([name], all[name]);
  expect(Object.keys(kept).length).toBeLessThan(Object.keys(all).length / 4);
});
