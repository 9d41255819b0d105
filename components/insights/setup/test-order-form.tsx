"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import type { postTestOrderContract } from "@/lib/insights/setup/contract";
import { call, messageOf } from "@/lib/platform/http/client";

type Props = {
  clientId: string;
  /** the person's own address */
  email: string;
  sentBefore: boolean;
  variant: "primary" | "secondary";
};

export function TestOrderForm({ clientId, email, sentBefore, variant }: Props) {
  const t = useTranslations();
  const router = useRouter();
  const send = useMutation({
    mutationFn: (to: string) =>
      call<typeof postTestOrderContract>("POST /portal/api/v1/test_orders", {
        query: { client_id: clientId },
        body: { email: to },
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
        defaultValue={email}
        maxLength={320}
        autoComplete="email"
        aria-label={t("setup.yourEmail")}
        placeholder={t("setup.yourEmail")}
        compact
        className="min-w-56 flex-1"
      />
      <Button type="submit" size="small" variant={variant} disabled={send.isPending}>
        {send.isPending ? t("common.sending") : sentBefore ? t("setup.sendAnother") : t("setup.sendTestOrder")}
      </Button>
      <p role="status" className={send.error ? "w-full text-sm text-bad" : "w-full text-sm text-muted empty:hidden"}>
        {send.error
          ? messageOf(send.error, t)
          : send.data
            ? t("setup.testOrderSent", { order_id: send.data.data.order_id })
            : ""}
      </p>
    </form>
  );
}
