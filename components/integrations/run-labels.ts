import { formatCount } from "@/lib/platform/i18n/format";
import { textFor } from "@/lib/platform/i18n/text-for";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

// What a run of an integration did, in words.

const countLabels: Record<string, MessageKey> = {
  read: "integrations.countRead",
  imported: "integrations.countImported",
  sent: "integrations.countSent",
  unchanged: "integrations.countUnchanged",
  waiting: "integrations.countPending",
  skipped: "integrations.countSkipped",
  failed: "integrations.countFailed",
  erased: "integrations.countDeleted",
  returns: "integrations.countReturns",
  other_stores: "integrations.countOtherStores",
  files: "integrations.countFiles",
  products: "integrations.countProducts",
  receipts: "integrations.countReceipts",
  items: "integrations.countReceiptItems",
  contacts: "integrations.countContacts",
  stores: "integrations.countStores",
  articles: "integrations.countArticles",
  without_contact: "integrations.countWithoutContact",
  too_old: "integrations.countTooOld",
};

const countNames = Object.keys(countLabels);
/** Counts without a label, from a newer version, are last. */
const positionOf = (name: string): number => (countNames.includes(name) ? countNames.indexOf(name) : countNames.length);

/** Formats counts by name in the order of their labels, not in the stored one: `12 orders imported, 1 skipped`. */
export const formatCounts = (counts: Record<string, number>, t: Translate): string =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => positionOf(a) - positionOf(b))
    .map(
      ([name, n]) =>
        textFor(countLabels, name, t, { n }) ?? `${formatCount(n, t.language)} ${name.replaceAll("_", " ")}`,
    )
    .join(", ") || t("integrations.runNothingNew");

/** A run's progress, in words. */
export const formatProgress = (counts: Record<string, number>, t: Translate): string =>
  Object.values(counts).some((count) => count > 0)
    ? t("integrations.runCountsSoFar", { counts: formatCounts(counts, t) })
    : t("integrations.runJustStarted");
