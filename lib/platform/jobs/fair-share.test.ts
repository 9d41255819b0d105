import { expect, it } from "vitest";
import { fairShare } from "@/lib/platform/jobs/fair-share";

const stores = (...holds: number[]) => holds.map((count, index) => ({ id: `${index}`, holds: count }));

it("gives every store one slot, and more only while a third of the slots stays free", () => {
  expect(fairShare(stores(1, 1, 1, 1), { all: 6, free: 6 })).toHaveLength(4);
  expect(fairShare(stores(1, 2, 3, 4, 5), { all: 6, free: 6 })).toHaveLength(4);
  expect(fairShare(stores(2, 2), { all: 6, free: 3 })).toHaveLength(1);
  expect(fairShare(stores(2, 2), { all: 6, free: 2 })).toEqual([]);
  expect(fairShare(stores(1, 1, 2), { all: 6, free: 2 })).toEqual(["0", "1"]);
  expect(fairShare(stores(1), { all: 6, free: 0 })).toEqual([]);
});
