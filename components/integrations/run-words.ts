import type { Words } from "@/lib/platform/i18n/rules";

// What a run of an integration did, in words.

const counted: Record<string, string> = {
  read: "{n} read|{n} read",
  imported: "{n} imported|{n} imported",
  sent: "{n} sent|{n} sent",
  unchanged: "{n} as before|{n} as before",
  waiting: "{n} waiting",
  skipped: "{n} skipped|{n} skipped",
  failed: "{n} failed",
  erased: "{n} erased|{n} erased",
  returns: "{n} return|{n} returns",
  other_stores: "{n} of other stores",
  files: "{n} file|{n} files",
  products: "{n} product|{n} products",
  receipts: "{n} receipt|{n} receipts",
  items: "{n} receipt item|{n} receipt items",
  contacts: "{n} contact|{n} contacts",
  stores: "{n} store|{n} stores",
  articles: "{n} article|{n} articles",
  without_contact: "{n} without contact|{n} without contact",
  too_old: "{n} too old|{n} too old",
};

/** Counts by name in a few words: `12 orders, 1 skipped`. */
export const countsStory = (counts: Record<string, number>, t: Words): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, n]) => t(counted[name] ?? `{n} ${name.replaceAll("_", " ")}`, { n }))
    .join(", ") || t("nothing new");

/** How far a run came, for those who watch. */
export const progressStory = (counts: Record<string, number>, t: Words): string =>
  Object.values(counts).some((count) => count > 0)
    ? t("{counts} so far", { counts: countsStory(counts, t) })
    : t("it has just begun");
