import { expect, it } from "vitest";
import { fairShare } from "@/lib/platform/jobs/fair-share";

const stores = (...holds: number[]) => holds.map((count, index) => ({ id: `${index}`, holds: count }));

it("gives every store a slot while there is one, and a second only while a third of them stay free", () => {
  expect(fairShare(stores(1, 1, 1, 1), { all: 6, free: 6 })).toHaveLength(4);
  expect(fairShare(stores(1, 2, 3, 4, 5), { all: 6, free: 6 })).toHaveLength(4);
  expect(fairShare(stores(2, 2), { all: 6, free: 3 })).toHaveLength(1);
  expect(fairShare(stores(2, 2), { all: 6, free: 2 })).toEqual([]);
  expect(fairShare(stores(1, 1, 2), { all: 6, free: 2 })).toEqual(["0", "1"]);
  expect(fairShare(stores(1), { all: 6, free: 0 })).toEqual([]);
});
