import { expect, it } from "vitest";
import { countWords } from "@/components/privacy/words";

it("counts in words, in one order, and leaves out what is not there", () => {
  expect(countWords({})).toBe("");
  expect(countWords({ reviews: 0 })).toBe("");
  expect(countWords({ reviews: 1 })).toBe("1 review");
  expect(countWords({ copies: 1_200, orders: 2, reviews: 1 })).toBe("2 orders, 1 review and 1,200 copies elsewhere");
  expect(countWords({ something_new: 3, mails: 1 })).toBe("1 mail and 3 something_new");
});
