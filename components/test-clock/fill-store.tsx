"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { call, messageOf } from "@/lib/platform/http/client";
import type { fillTestStoreContract } from "@/lib/test-clock/contract";

type Props = { clientId: string; stores: { id: string; display_name: string }[] };

/** Copies another store's recent orders into a test store. */
export function FillStore({ clientId, stores }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const fill = useMutation({
    mutationFn: (from: string) =>
      call<typeof fillTestStoreContract>("POST /portal/api/v1/test_store/fill", {
        query: { client_id: clientId },
        body: { from },
      }),
    onSuccess: () => router.refresh(),
  });
  return (
    <form
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        fill.mutate(String(new FormData(event.currentTarget).get("from")));
      }}
    >
      <Field id="fill-from" label={t("testClock.fillFrom")} hint={t("testClock.fillHint")}>
        {(wiring) => (
          <Select {...wiring} name="from">
            {stores.map(({ id, display_name }) => (
              <option key={id} value={id}>
                {display_name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" disabled={fill.isPending}>
        {fill.isPending ? t("testClock.copying") : t("testClock.fill")}
      </Button>
      <p role="status" className="text-sm text-muted">
        {fill.data && t("testClock.filled", { n: fill.data.data.orders })}
      </p>
      {fill.error && (
        <Notice tone="bad" alert>
          {messageOf(fill.error, t)}
        </Notice>
      )}
    </form>
  );
}
