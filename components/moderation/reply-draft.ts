"use client";

import { useMemo, useSyncExternalStore } from "react";
import { usePerson } from "@/components/portal/person-provider";
import type { QueueItem } from "@/lib/moderation/queue/schema";

// The draft reply to an item, or note about it, is stored in this browser under its writer and item. Reply boxes show the stored draft and
// have no state of their own, so a sent or undone draft shows in whichever box is rendered then.

export type Draft = {
  /** the current draft */
  text: () => string;
  /** `""` deletes the draft */
  set: (text: string) => void;
  /** Call after sending: keeps what was added meanwhile, or all of it if it was reworded. */
  sent: (text: string) => void;
  /** Puts a text in front of the current draft. */
  putBack: (text: string) => void;
};

/** The signed-in person's own draft: people who share a browser don't see each other's. */
export function useReplyDraft(clientId: string, { kind, id }: QueueItem): Draft {
  return useDraft(`candor.draft ${usePerson()} ${clientId} ${kind} ${id}`);
}

/** The same for a note about an item. */
export function useNoteDraft(clientId: string, { kind, id }: QueueItem): Draft {
  return useDraft(`candor.note ${usePerson()} ${clientId} ${kind} ${id}`);
}

const useDraft = (name: string): Draft => useMemo(() => draftOf(name), [name]);

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

/** Whether `rest` is empty or separate from the text: on its own line or after the end of a sentence. */
function isAdded(text: string, rest: string): boolean {
  const between = text.slice(text.trimEnd().length) + rest.slice(0, rest.length - rest.trimStart().length);
  return rest.trim() === "" || between.includes("\n") || (between !== "" && /[.!?…]$/.test(text.trimEnd()));
}

/**
 * The current draft. For the reply box only: its component re-renders synchronously with each letter, and children that
 * haven't loaded yet would disappear until they have.
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

/** Drafts that didn't fit into the browser's storage; they last as long as the page. */
const unsaved = new Map<string, string>();

const textOf = (name: string): string => unsaved.get(name) ?? localStorage.getItem(name) ?? "";

function saveText(name: string, text: string): void {
  unsaved.delete(name);
  try {
    if (text === "") localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    unsaved.set(name, text); // still shown as typed
  }
  for (const listener of listeners) listener();
}
