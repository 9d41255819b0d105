import type { MessageKey, Translate } from "@/lib/platform/i18n/translator";

/** What a job does, by its function. */
export const jobNames: Record<string, MessageKey> = {
  "claim-invitations": "failures.jobScheduleInvitations",
  "clean-up": "failures.jobDeleteExpired",
  "erase-person": "failures.jobDeletePersonalData",
  "follow-orders": "failures.jobUpdateFamilies",
  "import-feed": "failures.jobImportFeeds",
  "import-feeds": "failures.jobScheduleFeeds",
  "import-upload": "failures.jobImportUploads",
  "mail-answer": "failures.jobEmailAnswers",
  "mail-rejection": "failures.jobEmailRejections",
  "moderate-items": "failures.jobApplyRules",
  "moderate-waiting": "failures.jobApplyChangedRules",
  "note-orphans-in-engagement": "failures.jobDeleteEngagementData",
  "note-review-for-engagement": "failures.jobQueueEngagement",
  "request-verification": "failures.jobSendVerifications",
  "resume-erasures": "failures.jobResumeDeletions",
  "send-digests": "failures.jobSendSummaries",
  "send-invitation": "failures.jobSendInvitations",
  "send-invitations": "failures.jobScheduleAllInvitations",
  "send-mail": "failures.jobSendEmails",
  "send-waiting-mails": "failures.jobRetryEmails",
  "sync-integration": "failures.jobSyncIntegrations",
  "sync-integrations": "failures.jobScheduleSyncs",
  "tell-engagement": "failures.jobSendEngagement",
  "tell-engagements": "failures.jobScheduleEngagement",
  "tell-webhook": "failures.jobDeliverWebhooks",
  "tell-webhooks": "failures.jobScheduleWebhooks",
};

/** A job that has no words yet, of a newer version, is called by its id. */
export const jobWords = (job: string, t: Translate): string => {
  const name = jobNames[job];
  return name === undefined ? job : t(name);
};
