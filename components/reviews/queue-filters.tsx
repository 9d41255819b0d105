"use client";

import clsx from "clsx";
import { Search, SlidersHorizontal, X } from "lucide-react";
import { type RefObject, useState } from "react";
import { languages, languageWords, sourceWords, statusWords } from "@/components/reviews/words";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";
import { type QueueFilter, reviewSources } from "@/lib/queue/schema";

type Props = {
  filter: QueueFilter;
  /** the address of this page with another filter */
  href: (filter: QueueFilter) => string;
  onChange: (filter: QueueFilter) => void;
  search: RefObject<HTMLInputElement | null>;
};

const tabs = ["pending", "accepted", "rejected", "all"] as const;

/** Which reviews the list shows. All of it stands in the address, so a view is a link. */
export function QueueFilters({ filter, href, onChange, search }: Props) {
  // Phones show the card first; the filters wait behind a button.
  const [open, setOpen] = useState(false);
  const set = [filter.source, filter.lang, filter.verified, filter.photo, filter.reported, filter.unverified].filter(
    Boolean,
  ).length;
  const narrowed =
    filter.source ?? filter.lang ?? filter.verified ?? filter.photo ?? filter.reported ?? filter.unverified ?? filter.q;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <nav
        aria-label="Status"
        className="flex max-lg:w-full max-lg:*:flex-1 max-lg:*:justify-center rounded-control bg-sunken p-0.5"
      >
        {tabs.map((status) => (
          <a
            key={status}
            href={href({ ...filter, status })}
            aria-current={filter.status === status ? "page" : undefined}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
              event.preventDefault();
              onChange({ ...filter, status });
            }}
            className="flex h-9 items-center rounded-[0.4rem] lg:h-8 px-3 text-sm font-medium text-muted hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink aria-[current=page]:shadow-raised"
          >
            {status === "all" ? "All" : statusWords[status]}
          </a>
        ))}
      </nav>
      <search className="min-w-0 flex-1 lg:max-w-72 lg:min-w-48">
        <form
          className="relative"
          onSubmit={(event) => {
            event.preventDefault();
            const q = search.current?.value.trim() || undefined;
            // Who looks for one order wants its review whatever became of it.
            onChange({ ...filter, q, status: q ? "all" : filter.status });
            search.current?.blur();
          }}
        >
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-2.5 left-2.5 lg:top-2 size-4 text-muted"
          />
          <Input
            ref={search}
            key={filter.q}
            type="search"
            name="q"
            defaultValue={filter.q}
            maxLength={320}
            aria-label="Search by order, customer, e-mail, product family or review id"
            placeholder="Order, customer, e-mail, family, id"
            compact
            className="w-full pl-8"
          />
        </form>
      </search>
      <Button
        size="small"
        className="h-9 lg:hidden"
        aria-expanded={open}
        aria-controls="queue-filters"
        onClick={() => setOpen(!open)}
      >
        <SlidersHorizontal aria-hidden="true" className="size-4" />
        Filters
        {set > 0 && <span className="figures">({set})</span>}
      </Button>
      <div id="queue-filters" className={clsx("flex flex-wrap items-center gap-2", !open && "max-lg:hidden")}>
        <Select
          aria-label="Source"
          value={filter.source ?? ""}
          onChange={({ target }) =>
            onChange({ ...filter, source: reviewSources.find((source) => source === target.value) })
          }
          compact
        >
          <option value="">Any source</option>
          {reviewSources.map((source) => (
            <option key={source} value={source}>
              {sourceWords[source]}
            </option>
          ))}
        </Select>
        <Select
          aria-label="Language"
          value={filter.lang ?? ""}
          onChange={({ target }) => onChange({ ...filter, lang: target.value || undefined })}
          compact
          className="max-w-36"
        >
          <option value="">Any language</option>
          {filter.lang && !languages.includes(filter.lang) && (
            <option value={filter.lang}>{languageWords(filter.lang)}</option>
          )}
          {languages.map((code) => (
            <option key={code} value={code}>
              {languageWords(code)}
            </option>
          ))}
        </Select>
        <Toggle
          label="Verified buyer"
          on={filter.verified === "1"}
          onChange={(on) => onChange({ ...filter, verified: on ? "1" : undefined })}
        />
        <Toggle
          label="With photo"
          on={filter.photo === "1"}
          onChange={(on) => onChange({ ...filter, photo: on ? "1" : undefined })}
        />
        <Toggle
          label="Reported"
          on={filter.reported === "1"}
          // Only what is displayed is reported.
          onChange={(on) =>
            onChange({ ...filter, reported: on ? "1" : undefined, status: on ? "accepted" : filter.status })
          }
        />
        <Toggle
          label="Unconfirmed"
          on={filter.unverified === "1"}
          onChange={(on) =>
            onChange({ ...filter, unverified: on ? "1" : undefined, status: on ? "pending" : filter.status })
          }
        />
        {narrowed !== undefined && (
          <Button look="quiet" size="small" onClick={() => onChange({ status: filter.status })}>
            <X aria-hidden="true" className="size-3.5" />
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}

function Toggle({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => onChange(!on)}
      className="h-9 rounded-control border border-edge lg:h-8 bg-raised px-2.5 text-sm aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
    >
      {label}
    </button>
  );
}
