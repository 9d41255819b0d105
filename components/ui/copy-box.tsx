"use client";

import { Check, Copy } from "lucide-react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { useCopy } from "@/components/ui/copy-text";

/** Lines with a copy button. */
export function CopyBox({ label, text }: { label: string; text: string }) {
  const t = useTranslations();
  const { copied, copy } = useCopy(text);
  return (
    <div className="rounded-control border border-line bg-sunken">
      <div className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4">
        <span className="text-sm font-medium">{label}</span>
        <Button size="small" onClick={copy}>
          {copied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
          <span role="status">{copied ? t("common.copied") : t("common.copy")}</span>
        </Button>
      </div>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className="overflow-x-auto p-4"
      >
        <pre className="font-mono text-xs leading-relaxed">{text}</pre>
      </section>
    </div>
  );
}
