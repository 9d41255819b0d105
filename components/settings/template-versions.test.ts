import { expect, it } from "vitest";
import { savedText } from "@/components/settings/template-versions";
import { portalText } from "@/lib/platform/i18n/messages";

it("names the person who saved a version, or the admin command, but nobody who isn't known here", () => {
  const text = (by_kind: "user" | "system", saved_by: string | null) =>
    savedText({ saved_at: "2026-05-10T12:00:00Z", by_kind, saved_by }, "UTC", portalText("en"));
  const moment = text("user", null);
  expect(moment).toMatch(/^10 May 2026\D+12:00/);
  expect(text("user", "ada")).toBe(`${moment} · ada`);
  expect(text("system", null)).toBe(`${moment} · Admin command`);
});
