import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { linkPageDescription, mailLinkOptions } from "@/lib/platform/http/mail-link";

const shared = mailLinkOptions("/verify/{token}");

export const verificationPageContract = endpoint({
  ...shared,
  id: "verification.page",
  method: "GET",
  summary: "The page behind the link that confirms an author's address",
  description: linkPageDescription,
});

export const verifyContract = endpoint({
  ...shared,
  id: "verification.confirm",
  method: "POST",
  summary: "Confirm an author's email address",
  accepts: "form",
  body: z.record(z.string(), z.string()).meta({
    description:
      "One field `review.<id>` or `question.<id>` for each item to confirm. `next` and `begun` have the page's values if there are more pending items than one page shows.",
  }),
  maxBody: 16 * 1024,
});
