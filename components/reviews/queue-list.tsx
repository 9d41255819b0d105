"use client";

import clsx from "clsx";
import { Camera } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { KindIcon } from "@/components/reviews/kind-icon";
import { productOf, sentenceOf, statusOf, statusTone, statusWords } from "@/components/reviews/words";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { Stars } from "@/components/ui/stars";
import { Ago } from "@/components/ui/time";
import { type Finding, ruleTitles } from "@/lib/auto-moderation/schema";
import type { QueueItem } from "@/lib/queue/schema";

type Props = {
  items: QueueItem[];
  current: QueueItem | undefined;
  /** whether states differ within the list, and so are worth showing */
  mixed: boolean;
  timeZone: string;
  href: (item: QueueItem) => string;
  onSelect: (item: QueueItem) => void;
  list: RefObject<HTMLUListElement | null>;
  more: { has: boolean; loading: boolean; failed: boolean; load: () => void };
};

/** The list of the queue, two lines an item. Loads on as its end comes near. */
export function QueueList({ items, current, mixed, timeZone, href, onSelect, list, more }: Props) {
  return (
    <div>
      <ul ref={list} aria-label="Queue">
        {items.map((item) => (
          <li key={`${item.kind} ${item.id}`} className="border-b border-line">
            <a
              href={href(item)}
              data-item={item.id}
              aria-current={item === current ? "true" : undefined}
              onClick={(event) => {
                if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
                event.preventDefault();
                onSelect(item);
              }}
              className={clsx(
                "block border-l-2 px-4 py-2.5 -outline-offset-2",
                item === current ? "border-accent bg-accent-soft" : "border-transparent hover:bg-sunken/60",
              )}
            >
              <span className="flex items-center gap-2 text-sm">
                {item.kind !== "review" && <KindIcon kind={item.kind} className="size-4 shrink-0 text-muted" />}
                {item.score !== null && <Stars score={item.score} />}
                <span className="min-w-0 flex-1 truncate font-medium">{productOf(item)}</span>
                {item.images.length > 0 && (
                  <Camera aria-label="With photo" role="img" className="size-3.5 shrink-0 text-muted" />
                )}
                {mixed && (
                  <Badge tone={statusTone[statusOf(item.accepted)]}>{statusWords[statusOf(item.accepted)]}</Badge>
                )}
                <Ago at={item.received_at} timeZone={timeZone} className="shrink-0 text-xs text-muted" />
              </span>
              <span className="mt-0.5 flex items-center gap-2 text-sm text-muted">
                <span className="min-w-0 flex-1 truncate">
                  <span className="text-ink">{item.author ?? "No name"}</span>
                  {" — "}
                  {sentenceOf(item)}
                </span>
                {item.reports > 0 && (
                  <Badge tone="bad">{item.reports === 1 ? "1 report" : `${item.reports} reports`}</Badge>
                )}
                {item.kind === "question" && item.accepted && item.replies === 0 && (
                  <Badge tone="warn">No answer</Badge>
                )}
                {item.accepted === null && <Found findings={item.findings} />}
              </span>
            </a>
          </li>
        ))}
      </ul>
      <More {...more} />
    </div>
  );
}

/** Why an item waits, in a few words: what the first rule found, and how many found something else. */
function Found({ findings }: { findings: readonly Finding[] }) {
  const [first, ...others] = [...new Set(findings.map(({ rule }) => rule))];
  if (!first) return null;
  return (
    <Badge tone={findings.some(({ suggested }) => suggested === "reject") ? "bad" : "warn"}>
      {ruleTitles[first]}
      {others.length > 0 && ` +${others.length}`}
    </Badge>
  );
}

function More({ has, loading, failed, load }: Props["more"]) {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = end.current;
    if (!element || !has || loading || failed) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && load(), { rootMargin: "400px" });
    observer.observe(element);
    return () => observer.disconnect();
  }, [has, loading, failed, load]);
  if (!has) return null;
  return (
    <div ref={end} className="p-4 text-center">
      {loading ? (
        <QueueSkeleton rows={2} />
      ) : (
        <Button size="small" onClick={load}>
          {failed ? "Could not load more. Try again" : "Load more"}
        </Button>
      )}
    </div>
  );
}

/** The shape of the list while it loads. */
export function QueueSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div role="status" aria-label="Loading the queue">
      {Array.from({ length: rows }, (_, index) => index).map((index) => (
        <div key={index} className="flex flex-col gap-2 border-b border-line px-4 py-3">
          <Skeleton className="h-4 w-3/4" />
          <Skeleton className="h-3.5 w-full" />
        </div>
      ))}
    </div>
  );
}
