import { applyOrderFamilies } from "@/inngest/functions/apply-order-families";
import { claimDueInvitations } from "@/inngest/functions/claim-invitations";
import { cleanUp } from "@/inngest/functions/clean-up";
import { computeOutdatedFigures } from "@/inngest/functions/compute-figures";
import {
  deliverToEngagement,
  queueEngagementRemovals,
  queueReviewForEngagement,
  scheduleEngagement,
} from "@/inngest/functions/deliver-engagement";
import { deliverWebhook } from "@/inngest/functions/deliver-webhook";
import { deliverWebhooks } from "@/inngest/functions/deliver-webhooks";
import { erasePerson } from "@/inngest/functions/erase-person";
import { forgetAddressesOfFeedback } from "@/inngest/functions/forget-addresses";
import { importFeed } from "@/inngest/functions/import-feed";
import { importFeeds } from "@/inngest/functions/import-feeds";
import { importUploadedFile } from "@/inngest/functions/import-upload";
import { indexMissedWords, indexNewWords } from "@/inngest/functions/index-words";
import { mailAnswerWhenPublished } from "@/inngest/functions/mail-answer";
import { mailNewNotifications, mailPendingNotifications } from "@/inngest/functions/mail-notifications";
import { mailRejections } from "@/inngest/functions/mail-rejection";
import { mailReporters } from "@/inngest/functions/mail-report-outcomes";
import { moderateItems } from "@/inngest/functions/moderate-items";
import { moderatePending } from "@/inngest/functions/moderate-pending";
import { notifyOverdueItems } from "@/inngest/functions/notify-overdue";
import { recordInvitationDays } from "@/inngest/functions/record-invitations";
import { removePhotosOfImport } from "@/inngest/functions/remove-unused-photos";
import { sendVerificationRequest } from "@/inngest/functions/request-verification";
import { resumeErasures } from "@/inngest/functions/resume-erasures";
import { runReviewImport } from "@/inngest/functions/run-review-import";
import { sendDueDigests } from "@/inngest/functions/send-digests";
import { sendClaimedInvitation } from "@/inngest/functions/send-invitation";
import { sendInvitations } from "@/inngest/functions/send-invitations";
import { sendMail, sendPendingMails } from "@/inngest/functions/send-mail";
import { syncIntegration } from "@/inngest/functions/sync-integration";
import { syncIntegrations } from "@/inngest/functions/sync-integrations";
import { verifyLogs } from "@/inngest/functions/verify-logs";

/** All functions, for both engines. */
export const functions = [
  claimDueInvitations,
  cleanUp,
  computeOutdatedFigures,
  erasePerson,
  mailAnswerWhenPublished,
  mailRejections,
  mailReporters,
  mailNewNotifications,
  mailPendingNotifications,
  applyOrderFamilies,
  importFeed,
  importFeeds,
  importUploadedFile,
  indexNewWords,
  indexMissedWords,
  moderateItems,
  moderatePending,
  forgetAddressesOfFeedback,
  notifyOverdueItems,
  recordInvitationDays,
  removePhotosOfImport,
  resumeErasures,
  runReviewImport,
  sendVerificationRequest,
  sendClaimedInvitation,
  sendDueDigests,
  sendInvitations,
  sendMail,
  sendPendingMails,
  syncIntegration,
  syncIntegrations,
  verifyLogs,
  deliverWebhook,
  deliverWebhooks,
  queueEngagementRemovals,
  queueReviewForEngagement,
  deliverToEngagement,
  scheduleEngagement,
];

/** Functions that wait for other systems: store servers, partners, webhook receivers. */
export const externalFunctions = [importFeed, syncIntegration, deliverToEngagement, deliverWebhook];

/** Former names of jobs. The migration renames stored runs; an older process may queue more until it stops. */
export const renamed: Readonly<Record<string, string>> = {
  "tell-webhook": "deliver-webhook",
  "tell-webhooks": "deliver-webhooks",
  "tell-engagement": "deliver-engagement",
  "tell-engagements": "schedule-engagement",
  "note-review-for-engagement": "queue-engagement-review",
  "note-orphans-in-engagement": "queue-engagement-removals",
  "moderate-waiting": "moderate-pending",
  "follow-orders": "apply-order-families",
  "send-waiting-mails": "send-pending-mails",
};
