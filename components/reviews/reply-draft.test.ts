import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { draftOf, textOf } from "./reply-draft";

const stored = new Map<string, string>();
let isFull = false;
beforeEach(() => {
  stored.clear();
  isFull = false;
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (isFull) throw new DOMException("It is full.", "QuotaExceededError");
      stored.set(name, text);
    },
    removeItem: (name: string) => stored.delete(name),
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

test("what was sent is no draft any more, unless something was added meanwhile", () => {
  const draft = draftOf("a");
  draft.set("Thank you.");
  draft.sent("Thank you.");
  expect(stored).toEqual(new Map());
  draft.set("Thank you. A cup");
  draft.sent("Thank you.");
  expect(textOf(draft.name)).toBe("Thank you. A cup");
});

test("what is taken back stands in front of what is written by now", () => {
  const draft = draftOf("a");
  draft.putBack("Thank you.");
  expect(textOf(draft.name)).toBe("Thank you.");
  draft.set("And a cup");
  draft.putBack("Thank you.");
  expect(textOf(draft.name)).toBe("Thank you.\n\nAnd a cup");
});

test("a browser that is full still shows what is written, and keeps it again once it can", () => {
  const draft = draftOf("b");
  draft.set("Thank");
  isFull = true;
  draft.set("Thank you");
  expect(textOf(draft.name)).toBe("Thank you");
  isFull = false;
  draft.set("Thank you.");
  expect([textOf(draft.name), stored.get("b")]).toEqual(["Thank you.", "Thank you."]);
  draft.set("");
  expect([textOf(draft.name), stored.size]).toEqual(["", 0]);
});
