import type { Words } from "@/lib/platform/i18n/rules";

/** What a job does, by its function. */
export const jobNames: Record<string, string> = {
  "claim-invitations": "Schedule invitations",
  "clean-up": "Delete expired data",
  "erase-person": "Delete personal data",
  "follow-orders": "Update product families of reviews",
  "import-feed": "Import feeds",
  "import-feeds": "Schedule feed imports",
  "import-upload": "Import uploaded files",
  "mail-answer": "Email answers to questions",
  "mail-rejection": "Email authors about rejections",
  "moderate-items": "Apply moderation rules",
  "moderate-waiting": "Apply changed moderation rules",
  "note-orphans-in-engagement": "Delete personal data in the engagement platform",
  "note-review-for-engagement": "Queue reviews for the engagement platform",
  "request-verification": "Send verification emails",
  "resume-erasures": "Resume deletions of personal data",
  "send-digests": "Send summary emails",
  "send-invitation": "Send invitations",
  "send-invitations": "Schedule invitations for all stores",
  "send-mail": "Send emails",
  "send-waiting-mails": "Retry emails",
  "sync-integration": "Sync integrations",
  "sync-integrations": "Schedule integration syncs",
  "tell-engagement": "Send reviews to the engagement platform",
  "tell-engagements": "Schedule messages to the engagement platform",
  "tell-webhook": "Deliver webhook events",
  "tell-webhooks": "Schedule webhook deliveries",
};

/** A job that has no words yet, of a newer version, is called by its id. */
export const jobWords = (job: string, t: Words): string => {
  const name = jobNames[job];
  return name === undefined ? job : t(name);
};
