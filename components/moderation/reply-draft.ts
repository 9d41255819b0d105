"use client";

import { useMemo, useSyncExternalStore } from "react";
import { usePerson } from "@/components/portal/person-provider";
import type { QueueItem } from "@/lib/moderation/queue/schema";

// What is written in reply to an item and not sent yet is kept in this browser under the name of its writer and the item.
// Every box shows what is kept, and holds nothing beside it: what is sent or taken back shows in the box that is there then.

export type Draft = {
  /** what is written by now */
  text: () => string;
  /** `""`: it is kept no longer */
  set: (text: string) => void;
  /** It was sent: what was added to it meanwhile stays, and so does all of what was reworded. */
  sent: (text: string) => void;
  /** Puts a text in front of what is written there by now. */
  putBack: (text: string) => void;
};

/** The signed-in person's own draft: of those who share a browser none is shown another's. */
export function useReplyDraft(clientId: string, { kind, id }: QueueItem): Draft {
  const name = `candor.draft ${usePerson()} ${clientId} ${kind} ${id}`;
  return useMemo(() => draftOf(name), [name]);
}

const draftOf = (name: string): Draft => ({
  text: () => textOf(name),
  set: (text) => saveText(name, text),
  sent: (text) => {
    const now = textOf(name);
    if (now.startsWith(text) && isAdded(text, now.slice(text.length)))
      saveText(name, now.slice(text.length).trimStart());
  },
  putBack: (text) => saveText(name, `${text}\n\n${textOf(name)}`.trim()),
});

/** Whether what follows a text is nothing, or stands by itself: on a line of its own or after a sentence's end. */
function isAdded(text: string, rest: string): boolean {
  const between = text.slice(text.trimEnd().length) + rest.slice(0, rest.length - rest.trimStart().length);
  return rest.trim() === "" || between.includes("\n") || (between !== "" && /[.!?…]$/.test(text.trimEnd()));
}

/**
 * What is written by now. For the box alone: whatever asks is drawn anew with each letter, at once, and what stands below it
 * and has no script yet would be gone until that comes.
 */
export const useDraftText = ({ text }: Draft): string => useSyncExternalStore(subscribe, text, () => "");

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** What a browser that is full would not keep: it lasts as long as the page. */
const unsaved = new Map<string, string>();

const textOf = (name: string): string => unsaved.get(name) ?? localStorage.getItem(name) ?? "";

function saveText(name: string, text: string): void {
  unsaved.delete(name);
  try {
    if (text === "") localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    unsaved.set(name, text); // it must be seen as it is written all the same
  }
  for (const listener of listeners) listener();
}
