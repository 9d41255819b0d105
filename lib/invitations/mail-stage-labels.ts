import type { MessageKey } from "@/lib/platform/i18n/translator";

type MailStage = "planned" | "sent" | "delegated" | "notAccepted" | "delivered" | "bounced" | "opened";

/** Labels of an email's stages, for invitations and for reminders. */
export const invitationStageLabels: Record<MailStage, MessageKey> = {
  planned: "orders.stepInvitationScheduled",
  sent: "orders.stepInvitationSent",
  delegated: "orders.stepInvitationPassed",
  notAccepted: "orders.stepInvitationRefused",
  delivered: "orders.stepInvitationDelivered",
  bounced: "orders.stepInvitationBounced",
  opened: "orders.stepInvitationOpened",
};
export const reminderStageLabels: Record<MailStage, MessageKey> = {
  planned: "orders.stepReminderScheduled",
  sent: "orders.stepReminderSent",
  delegated: "orders.stepReminderPassed",
  notAccepted: "orders.stepReminderRefused",
  delivered: "orders.stepReminderDelivered",
  bounced: "orders.stepReminderBounced",
  opened: "orders.stepReminderOpened",
};
