import type { ClientRow } from "@/lib/accounts/stores/get-client";
import type { FormFrame } from "@/lib/forms/schema";
import type { WebFormLink } from "@/lib/forms/web-form/open-web-form";

/** Scheme, host and port, without characters that end a source or a directive of a policy. */
const SOURCE = /^https?:\/\/(?:[\w.-]+|\[[\da-f:]+\])(?::\d+)?$/i;

/** How a form may be framed: by the store's allowed origins, or by any page if it lists none. */
export function frameOf({ allowed_origins }: Pick<ClientRow, "allowed_origins">, link: WebFormLink): FormFrame {
  const ancestors = allowed_origins.length === 0 ? ["*"] : allowed_origins.filter((origin) => SOURCE.test(origin));
  const { messageid, url, noheader } = link;
  const page = url && /^https?:/i.test(url) && URL.canParse(url) ? new URL(url) : null;
  return {
    ancestors,
    messageId: messageid || null,
    page: page && ancestors.includes(page.origin) ? page.href : null,
    hasHeader: noheader !== "1",
  };
}
