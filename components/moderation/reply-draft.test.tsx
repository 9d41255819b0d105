import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PersonProvider } from "@/components/portal/person-provider";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { renderInEnglish } from "@/lib/tools/test/render";
import { type Draft, useReplyDraft } from "./reply-draft";

/** A person's draft reply to a review. */
function draftOf(person: string, id: string): Draft {
  let draft: Draft | undefined;
  const Box = () => {
    draft = useReplyDraft("shop", { kind: "review", id } as QueueItem);
    return null;
  };
  renderInEnglish(
    <PersonProvider id={person}>
      <Box />
    </PersonProvider>,
  );
  if (!draft) throw new Error("Nothing was drawn.");
  return draft;
}

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

test("deletes a draft once it is sent", () => {
  const draft = draftOf("ada", "a");
  draft.set("Thank you.");
  draft.sent("Thank you.");
  expect(stored).toEqual(new Map());
});

test("keeps only what was added while it was sent, and all of it if it was reworded", () => {
  const draft = draftOf("ada", "a");
  draft.set("Thank you.\n\nP.S. A cup");
  draft.sent("Thank you.");
  expect(draft.text()).toBe("P.S. A cup");
  for (const [sent, now, left] of [
    ["Thank you", "Thank you ", ""],
    ["Thank you.\n", "Thank you.\nP.S. A cup", "P.S. A cup"],
    ["Your Acme team", "Your Acme team\nP.S. A cup", "P.S. A cup"],
  ] as const) {
    draft.set(now);
    draft.sent(sent);
    expect(draft.text()).toBe(left);
  }
  for (const reworded of ["Thanks.", "Thank you, Mia.", "Thank you so much."]) {
    draft.set(reworded);
    draft.sent("Thank you");
    expect(draft.text()).toBe(reworded);
  }
});

test("hides a draft from other people in the same browser, and at other items", () => {
  draftOf("ada", "a").set("Thank you.");
  expect([draftOf("ada", "a"), draftOf("ben", "a"), draftOf("ada", "b")].map(({ text }) => text())).toEqual([
    "Thank you.",
    "",
    "",
  ]);
});

test("puts an undone reply in front of the current draft", () => {
  const draft = draftOf("ada", "a");
  draft.putBack("Thank you.");
  expect(draft.text()).toBe("Thank you.");
  draft.set("And a cup");
  draft.putBack("Thank you.");
  expect(draft.text()).toBe("Thank you.\n\nAnd a cup");
});

test("shows what is typed if the storage is full, and stores it once there is space", () => {
  const draft = draftOf("ada", "b");
  draft.set("Thank");
  isFull = true;
  draft.set("Thank you");
  expect(draft.text()).toBe("Thank you");
  isFull = false;
  draft.set("Thank you.");
  expect([draft.text(), [...stored.values()][0]]).toEqual(["Thank you.", "Thank you."]);
  draft.set("");
  expect([draft.text(), stored.size]).toEqual(["", 0]);
});
