import { pathWithQuery } from "@/app/_guard";
import type { EmptyStateActions } from "@/components/moderation/empty-queue";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { type Actor, hasRole } from "@/lib/accounts/actor";
import type { Translate } from "@/lib/platform/i18n/translator";

/** By kind, what an admin can do to get the first items. Undefined for other roles. */
export function emptyStateActions(
  { role }: Pick<Actor, "role">,
  clientId: string | undefined,
  t: Translate,
): EmptyStateActions | undefined {
  if (!hasRole(role, "admin")) return undefined;
  const link = (path: string, text: string, variant?: "primary") => (
    <Link href={pathWithQuery(path, { client_id: clientId })} className={buttonClass({ variant })}>
      {text}
    </Link>
  );
  const settings = link("/portal/settings/forms", t("home.openSettings"));
  return {
    review: (
      <>
        {link("/portal/setup", t("queue.getFirstReview"), "primary")}
        {link("/portal/settings/display", t("queue.addFormToStore"))}
      </>
    ),
    seller_review: settings,
    question: settings,
  };
}
