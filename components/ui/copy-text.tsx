"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { useToast } from "@/components/ui/toast";

/** Text to copy: shown in full, selected by a click, copied by a button. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const t = useTranslations();
  const { copied, copy } = useCopy(text);
  return (
    <div className="flex items-stretch gap-2">
      <code className="min-w-0 flex-1 self-center rounded-control bg-sunken px-3 py-2 font-mono text-xs leading-relaxed break-all whitespace-pre-wrap select-all">
        {text}
      </code>
      <Button onClick={copy} className="print:hidden" aria-label={t("common.copyLabel", { label })}>
        {copied ? <Check aria-hidden="true" className="size-4" /> : <Copy aria-hidden="true" className="size-4" />}
        <span aria-live="polite">{copied ? t("common.copied") : t("common.copy")}</span>
      </Button>
    </div>
  );
}

/**
 * Copies a text that is next to it, such as an id. `label`: what it copies. Its accessible name contains the text, so
 * that the buttons of several rows have different names.
 */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslations();
  const { copied, copy } = useCopy(text);
  const name = t("common.copyLabel", { label });
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={t("common.nameAndValue", { name, value: text })}
      title={name}
      className="inline-flex size-6 items-center justify-center rounded-control align-middle text-muted hover:bg-sunken hover:text-ink print:hidden"
    >
      {copied ? <Check aria-hidden="true" className="size-3.5" /> : <Copy aria-hidden="true" className="size-3.5" />}
      <span aria-live="polite" className="sr-only">
        {copied && t("common.copied")}
      </span>
    </button>
  );
}

/** Copies a text, and says for two seconds that it did, or that it couldn't. */
export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const t = useTranslations();
  const toast = useToast();
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    clearTimeout(timer.current);
    try {
      // Fails if the browser refuses, and on pages without HTTPS, which have no clipboard.
      await navigator.clipboard.writeText(text);
      setCopied(true);
      timer.current = setTimeout(() => setCopied(false), 2_000);
    } catch {
      setCopied(false);
      toast.show({ id: "copy", tone: "bad", text: t("common.errorCopying") });
    }
  };
  return { copied, copy };
}
