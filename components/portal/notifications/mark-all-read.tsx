"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "#messages";
import { readAllOptions } from "@/components/portal/notifications/queries";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import type { Notification } from "@/lib/accounts/notifications/schema";
import { messageOf } from "@/lib/platform/http/client";

/** Marks all notifications as read, up to the newest that the person has seen. */
export function MarkAllRead({ newest }: { newest: Pick<Notification, "again_at"> }) {
  const t = useTranslations();
  const router = useRouter();
  const toast = useToast();
  const readAll = useMutation({
    ...readAllOptions(useQueryClient()),
    onSuccess: () => router.refresh(),
    onError: (error) => toast.show({ id: "notifications", text: messageOf(error, t), tone: "bad" }),
  });
  return (
    <Button aria-disabled={readAll.isPending} onClick={() => !readAll.isPending && readAll.mutate(newest)}>
      {t("notifications.markAllRead")}
    </Button>
  );
}
