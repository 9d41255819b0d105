import { permanentRedirect } from "next/navigation";

/** Where the guide was until 0.2.0. */
export default function WebhooksMoved() {
  permanentRedirect("/docs/guides/webhooks");
}
