import { expect, it } from "vitest";
import { Attempts } from "@/components/integrations/webhooks/attempts";
import { renderInEnglish } from "@/lib/tools/test/render";

const attempts = [
  { at: "2026-02-01T10:00:00.000Z", duration_ms: 812, status: 500, error: "It answered 500.", answer: "<b>no</b>" },
  { at: "2026-02-01T10:00:05.000Z", duration_ms: 15_000, status: null, error: "It did not answer.", answer: null },
  { at: "2026-02-01T10:00:35.000Z", duration_ms: 40, status: 200, error: null, answer: "thanks" },
];

it("shows each attempt with its time, status, duration and the start of the response", () => {
  const shown = renderInEnglish(<Attempts attempts={attempts} timeZone="UTC" />);
  expect(shown).toContain("3 attempts");
  const lines = shown.split("<li>").slice(1);
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatch(/2026.*500, 812\u00a0ms.*&lt;b&gt;no&lt;\/b&gt;/);
  expect(lines[1]).toMatch(/Connection failed, 15,000\u00a0ms/);
  expect(lines[1]).not.toContain("<pre");
  expect(lines[2]).toMatch(/200, 40\u00a0ms.*thanks/);
  expect(renderInEnglish(<Attempts attempts={[]} timeZone="UTC" />)).toBe("");
});
