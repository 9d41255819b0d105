import { expect, it } from "vitest";
import { messageFormatter } from "./message-formatter";

const format = (language: "en" | "de", day: string) =>
  messageFormatter(language, { profile_ended: "Expired on {day}." })("profile_ended", { day });

it("formats a day as on the screens", () => {
  expect(format("en", "2026-03-08")).toBe("Expired on 8 Mar 2026.");
  expect(format("de", "2026-03-08")).toBe("Expired on 08.03.2026.");
});

it("throws for an invalid day, so that callers show the original message", () =>
  expect(() => format("en", "soon")).toThrow(RangeError));

it("returns null for an unknown key", () => expect(messageFormatter("en", {})("toString", {})).toBeNull());
