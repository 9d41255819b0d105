"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import clsx from "clsx";
import { CloudAlert, Search, UserRoundX } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { countsText } from "@/components/privacy/counts-text";
import { PersonRecord } from "@/components/privacy/person-record";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { segmentClass, segmentsClass } from "@/components/ui/segments";
import { Skeleton } from "@/components/ui/skeleton";
import { call, codeOf, messageOf } from "@/lib/platform/http/client";
import type { deletePersonalDataContract, findPersonContract } from "@/lib/privacy/contract";
import type { PersonOverview } from "@/lib/privacy/schema";

type By = "email" | "customer_id";
/** The person searched for, as the API's parameters. */
export type SearchedPerson = { by: By; value: string };

const searchModes = [
  { by: "email", name: "common.emailAddress", label: "privacy.emailLabel" },
  { by: "customer_id", name: "common.customerId", label: "privacy.customerIdLabel" },
] as const;

/** How often to check on a long erasure. */
const POLL_MS = 2_000;

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Finds, exports and erases a person's data. The search stays in this page's memory: the address, which browsers and
 * proxies store, never contains it.
 */
export function PersonSearch({
  clientId,
  several,
  timeZone,
}: {
  clientId: string;
  several: boolean;
  timeZone: string;
}) {
  const t = useTranslations();
  const router = useRouter();
  const id = useId();
  const [by, setBy] = useState<By>("email");
  const [text, setText] = useState("");
  const [searchedPerson, setSearchedPerson] = useState<SearchedPerson | null>(null);
  const [missing, setMissing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const leaving = useRef<AbortController | null>(null);

  // An order's link passes the customer in the fragment, which isn't sent to servers; remove it from the address
  // immediately.
  useEffect(() => {
    const linkedCustomer = new URLSearchParams(window.location.hash.slice(1)).get("customer");
    if (linkedCustomer) {
      window.history.replaceState(null, "", window.location.pathname + window.location.search);
      setBy("customer_id");
      setText(linkedCustomer);
      setSearchedPerson({ by: "customer_id", value: linkedCustomer });
    }
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const found = useQuery({
    queryKey: ["person", clientId, searchedPerson],
    enabled: searchedPerson !== null,
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }): Promise<PersonOverview | null> => {
      if (!searchedPerson) return null;
      const query = { client_id: clientId, [searchedPerson.by]: searchedPerson.value };
      return (await call<typeof findPersonContract>("GET /portal/api/v1/personal_data", { query, signal })).data;
    },
  });

  const erasure = useMutation({
    mutationFn: async (person: SearchedPerson) => {
      const signal = leaving.current?.signal ?? new AbortController().signal;
      // Repeating the call polls the erasure: it returns nothing once all data is erased.
      while (!signal.aborted) {
        const pending: unknown = await call<typeof deletePersonalDataContract>("POST /v1/personal_data/delete", {
          query: { client_id: clientId },
          body: { [person.by]: person.value },
          signal,
        });
        if (pending === undefined) return;
        await found.refetch();
        router.refresh();
        await pause(POLL_MS, signal);
      }
    },
    onSettled: () => {
      void found.refetch();
      router.refresh();
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const value = text.trim();
    setMissing(value === "");
    if (value === "") return input.current?.focus();
    erasure.reset();
    if (searchedPerson?.by === by && searchedPerson.value === value) void found.refetch();
    else setSearchedPerson({ by, value });
  };

  const mode = searchModes.find((each) => each.by === by) ?? searchModes[0];
  const refused = codeOf(found.error) === "invalid_field" ? messageOf(found.error, t) : null;
  return (
    <div className="flex flex-col gap-6">
      <form
        onSubmit={submit}
        noValidate
        className="rounded-card border border-line bg-raised p-4 shadow-raised sm:p-5"
        aria-label={t("privacy.find")}
      >
        <fieldset>
          <legend className="sr-only">{t("privacy.searchBy")}</legend>
          <div className={clsx(segmentsClass, "mb-3 inline-flex")}>
            {searchModes.map((each) => (
              <label
                key={each.by}
                className={clsx(
                  segmentClass,
                  "cursor-pointer has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent",
                )}
              >
                <input
                  type="radio"
                  name={`${id}-by`}
                  className="sr-only"
                  checked={by === each.by}
                  onChange={() => setBy(each.by)}
                />
                {t(each.name)}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="flex flex-wrap gap-2 sm:flex-nowrap">
          <Input
            ref={input}
            type={by === "email" ? "email" : "text"}
            value={text}
            onChange={(event) => setText(event.target.value)}
            maxLength={320}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-label={t(mode.label)}
            placeholder={t(mode.label)}
            aria-describedby={`${id}-hint`}
            aria-invalid={missing || refused ? true : undefined}
          />
          <Button type="submit" variant="primary" className="max-sm:w-full" aria-disabled={found.isFetching}>
            <Search aria-hidden="true" className="size-4" />
            {t("common.search")}
          </Button>
        </div>
        <p
          id={`${id}-hint`}
          className={missing || refused ? "mt-2 text-sm font-medium text-bad" : "mt-2 text-sm text-muted"}
        >
          {missing
            ? t("privacy.errorEmpty")
            : (refused ?? (by === "email" ? t("privacy.emailHint") : t("privacy.customerIdHint")))}
        </p>
      </form>

      <div aria-live="polite" className="contents">
        {erasure.isSuccess && !erasure.isPending && <Notice tone="good">{t("privacy.allDeleted")}</Notice>}
        {erasure.isPending && (
          <Notice>
            <span className="font-medium">{t("privacy.deletionRunning")}</span>{" "}
            {found.data?.removal && countsText(found.data.removal.removed, t) !== ""
              ? `${t("privacy.deletedSoFar", { counts: countsText(found.data.removal.removed, t) })} `
              : ""}
            {t("privacy.continuesHint")}
          </Notice>
        )}
        {erasure.error && (
          <Notice tone="bad" alert>
            {t("privacy.errorProgress", { message: messageOf(erasure.error, t) })}
          </Notice>
        )}
      </div>

      {searchedPerson === null ? null : found.isPending ? (
        <div role="status" className="flex flex-col gap-3 rounded-card border border-line bg-raised p-5">
          <span className="sr-only">{t("privacy.searching")}</span>
          <Skeleton className="h-6 w-56" />
          <Skeleton className="h-4 w-72" />
          <Skeleton className="h-24 w-full" />
        </div>
      ) : refused ? null : found.error && !found.data ? (
        <EmptyState
          icon={<CloudAlert aria-hidden="true" />}
          title={t("privacy.errorTitle")}
          action={<Button onClick={() => void found.refetch()}>{t("common.tryAgain")}</Button>}
        >
          {messageOf(found.error, t)}
        </EmptyState>
      ) : found.data && isStored(found.data) ? (
        <PersonRecord
          clientId={clientId}
          several={several}
          timeZone={timeZone}
          searched={searchedPerson}
          found={found.data}
          isErasing={erasure.isPending}
          onErase={() => erasure.mutate(searchedPerson)}
        />
      ) : erasure.isSuccess ? null : (
        <EmptyState icon={<UserRoundX aria-hidden="true" />} title={t("privacy.notFoundTitle")}>
          {searchedPerson.by === "email" ? t("privacy.notFoundEmail") : t("privacy.notFoundId")}
        </EmptyState>
      )}
    </div>
  );
}

const isStored = ({ person, orders, removal }: PersonOverview): boolean =>
  removal !== null ||
  orders.length > 0 ||
  [person.name, person.customer_id, person.email].some((part) => part !== null) ||
  person.reviews.length + person.questions.length + person.seller_reviews.length > 0;
