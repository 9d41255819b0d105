type Shortcut = {
  /** as `KeyboardEvent.key` */
  keys: readonly string[];
  /** as screens show it */
  shown: string;
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

/** The shortcuts of the queue, of an item's page and of the list of reviews (`undo`). */
export const shortcuts = {
  next: { keys: ["j", "s"], shown: "J", repeats: true },
  previous: { keys: ["k"], shown: "K", repeats: true },
  accept: { keys: ["a"], shown: "A" },
  reject: { keys: ["r"], shown: "R" },
  reopen: { keys: ["p"], shown: "P" },
  reply: { keys: ["e"], shown: "E" },
  assign: { keys: ["i"], shown: "I" },
  writeNote: { keys: ["w"], shown: "W" },
  showPhoto: { keys: ["m"], shown: "M" },
  select: { keys: ["x"], shown: "X" },
  selectRange: { keys: ["X"], shown: "⇧ X" },
  clearSelection: { keys: ["Escape"], shown: "Esc" },
  undo: { keys: ["u"], shown: "U" },
  changeLayout: { keys: ["z"], shown: "Z" },
  search: { keys: ["/"], shown: "/" },
  openPage: { keys: Object.keys(pageShortcuts), shown: "G Q" },
  help: { keys: ["?"], shown: "?" },
} satisfies Record<string, Shortcut>;

export type ShortcutName = keyof typeof shortcuts;

/** The shortcut of a key, or of two keys with a space between them. */
export const findShortcut = (keys: string): [name: ShortcutName, shortcut: Shortcut] | undefined =>
  (Object.entries(shortcuts) as [ShortcutName, Shortcut][]).find(([, shortcut]) => shortcut.keys.includes(keys));
