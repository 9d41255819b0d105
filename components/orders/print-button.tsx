"use client";

import { Printer } from "lucide-react";
import { useEffect } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";

/** Prints the page, with all that is collapsed on the screen; also by the browser's own command. */
export function PrintButton() {
  const t = useTranslations();
  useEffect(() => {
    let opened: HTMLDetailsElement[] = [];
    const open = () => {
      opened = [...document.querySelectorAll<HTMLDetailsElement>("#content details:not([open])")];
      for (const part of opened) part.open = true;
    };
    const close = () => {
      for (const part of opened) part.open = false;
      opened = [];
    };
    addEventListener("beforeprint", open);
    addEventListener("afterprint", close);
    return () => {
      removeEventListener("beforeprint", open);
      removeEventListener("afterprint", close);
    };
  }, []);
  return (
    <Button onClick={() => print()}>
      <Printer aria-hidden="true" className="size-4" />
      {t("common.print")}
    </Button>
  );
}
