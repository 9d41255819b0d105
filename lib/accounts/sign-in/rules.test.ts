import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { safeReturnPath } from "@/lib/accounts/sign-in/rules";

describe("ownPath", () => {
  it("keeps paths of this origin, with query and fragment", () => {
    expect(safeReturnPath("/portal/reviews?status=pending&client_id=a#x")).toBe(
      "/portal/reviews?status=pending&client_id=a#x",
    );
    expect(safeReturnPath("/docs")).toBe("/docs");
  });

  it.each([
    undefined,
    "",
    "portal",
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n//evil.example",
    "/..//evil.example",
    "javascript:alert(1)",
    "/portal/sign-in?to=/portal/sign-in",
    `/${"a".repeat(3_000)}`,
  ])("returns the home page instead of %j", (wanted) => {
    expect(safeReturnPath(wanted)).toBe("/portal");
  });

  it("never leaves the origin, for any input", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.stringMatching(/^[/\\.\t@:a-z]{0,12}$/)), (wanted) => {
        expect(new URL(safeReturnPath(wanted), "https://candor.example").origin).toBe("https://candor.example");
      }),
    );
  });
});
