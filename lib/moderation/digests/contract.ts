import { z } from "zod";
import { DigestChoice } from "@/lib/moderation/digests/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId } from "@/lib/platform/http/fields";
import { linkPageDescription, mailLinkOptions } from "@/lib/platform/http/mail-link";

export const setDigestContract = endpoint({
  id: "portal.account.digest",
  method: "PUT",
  path: "/portal/api/v1/account/digest",
  tag: "Portal",
  summary: "Subscribe to or unsubscribe from the moderation digest",
  description:
    "Sent to the signed-in person's own address, in their language. No email is sent if there is nothing to moderate.",
  auth: "session",
  role: "moderator",
  query: z.object({ client_id: clientId }),
  body: DigestChoice,
  status: 204,
});

const shared = mailLinkOptions("/d/{token}");

export const digestPageContract = endpoint({
  ...shared,
  id: "digest.page",
  method: "GET",
  summary: "Show the unsubscribe page of a digest's link",
  description: linkPageDescription,
});

export const stopDigestContract = endpoint({
  ...shared,
  id: "digest.stop",
  method: "POST",
  summary: "Unsubscribe from a digest with one click (RFC 8058)",
  description: "For the URL in the email's `List-Unsubscribe` header. The body is ignored.",
});
