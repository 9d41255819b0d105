import { permanentRedirect } from "next/navigation";

/** Redirect: the guide was at this path until 0.2.0. */
export default function WebhooksMoved() {
  permanentRedirect("/docs/guides/webhooks");
}
