import { claimDueInvitations } from "@/inngest/functions/claim-invitations";
import { cleanUp } from "@/inngest/functions/clean-up";
import { erasePerson } from "@/inngest/functions/erase-person";
import { followFamiliesOfOrders } from "@/inngest/functions/follow-orders";
import { importFeed } from "@/inngest/functions/import-feed";
import { importFeeds } from "@/inngest/functions/import-feeds";
import { importUploaded } from "@/inngest/functions/import-upload";
import { mailAnswerOf } from "@/inngest/functions/mail-answer";
import { mailRejections } from "@/inngest/functions/mail-rejection";
import { moderateItems } from "@/inngest/functions/moderate-items";
import { moderateWaiting } from "@/inngest/functions/moderate-waiting";
import { requestVerificationOf } from "@/inngest/functions/request-verification";
import { resumeErasures } from "@/inngest/functions/resume-erasures";
import { sendDueDigests } from "@/inngest/functions/send-digests";
import { sendClaimedInvitation } from "@/inngest/functions/send-invitation";
import { sendInvitations } from "@/inngest/functions/send-invitations";
import { sendMail, sendWaitingMails } from "@/inngest/functions/send-mail";
import { syncIntegration } from "@/inngest/functions/sync-integration";
import { syncIntegrations } from "@/inngest/functions/sync-integrations";
import {
  noteOrphansInEngagement,
  noteReviewForEngagement,
  tellEngagement,
  tellEngagements,
} from "@/inngest/functions/tell-engagement";
import { tellWebhook } from "@/inngest/functions/tell-webhook";
import { tellWebhooks } from "@/inngest/functions/tell-webhooks";

/** All functions, for either engine. */
export const functions = [
  claimDueInvitations,
  cleanUp,
  erasePerson,
  mailAnswerOf,
  mailRejections,
  followFamiliesOfOrders,
  importFeed,
  importFeeds,
  importUploaded,
  moderateItems,
  moderateWaiting,
  resumeErasures,
  requestVerificationOf,
  sendClaimedInvitation,
  sendDueDigests,
  sendInvitations,
  sendMail,
  sendWaitingMails,
  syncIntegration,
  syncIntegrations,
  tellWebhook,
  tellWebhooks,
  noteOrphansInEngagement,
  noteReviewForEngagement,
  tellEngagement,
  tellEngagements,
];

/** Those that wait for other systems: shops' servers, partners, receivers of webhooks. */
export const outside = [importFeed, syncIntegration, tellEngagement, tellWebhook];
