import type { SetupStepName } from "@/lib/insights/setup/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";

export const stepTitles: Record<SetupStepName, MessageKey> = {
  products: "setup.products",
  branding: "setup.branding",
  sender: "setup.sender",
  order: "setup.order",
  email: "setup.email",
  review: "setup.review",
  moderation: "setup.moderation",
  widget: "setup.widget",
  people: "setup.people",
  import: "setup.import",
};
