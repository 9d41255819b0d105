import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { formatDay, formatMoment, formatMonth } from "@/lib/platform/i18n/format";

const root = path.resolve(import.meta.dirname, "../../..");

it("writes moments, days and months alike in each language", () => {
  const all = (locale: string) => [
    formatMoment("2026-03-08T13:05:00Z", "Europe/Stockholm", locale),
    formatDay("2026-03-08", locale),
    formatMonth("2026-03", locale),
  ];
  expect(all("en")).toEqual(["8 Mar 2026, 14:05", "8 Mar 2026", "Mar 2026"]);
  expect(all("de")).toEqual(["08.03.2026, 14:05", "08.03.2026", "März 2026"]);
  expect(all("sv")).toEqual(["8 mars 2026 14:05", "8 mars 2026", "mars 2026"]);
});

it("is the only place that says how dates and times are written, next to the widget's views", () => {
  // Other uses of Intl.DateTimeFormat compute with days and hours: they write numbers only.
  const writesDates = /\b(?:dateStyle|timeStyle|toLocale(?:Date|Time)String)\b|\bmonth: "(?:short|long|narrow)"/;
  const found = ["app", "components", "inngest", "lib"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/generated\//.test(name))
      .filter((name) => writesDates.test(readFileSync(path.join(root, name), "utf8"))),
  );
  expect(found.sort()).toEqual(["lib/display/widget/views.ts", "lib/platform/i18n/format.ts"]);
});
