import { expect, it } from "vitest";
import { photoReasonText } from "@/lib/moderation/rejections/reason-text";
import { textReasons } from "@/lib/reviews/decisions/schema";

it("gives a photo's reason in words about photos", () => {
  expect(photoReasonText("en", "not_about_product")).toBe("It doesn’t show the product.");
});

it.each([...textReasons, "unspecified", "withdrawn_reason"])("gives a photo no reason for %s", (reason) => {
  expect(photoReasonText("en", reason)).toBe("It doesn’t meet the content guidelines.");
});
