import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** What a job does, by its function. */
export const jobNames: Record<string, MessageKey> = {
  "apply-order-families": "failures.jobUpdateFamilies",
  "claim-invitations": "failures.jobScheduleInvitations",
  "clean-up": "failures.jobDeleteExpired",
  "compute-figures": "failures.jobComputeFigures",
  "deliver-engagement": "failures.jobSendEngagement",
  "deliver-webhook": "failures.jobDeliverWebhooks",
  "deliver-webhooks": "failures.jobScheduleWebhooks",
  "erase-person": "failures.jobDeletePersonalData",
  "forget-addresses": "failures.jobForgetAddresses",
  "import-feed": "failures.jobImportFeeds",
  "import-feeds": "failures.jobScheduleFeeds",
  "import-upload": "failures.jobImportUploads",
  "index-missed-words": "failures.jobIndexMissedWords",
  "index-words": "failures.jobIndexWords",
  "mail-answer": "failures.jobEmailAnswers",
  "mail-notifications": "failures.jobEmailNotifications",
  "mail-pending-notifications": "failures.jobEmailPendingNotifications",
  "mail-rejection": "failures.jobEmailRejections",
  "mail-report-outcomes": "failures.jobEmailReporters",
  "moderate-items": "failures.jobApplyRules",
  "moderate-pending": "failures.jobApplyChangedRules",
  "notify-overdue": "failures.jobNotifyOverdue",
  "queue-engagement-removals": "failures.jobDeleteEngagementData",
  "queue-engagement-review": "failures.jobQueueEngagement",
  "record-invitations": "failures.jobRecordInvitations",
  "remove-unused-photos": "failures.jobDeleteUnusedPhotos",
  "request-verification": "failures.jobSendVerifications",
  "resume-erasures": "failures.jobResumeDeletions",
  "schedule-engagement": "failures.jobScheduleEngagement",
  "send-digests": "failures.jobSendSummaries",
  "send-invitation": "failures.jobSendInvitations",
  "send-invitations": "failures.jobScheduleAllInvitations",
  "send-mail": "failures.jobSendEmails",
  "send-pending-mails": "failures.jobRetryEmails",
  "sync-integration": "failures.jobSyncIntegrations",
  "sync-integrations": "failures.jobScheduleSyncs",
  "verify-logs": "failures.jobVerifyLogs",
};

/** A job without a label, from a newer version, is shown by its id. */
export const jobLabel = (job: string, t: Translate): string => {
  const name = jobNames[job];
  return name === undefined ? job : t(name);
};
