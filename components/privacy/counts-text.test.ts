import { expect, it } from "vitest";
import { countsText } from "@/components/privacy/counts-text";
import { english } from "@/lib/platform/i18n/english";

it("formats counts in words, in one order, without zero counts", () => {
  expect(countsText({}, english)).toBe("");
  expect(countsText({ reviews: 0 }, english)).toBe("");
  expect(countsText({ reviews: 1 }, english)).toBe("1 review");
  expect(countsText({ copies: 1_200, orders: 2, reviews: 1 }, english)).toBe(
    "2 orders, 1 review and 1,200 other copies",
  );
  expect(countsText({ something_new: 3, mails: 1 }, english)).toBe("1 email and 3 something_new");
});
