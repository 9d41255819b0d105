import { z } from "zod";
import { DigestChoice } from "@/lib/moderation/digests/schema";
import { endpoint } from "@/lib/platform/http/contract";
import { clientId } from "@/lib/platform/http/fields";
import { mailedLink, pageOfLink } from "@/lib/platform/http/mailed-link";

export const setDigestContract = endpoint({
  id: "portal.account.digest",
  method: "PUT",
  path: "/portal/api/v1/account/digest",
  tag: "Portal",
  summary: "Be told by mail what waits at a client, or not any more",
  description: "Goes to the person's own address, in the person's language. Nothing comes where nothing waits.",
  auth: "session",
  role: "moderator",
  query: z.object({ client_id: clientId }),
  body: DigestChoice,
  status: 204,
});

const shared = mailedLink("/d/{token}");

export const digestPageContract = endpoint({
  ...shared,
  id: "digest.page",
  method: "GET",
  summary: "The page behind the link that ends a summary by mail",
  description: pageOfLink,
});

export const stopDigestContract = endpoint({
  ...shared,
  id: "digest.stop",
  method: "POST",
  summary: "End a summary by mail with one click (RFC 8058)",
  description: "The address is the one of the mail's `List-Unsubscribe` header; the body does not matter.",
});
