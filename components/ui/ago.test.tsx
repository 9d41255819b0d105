import { expect, it } from "vitest";
import { Ago } from "@/components/ui/time";
import { renderInEnglish } from "@/lib/tools/test/render";

const textOf = (milliseconds: number, within: boolean) =>
  renderInEnglish(
    <Ago at={new Date(Date.now() - milliseconds).toISOString()} timeZone="UTC" within={within} />,
  ).replace(/<[^>]*>/g, "");

it('returns "just now" for recent times, and a time span within a sentence', () => {
  expect([textOf(1_000, false), textOf(1_000, true)]).toEqual(["just now", "less than a minute"]);
  expect([textOf(-60_000, true), textOf(3 * 3_600_000 + 60_000, true)]).toEqual(["less than a minute", "3\u00a0hr"]);
});
