import type { Tone } from "@/components/ui/badge";
import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";
import type { ReviewImport } from "@/lib/transfer/imports/schema";
import {
  type ImportStatus,
  type ImportStep,
  importSteps,
  type MappedField,
  runningStatus,
} from "@/lib/transfer/imports/values";

// Texts of the pages of review imports.

type Kind = ReviewImport["kind"];

export const kindLabels: Record<Kind, MessageKey> = {
  reviews: "common.reviews",
  seller_reviews: "common.sellerReviews",
  questions: "common.questions",
};

/** Names of services are the same in every language. */
const services: Record<string, string> = {
  judgeme: "Judge.me",
  opinew: "Opinew",
  yotpo: "Yotpo",
  loox: "Loox",
  okendo: "Okendo",
  shopify: "Shopify Product Reviews",
  powerreviews: "PowerReviews",
  feefo: "Feefo",
  woocommerce: "WooCommerce",
};

/** All services whose files are recognized. */
export const serviceNames = Object.values(services);

export const layoutLabel = (layout: string, t: Translate): string =>
  services[layout] ?? t(layout === "other" ? "imports.layoutOther" : "imports.layoutOwn");

const statusLabels: Record<ImportStatus, { word: MessageKey; tone: Tone }> = {
  uploaded: { word: "imports.stateUploaded", tone: "plain" },
  checking: { word: "imports.stateChecking", tone: "accent" },
  checked: { word: "imports.stateChecked", tone: "accent" },
  importing: { word: "imports.stateImporting", tone: "accent" },
  imported: { word: "imports.stateImported", tone: "good" },
  failed: { word: "common.failed", tone: "bad" },
  undoing: { word: "imports.stateUndoing", tone: "accent" },
  undone: { word: "imports.stateUndone", tone: "plain" },
};

export const statusLabel = ({ status, stalled }: ReviewImport): { word: MessageKey; tone: Tone } =>
  stalled ? { word: "imports.stateStalled", tone: "bad" } : statusLabels[status];

const runningStep = (status: ImportStatus): ImportStep | null =>
  importSteps.find((step) => runningStatus[step] === status) ?? null;

/** Whether a step was started and hasn't ended, even if its job seems to have died: it may recover. */
export const isRunning = ({ status }: Pick<ReviewImport, "status">): boolean => runningStep(status) !== null;

/** Whether a job works on it. */
export const isInProgress = (line: ReviewImport): boolean => isRunning(line) && !line.stalled;

/** Whether its counts are those of a finished step: before an import ends, they are the check's. */
export const hasResult = ({ status, imported_at }: Pick<ReviewImport, "status" | "imported_at">): boolean =>
  status === "checked" ||
  status === "imported" ||
  ((status === "undoing" || status === "undone") && imported_at !== null);

/** The step that failed or stopped and can be run again. */
export const retryStep = ({ status, stalled, failed_step }: ReviewImport): ImportStep | null =>
  failed_step ?? (stalled ? runningStep(status) : null);

/** Not made yet, so that its columns can be changed. */
export const isOpen = ({ status, failed_step }: ReviewImport): boolean =>
  status === "uploaded" || status === "checked" || failed_step === "check";

export const importLabels: Record<Kind, MessageKey> = {
  reviews: "imports.importReviews",
  seller_reviews: "imports.importSellerReviews",
  questions: "imports.importQuestions",
};
export const deleteLabels: Record<Kind, MessageKey> = {
  reviews: "imports.deleteReviews",
  seller_reviews: "imports.deleteSellerReviews",
  questions: "imports.deleteQuestions",
};

export const fieldLabels: Record<MappedField, MessageKey> = {
  product: "imports.fieldProduct",
  score: "imports.fieldRating",
  title: "imports.fieldTitle",
  extract: "common.text",
  author: "common.name",
  email: "common.email",
  date: "common.date",
  status: "common.status",
  reply: "imports.fieldReply",
  replyDate: "imports.fieldReplyDate",
  images: "imports.fieldPhotos",
  productName: "imports.fieldProductName",
  incentivized: "imports.fieldIncentivized",
  productUrl: "imports.fieldProductUrl",
  id: "imports.fieldId",
};
