import type { MessageKey } from "@/lib/platform/i18n/translator";

type Shortcut = {
  /** as `KeyboardEvent.key` */
  keys: readonly string[];
  /** as the help shows it */
  shown: string;
  label: MessageKey;
  /** shows another item without a decision, so it repeats while the key is held down */
  repeats?: true;
};

/** Two keys in sequence, and the page they open. */
export const pageShortcuts = {
  "g h": "/portal",
  "g q": "/portal/queue",
  "g r": "/portal/library",
  "g s": "/portal/library?kind=seller_review",
  "g o": "/portal/orders",
} as const;

/** The shortcuts of the queue, of an item's page and of the list of reviews (`undo`), in the order of the help. */
export const shortcuts = {
  next: { keys: ["j", "s"], shown: "J", label: "queue.shortcutNext", repeats: true },
  previous: { keys: ["k"], shown: "K", label: "queue.previous", repeats: true },
  accept: { keys: ["a"], shown: "A", label: "queue.approve" },
  reject: { keys: ["r"], shown: "R", label: "queue.shortcutReject" },
  reopen: { keys: ["p"], shown: "P", label: "queue.moveToPending" },
  reply: { keys: ["e"], shown: "E", label: "queue.shortcutReply" },
  assign: { keys: ["i"], shown: "I", label: "queue.shortcutAssign" },
  writeNote: { keys: ["w"], shown: "W", label: "queue.addNote" },
  showPhoto: { keys: ["m"], shown: "M", label: "queue.shortcutPhoto" },
  select: { keys: ["x"], shown: "X", label: "queue.shortcutSelect" },
  selectRange: { keys: ["X"], shown: "⇧ X", label: "queue.shortcutSelectRange" },
  clearSelection: { keys: ["Escape"], shown: "Esc", label: "queue.clearSelection" },
  undo: { keys: ["u"], shown: "U", label: "queue.shortcutUndo" },
  changeLayout: { keys: ["z"], shown: "Z", label: "queue.shortcutLayout" },
  search: { keys: ["/"], shown: "/", label: "common.search" },
  openPage: { keys: Object.keys(pageShortcuts), shown: "G Q", label: "queue.shortcutGo" },
  help: { keys: ["?"], shown: "?", label: "queue.shortcutHelp" },
} satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof shortcuts;

/** The shortcut of a key, or of two keys with a space between them. */
export const findShortcut = (keys: string): [name: ShortcutName, shortcut: Shortcut] | undefined =>
  (Object.entries(shortcuts) as [ShortcutName, Shortcut][]).find(([, shortcut]) => shortcut.keys.includes(keys));
