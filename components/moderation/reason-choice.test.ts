import { expect, test } from "vitest";
import { reasonKeys } from "@/components/moderation/reason-choice";
import { reasons } from "@/components/moderation/reasons";
import { navigationKeys } from "@/lib/moderation/queue/values";

test("every reason has its own key, and none is a shortcut of the queue", () => {
  expect(reasonKeys).toHaveLength(reasons.length);
  expect(new Set(reasonKeys).size).toBe(reasons.length);
  // The shortcuts in components/moderation/queue.tsx, and those that open other pages.
  const shortcutKeys = [...navigationKeys, ..."arpxuemz/?gqrsoh"];
  expect(reasonKeys.filter((key) => shortcutKeys.includes(key))).toEqual([]);
});
