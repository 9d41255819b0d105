import clsx from "clsx";
import { BadgeCheck, Gift, MailCheck, MailQuestionMark, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslations } from "#messages";
import { Appeal } from "@/components/moderation/appeal";
import { ItemFindings } from "@/components/moderation/item-findings";
import { ItemPhotos } from "@/components/moderation/item-photos";
import { ItemStars } from "@/components/moderation/item-stars";
import { ItemState } from "@/components/moderation/item-state";
import { KindIcon } from "@/components/moderation/kind-icon";
import { languageLabel, productOf, sourceLabels } from "@/components/moderation/labels";
import { MarkedText } from "@/components/moderation/marked-text";
import { loadPhotoArticle } from "@/components/moderation/use-photo-article";
import { WithTranslation } from "@/components/moderation/with-translation";
import { Badge } from "@/components/ui/badge";
import { lazyPart } from "@/components/ui/lazy-dialog";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";
import type { QueueItem } from "@/lib/moderation/queue/schema";
import { formatDay } from "@/lib/platform/i18n/format";

const PhotoArticle = lazyPart(
  async () => (await loadPhotoArticle()).PhotoArticle,
  <Skeleton className="h-72 w-full max-w-96" />,
);

/** An item's full text, at reading size. */
export function ItemArticle(props: Props) {
  return props.item.kind === "photo" ? <PhotoArticle {...props} /> : <WrittenArticle {...props} />;
}

function WrittenArticle({
  clientId,
  item,
  timeZone,
  canDecide,
  hasTranslationService = false,
  assignment,
  large = false,
  heading: Heading = "h2",
}: Props) {
  const t = useTranslations();
  const { title: _, recommended, ...answers } = item.properties;
  const { kind, title, findings } = item;
  const subject = kind === "seller_review" ? t("queue.sellerReview") : productOf(item, t);
  return (
    <article aria-labelledby={`item-${item.id}`}>
      <ItemState item={item} timeZone={timeZone} assignment={assignment} />
      {item.appeal && item.accepted === null && <Appeal appeal={item.appeal} timeZone={timeZone} />}
      {title !== null && (
        <p className="mt-4 flex items-center gap-1.5 text-sm text-muted">
          {kind !== "review" && <KindIcon kind={kind} className="size-4 shrink-0" />}
          {kind === "question"
            ? t("queue.questionAbout", { subject })
            : kind === "answer"
              ? t("queue.answerAbout", { subject })
              : subject}
        </p>
      )}
      <div className={clsx("flex flex-wrap items-center gap-x-3 gap-y-1", title !== null ? "mt-1.5" : "mt-4")}>
        <ItemStars item={item} large />
        <Heading
          id={`item-${item.id}`}
          className="text-xl font-semibold break-words"
          lang={title === null ? undefined : (item.lang ?? undefined)}
        >
          {title === null ? subject : <MarkedText text={title} field="title" findings={findings} />}
        </Heading>
      </div>
      {kind === "answer" && (
        <p className="mt-1 text-sm">
          <Link className="link" href={item.portal_url.slice(new URL(item.portal_url).origin.length)}>
            {t("queue.viewQuestion")}
          </Link>
        </p>
      )}
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm text-muted">
        <span className="font-medium text-ink">
          {item.author === null ? (
            t("common.anonymous")
          ) : (
            <MarkedText text={item.author} field="author" findings={findings} />
          )}
        </span>
        <span>{formatDay(item.date, t.language)}</span>
        {item.verified_buyer && (
          <Badge tone="good" icon={<BadgeCheck aria-hidden="true" className="size-3.5" />}>
            {t("queue.verifiedBuyer")}
          </Badge>
        )}
        {item.incentivized && (
          <Badge icon={<Gift aria-hidden="true" className="size-3.5" />}>{t("queue.incentivized")}</Badge>
        )}
        {item.verified_email && (
          <Badge icon={<MailCheck aria-hidden="true" className="size-3.5" />}>{t("queue.emailVerified")}</Badge>
        )}
        {item.unverified && <Badge tone="warn">{t("queue.emailNotVerified")}</Badge>}
        {item.mail_answer && (
          <Badge tone="accent" icon={<MailQuestionMark aria-hidden="true" className="size-3.5" />}>
            {t("queue.wantsEmailAnswer")}
          </Badge>
        )}
        {kind !== "answer" && <Badge>{t(sourceLabels[item.source])}</Badge>}
        {item.lang && <Badge>{languageLabel(item.lang, t.language)}</Badge>}
      </p>
      <WithTranslation clientId={clientId} item={item} hasService={hasTranslationService}>
        {item.extract ? (
          <p
            className={clsx(
              "mt-5 max-w-[65ch] break-words whitespace-pre-line",
              large ? "text-lg lg:text-2xl" : "text-lg",
            )}
            lang={item.lang ?? undefined}
          >
            <MarkedText text={item.extract} field="extract" findings={findings} />
          </p>
        ) : (
          (item.score !== null || item.stars_hidden) && (
            <p className="mt-5 text-muted italic">{t("queue.ratingOnly")}</p>
          )
        )}
        {(item.pros.length > 0 || item.cons.length > 0) && (
          <div className="mt-5 grid max-w-[65ch] gap-4 sm:grid-cols-2" lang={item.lang ?? undefined}>
            <Points title={t("queue.pros")} name="pros" item={item} good />
            <Points title={t("queue.cons")} name="cons" item={item} />
          </div>
        )}
      </WithTranslation>
      {findings.length > 0 && <ItemFindings item={item} heading={Heading === "h1" ? "h2" : "h3"} />}
      <ItemPhotos key={item.id} clientId={clientId} item={item} canDecide={canDecide} />
      {(typeof recommended === "boolean" || Object.keys(answers).length > 0) && (
        <dl className="mt-5 grid max-w-[65ch] grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {typeof recommended === "boolean" && (
            <>
              <dt className="text-muted">{t("queue.recommends")}</dt>
              <dd>{recommended ? t("common.yes") : t("common.no")}</dd>
            </>
          )}
          {Object.entries(answers).map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="break-words">
                {typeof value === "string" ? (
                  <MarkedText text={value} field={`properties.${name}`} findings={findings} />
                ) : Array.isArray(value) ? (
                  value.join(", ")
                ) : (
                  String(value)
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </article>
  );
}

type Props = {
  clientId: string;
  item: QueueItem;
  timeZone: string;
  canDecide: boolean;
  /** whether the operator set up a translation service */
  hasTranslationService?: boolean;
  /** shown beside its status: who takes care of it */
  assignment?: ReactNode;
  heading?: "h1" | "h2";
  large?: boolean;
};

type PointsProps = { title: string; name: "pros" | "cons"; item: QueueItem; good?: boolean };

function Points({ title, name, item, good = false }: PointsProps) {
  const points = item[name];
  if (points.length === 0) return null;
  const Icon = good ? Plus : Minus;
  return (
    <div>
      <p className="text-sm font-medium">{title}</p>
      <ul aria-label={title} className="mt-1.5 flex flex-col gap-1.5">
        {points.map((point, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity and never move
          <li key={index} className="flex gap-2 break-words">
            <Icon
              aria-hidden="true"
              className={good ? "mt-1 size-4 shrink-0 text-good" : "mt-1 size-4 shrink-0 text-bad"}
            />
            <span className="min-w-0">
              <MarkedText text={point} field={`${name}[${index}]`} findings={item.findings} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
