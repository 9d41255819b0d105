import { z } from "zod";
import { endpoint } from "@/lib/http/contract";
import { text } from "@/lib/http/fields";

const shared = {
  path: "/verify/{token}",
  tag: "Mail",
  auth: "public",
  params: z.object({ token: text(1_000) }),
  cors: false,
  produces: "text/html; charset=utf-8",
} as const;

export const verificationPageContract = endpoint({
  ...shared,
  id: "verification.page",
  method: "GET",
  summary: "The page behind the link that confirms an author's address",
  description: "Changes nothing: mail scanners open links too. The page's button posts to the same address.",
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
