import { z } from "zod";
import { endpoint } from "@/lib/platform/http/contract";
import { mailedLink, pageOfLink } from "@/lib/platform/http/mailed-link";

const shared = mailedLink("/verify/{token}");

export const verificationPageContract = endpoint({
  ...shared,
  id: "verification.page",
  method: "GET",
  summary: "The page behind the link that confirms an author's address",
  description: pageOfLink,
});

export const verifyContract = endpoint({
  ...shared,
  id: "verification.confirm",
  method: "POST",
  summary: "Confirm what was sent under one's address",
  accepts: "form",
  body: z.record(z.string(), z.string()).meta({
    description:
      "A field `review.<id>` or `question.<id>` for each item that is confirmed; `next` and `begun` as the page has them, where what waits is more than one page shows.",
  }),
  maxBody: 16 * 1024,
});
