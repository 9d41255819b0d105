import type { NotificationKind, NotificationParams } from "@/lib/accounts/notifications/values";
import type { MessageKey, Values } from "@/lib/platform/i18n/translator";

// Texts and links of notifications, on the server and in the browser.

/** Names of the integrations. */
export const integrationNames: Record<NotificationParams["integration_stopped"]["integration"], MessageKey> = {
  engagement: "common.engagementPlatform",
  commerce: "common.commercePlatform",
  share: "common.deltaShare",
};

const texts: Record<NotificationKind, MessageKey> = {
  feed_failed: "notifications.feedFailed",
  integration_stopped: "notifications.integrationStopped",
  webhook_disabled: "notifications.webhookDisabled",
  emails_failed: "notifications.emailsFailed",
  job_failed: "notifications.jobFailed",
  bias_found: "notifications.biasFound",
  moderation_overdue: "notifications.moderationOverdue",
  import_done: "notifications.importDone",
  import_failed: "notifications.importFailed",
  mention: "notifications.mention",
};

type Content = { kind: NotificationKind; params: Values };

/** A notification in the reader's language. */
export function notificationText({ kind, params }: Content, t: (key: MessageKey, values?: Values) => string): string {
  if (kind === "integration_stopped") {
    const name = integrationNames[params.integration as keyof typeof integrationNames];
    return t(texts[kind], { name: name === undefined ? String(params.integration) : t(name) });
  }
  if (kind === "moderation_overdue" && params.stores !== undefined)
    return t("notifications.moderationOverdueStores", { n: params.stores });
  return t(texts[kind], params);
}

/** The portal's page that a notification leads to, for its store. */
export function notificationPath(path: string, clientId: string | null): string {
  if (clientId === null) return path;
  return `${path}${path.includes("?") ? "&" : "?"}client_id=${encodeURIComponent(clientId)}`;
}
