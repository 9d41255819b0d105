"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { rowCounter } from "@/components/moderation/library/count-rows";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";
import type { exportLibraryContract } from "@/lib/moderation/library/contract";
import { type LibraryFilter, type libraryFormats, libraryQuery } from "@/lib/moderation/library/values";
import { download, messageOf } from "@/lib/platform/http/client";

type Format = (typeof libraryFormats)[number];
const formats: [Format, string][] = [
  ["csv", "CSV"],
  ["jsonl", "JSON Lines"],
];

type Props = {
  clientId: string;
  filter: LibraryFilter;
  /** ids of selected rows: only those are exported */
  selected: string[];
};

/** Exports the filtered list, or the selected rows, and shows how far it is. */
export function ExportButtons({ clientId, filter, selected }: Props) {
  const t = useTranslations();
  const toast = useToast();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async (format: Format) => {
      const ids = selected.length > 0 ? selected.join(",") : undefined;
      const count = rowCounter(format);
      let done = 0;
      const file = await download<typeof exportLibraryContract>(
        "GET /portal/api/v1/library/export",
        { query: { ...Object.fromEntries(libraryQuery(filter)), client_id: clientId, format, ids } },
        (part, headers) => {
          done = count(part);
          setProgress({ done, total: Number(headers.get("Candor-Total")) });
        },
      );
      saveAs(file, `${filter.kind.replace("_", "-")}s.${format}`);
      return done;
    },
    onSuccess: (n) => toast.show({ id: "export", text: t("library.exported", { n }), duration: 6_000 }),
    onError: (error) =>
      toast.show({
        id: "export",
        tone: "bad",
        text: t("library.errorExporting", { message: messageOf(error, t) }),
        duration: 12_000,
      }),
    onSettled: () => setProgress({ done: 0, total: 0 }),
  });
  const n = selected.length;
  return formats.map(([format, name]) => (
    <Button
      key={format}
      size="small"
      className="h-9"
      aria-disabled={isPending}
      onClick={() => !isPending && mutate(format)}
    >
      <Download aria-hidden="true" className="size-4" />
      {isPending && variables === format ? (
        <span className="figures">{progress.total > 0 ? t("library.exporting", progress) : t("common.loading")}</span>
      ) : n > 0 ? (
        t("library.exportSelected", { n, format: name })
      ) : (
        t("library.exportAll", { format: name })
      )}
    </Button>
  ));
}

/** Hands a file to the browser's downloads. */
function saveAs(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads it after this; a minute is more than it needs to begin.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
