import { Scale } from "lucide-react";
import { pathWithQuery, requireMember, type Search } from "@/app/_guard";
import { PageHead } from "@/components/portal/page-head";
import { Badge } from "@/components/ui/badge";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { hasRole } from "@/lib/accounts/actor";
import { titleMetadata, translations } from "@/lib/accounts/language/request-language";
import { biasText } from "@/lib/display/honesty/bias-text";
import { writerFor } from "@/lib/display/honesty/texts";
import { isConcern, isLasting, isOfInvitations, MIN_REVIEWS, publicFrom } from "@/lib/honesty/bias/find-bias";
import { listStoresWithBias, readBias } from "@/lib/honesty/list-bias";
import { now } from "@/lib/platform/clock";
import { honestyPageUrl } from "@/lib/platform/http/honesty-page";
import type { Language } from "@/lib/platform/i18n/languages";

export const generateMetadata = () => titleMetadata("navigation.bias");

/** What depends on stars at the store, in plain words; for operators also which other stores have findings. */
export default async function BiasPage({ searchParams }: { searchParams: Promise<Search> }) {
  const t = await translations();
  const { actor, client, clientId } = await requireMember({ path: "/portal/bias", search: await searchParams });
  const [{ findings, isTooFew, notCompared }, stores] = await Promise.all([
    readBias(client.id),
    actor.role === "operator" ? listStoresWithBias() : [],
  ]);
  const writer = writerFor(client, t.language as Language);
  const concerns = findings.filter(isConcern);
  const others = stores.filter(({ id }) => id !== client.id);
  return (
    <div className="mx-auto flex max-w-4xl flex-col gap-8 px-4 py-6 lg:px-8">
      <div className="-mb-5">
        <PageHead
          title={t("navigation.bias")}
          tools={
            <a className={buttonClass()} href={honestyPageUrl(client.id, t.language as Language)}>
              {t("bias.publicPage")}
            </a>
          }
        >
          {t("bias.intro")}
        </PageHead>
      </div>
      {findings.length === 0 ? (
        <EmptyState icon={<Scale aria-hidden="true" />} title={t(isTooFew ? "bias.tooFewTitle" : "bias.emptyTitle")}>
          {t("bias.emptyHint", { min: MIN_REVIEWS })}
        </EmptyState>
      ) : (
        <>
          <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
            {findings.map((finding) => (
              <li
                key={finding.question}
                className="flex flex-col items-start gap-2 border-b border-line px-5 py-4 last:border-b-0"
              >
                <p>{biasText(writer, finding)}</p>
                <p className="flex flex-wrap items-center gap-3 text-sm text-muted">
                  {writer.t("honesty.biasSince", { day: writer.day(finding.since) })}
                  {isLasting(finding, now().getTime()) ? (
                    <Badge tone={isConcern(finding) ? "bad" : "plain"}>{t("bias.isPublic")}</Badge>
                  ) : (
                    <span>{t("bias.publicFrom", { day: writer.day(publicFrom(finding)) })}</span>
                  )}
                </p>
              </li>
            ))}
          </ul>
          {concerns.length > 0 && (
            <section aria-labelledby="what-now">
              <h2 id="what-now" className="mb-2 font-semibold">
                {t("bias.whatNow")}
              </h2>
              <ul className="flex flex-col items-start gap-1 text-sm">
                {concerns.some(isOfInvitations) && (
                  <li>
                    <Link
                      className="link"
                      href={pathWithQuery("/portal/orders", {
                        client_id: clientId,
                        invitation: "none",
                        reason: "excluded",
                      })}
                    >
                      {t("bias.checkExcluded")}
                    </Link>
                  </li>
                )}
                {concerns.some(isOfInvitations) && (
                  <li>{t.rich("bias.cancelOrders", { api: <code key="api">delivery_date: null</code> })}</li>
                )}
                {!concerns.every(isOfInvitations) && (
                  <li>
                    <Link
                      className="link"
                      href={pathWithQuery("/portal/library", { client_id: clientId, status: "rejected", stars: "12" })}
                    >
                      {t("bias.checkRejected")}
                    </Link>
                  </li>
                )}
                {hasRole(actor.role, "admin") && !concerns.every(isOfInvitations) && (
                  <li>
                    <Link className="link" href={pathWithQuery("/portal/settings/moderation", { client_id: clientId })}>
                      {t("bias.hideStars")}
                    </Link>
                  </li>
                )}
              </ul>
            </section>
          )}
        </>
      )}
      {notCompared > 0 && (
        <p className="text-sm text-muted">{writer.t("honesty.biasNotCompared", { n: notCompared })}</p>
      )}
      <p className="text-sm text-muted">{writer.t("honesty.biasNote", { min: MIN_REVIEWS })}</p>
      {others.length > 0 && (
        <section aria-labelledby="other-stores">
          <h2 id="other-stores" className="mb-2 font-semibold">
            {t("bias.otherStores")}
          </h2>
          <ul className="overflow-hidden rounded-card border border-line bg-raised shadow-raised">
            {others.map(({ id, name, count }) => (
              <li key={id} className="border-b border-line last:border-b-0">
                <Link
                  href={pathWithQuery("/portal/bias", { client_id: id })}
                  className="flex flex-wrap items-center gap-x-3 px-5 py-3 text-sm -outline-offset-2 hover:bg-sunken/60"
                >
                  <span className="min-w-40 flex-1 truncate font-medium">{name}</span>
                  <span className="text-muted">{t("bias.findings", { n: count })}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
