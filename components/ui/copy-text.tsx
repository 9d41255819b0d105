"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";

/** Text to copy: shown in full, selected by a click, copied by a button. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const t = useTranslations();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    // Browsers offer no clipboard to pages without HTTPS; the text can still be selected.
    if (!navigator.clipboard) return;
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="flex items-stretch gap-2">
      <code className="min-w-0 flex-1 self-center rounded-control bg-sunken px-3 py-2 font-mono text-xs leading-relaxed break-all whitespace-pre-wrap select-all">
        {text}
      </code>
      <Button onClick={() => void copy().catch(() => undefined)} aria-label={t("common.copyLabel", { label })}>
        {copied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
        <span aria-live="polite">{copied ? t("common.copied") : t("common.copy")}</span>
      </Button>
    </div>
  );
}
