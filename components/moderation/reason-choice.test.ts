import { expect, test } from "vitest";
import { groupReasons, reasonKeys, reasonsForAll } from "@/components/moderation/reason-choice";
import { reasons } from "@/components/moderation/reject-reasons";
import { shortcuts } from "@/components/moderation/shortcuts";

test("every reason has its own key, and none is a shortcut of the queue", () => {
  expect(reasonKeys).toHaveLength(reasons.length);
  expect(new Set(reasonKeys).size).toBe(reasons.length);
  const shortcutKeys = Object.values(shortcuts).flatMap(({ keys }) => keys.flatMap((key) => key.split(" ")));
  expect(reasonKeys.filter((key) => shortcutKeys.includes(key))).toEqual([]);
});

test("frequent reasons come first, and each reason keeps its key", () => {
  const items = [{ kind: "review" }] as const;
  const keyOf = Object.fromEntries(reasonsForAll(items).map(({ code }, index) => [code, reasonKeys[index]]));
  const { frequent, others } = groupReasons(items, ["spam", "price"]);
  expect(frequent.map(({ code }) => code)).toEqual(["spam", "price"]);
  expect(others.map(({ code }) => code)).toEqual(
    reasonsForAll(items).flatMap(({ code }) => (code === "spam" || code === "price" ? [] : [code])),
  );
  for (const { code, key } of [...frequent, ...others]) expect(key).toBe(keyOf[code]);
  // A reason that doesn't apply to a photo isn't offered for it.
  expect(groupReasons([{ kind: "photo" }], ["price", "spam"]).frequent.map(({ code }) => code)).toEqual(["spam"]);
});
