import { expect, test } from "vitest";
import { reasonKeys } from "@/components/moderation/reason-choice";
import { reasons } from "@/components/moderation/reject-reasons";
import { shortcuts } from "@/components/moderation/shortcuts";

test("every reason has its own key, and none is a shortcut of the queue", () => {
  expect(reasonKeys).toHaveLength(reasons.length);
  expect(new Set(reasonKeys).size).toBe(reasons.length);
  const shortcutKeys = Object.values(shortcuts).flatMap(({ keys }) => keys.flatMap((key) => key.split(" ")));
  expect(reasonKeys.filter((key) => shortcutKeys.includes(key))).toEqual([]);
});
