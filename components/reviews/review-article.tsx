import clsx from "clsx";
import { BadgeCheck, MailCheck, Minus, Plus } from "lucide-react";
import { MarkedText } from "@/components/reviews/marked-text";
import { ReviewFindings } from "@/components/reviews/review-findings";
import { ReviewPhotos } from "@/components/reviews/review-photos";
import {
  languageWords,
  productOf,
  reasonWords,
  sourceWords,
  statusOf,
  statusTone,
  statusWords,
} from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { Stars } from "@/components/ui/stars";
import { Ago, dayWords } from "@/components/ui/time";
import type { QueueItem } from "@/lib/queue/schema";

/** A review to be read: everything its author wrote, at reading size. */
export function ReviewArticle({ item, timeZone, heading: Heading = "h2" }: Props) {
  const status = statusOf(item.accepted);
  const { title, recommended, ...answers } = item.properties;
  const titled = typeof title === "string" && title !== "";
  const product = productOf(item);
  const { findings } = item;
  return (
    <article aria-labelledby={`review-${item.id}`}>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
        <Badge tone={statusTone[status]}>{statusWords[status]}</Badge>
        {status === "rejected" && <span>{reasonWords(item.reject_reason)}</span>}
        <span className="min-w-0">
          {status === "pending" ? "Waiting for " : "Received "}
          <Ago at={item.received_at} timeZone={timeZone} />
          {status !== "pending" && " ago"}
        </span>
      </p>
      {titled && <p className="mt-4 text-sm text-muted">{product}</p>}
      <div className={clsx("flex flex-wrap items-center gap-x-3 gap-y-1", titled ? "mt-1.5" : "mt-4")}>
        <Stars score={item.score} large />
        <Heading id={`review-${item.id}`} className="text-xl font-semibold break-words">
          {titled ? <MarkedText text={title} field="title" findings={findings} /> : product}
        </Heading>
      </div>
      <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-sm text-muted">
        <span className="font-medium text-ink">
          {item.author === null ? "No name" : <MarkedText text={item.author} field="author" findings={findings} />}
        </span>
        <span>{dayWords(item.date)}</span>
        {item.verified_buyer && (
          <Badge tone="good" icon={<BadgeCheck aria-hidden="true" className="size-3.5" />}>
            Verified buyer
          </Badge>
        )}
        {item.verified_email && (
          <Badge icon={<MailCheck aria-hidden="true" className="size-3.5" />}>E-mail confirmed</Badge>
        )}
        {item.unverified && <Badge tone="warn">E-mail not confirmed yet</Badge>}
        <Badge>{sourceWords[item.source]}</Badge>
        {item.lang && <Badge>{languageWords(item.lang)}</Badge>}
      </p>
      {item.extract ? (
        <p className="mt-5 max-w-[65ch] text-lg break-words whitespace-pre-line" lang={item.lang ?? undefined}>
          <MarkedText text={item.extract} field="extract" findings={findings} />
        </p>
      ) : (
        <p className="mt-5 text-muted italic">No text, only a score.</p>
      )}
      {(item.pros.length > 0 || item.cons.length > 0) && (
        <div className="mt-5 grid max-w-[65ch] gap-4 sm:grid-cols-2" lang={item.lang ?? undefined}>
          <Points title="Pros" name="pros" item={item} good />
          <Points title="Cons" name="cons" item={item} />
        </div>
      )}
      <ReviewFindings item={item} heading={Heading === "h1" ? "h2" : "h3"} />
      <ReviewPhotos images={item.images} />
      {(typeof recommended === "boolean" || Object.keys(answers).length > 0) && (
        <dl className="mt-5 grid max-w-[65ch] grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {typeof recommended === "boolean" && (
            <>
              <dt className="text-muted">Recommends it</dt>
              <dd>{recommended ? "Yes" : "No"}</dd>
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
      {item.responses.map((response) => (
        <blockquote
          key={`${response.date}${response.extract}`}
          className="mt-5 max-w-[65ch] border-l-2 border-line pl-4"
        >
          <p className="text-sm text-muted">
            Reply by {response.author}, {dayWords(response.date)}
          </p>
          <p className="break-words whitespace-pre-line">{response.extract}</p>
        </blockquote>
      ))}
    </article>
  );
}

type Props = { item: QueueItem; timeZone: string; heading?: "h1" | "h2" };

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
