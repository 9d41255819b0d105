"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import type { postTestOrderContract } from "@/lib/insights/home/contract";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = { clientId: string; sentBefore: boolean; variant: "primary" | "secondary" };

export function TestOrderForm({ clientId, sentBefore, variant }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const send = useMutation({
    mutationFn: (email: string) =>
      call<typeof postTestOrderContract>("POST /portal/api/v1/test_orders", {
        query: { client_id: clientId },
        body: { email },
      }),
    onSuccess: () => router.refresh(),
  });
  return (
    <form
      className="flex w-full max-w-md flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(String(new FormData(event.currentTarget).get("email")));
      }}
    >
      <Input
        type="email"
        name="email"
        required
        maxLength={320}
        autoComplete="email"
        aria-label={t("home.yourEmail")}
        placeholder={t("home.yourEmail")}
        compact
        className="min-w-56 flex-1"
      />
      <Button type="submit" size="small" variant={variant} disabled={send.isPending}>
        {send.isPending ? t("common.sending") : sentBefore ? t("home.sendAnother") : t("home.sendTestOrder")}
      </Button>
      <p role="status" className={send.error ? "w-full text-sm text-bad" : "w-full text-sm text-muted empty:hidden"}>
        {send.error
          ? messageOf(send.error, t)
          : send.data
            ? t("home.testOrderSent", { order_id: send.data.data.order_id })
            : ""}
      </p>
    </form>
  );
}
