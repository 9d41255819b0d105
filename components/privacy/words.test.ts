import { expect, it } from "vitest";
import { countWords } from "@/components/privacy/words";
import { english } from "@/lib/platform/i18n/english";

it("counts in words, in one order, and leaves out what is not there", () => {
  expect(countWords({}, english)).toBe("");
  expect(countWords({ reviews: 0 }, english)).toBe("");
  expect(countWords({ reviews: 1 }, english)).toBe("1 review");
  expect(countWords({ copies: 1_200, orders: 2, reviews: 1 }, english)).toBe(
    "2 orders, 1 review and 1,200 other copies",
  );
  expect(countWords({ something_new: 3, mails: 1 }, english)).toBe("1 email and 3 something_new");
});
