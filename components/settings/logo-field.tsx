"use client";

import { useMutation } from "@tanstack/react-query";
import { ImageUp } from "lucide-react";
import { useRef } from "react";
import { useTranslations } from "#messages";
import type { ControlProps } from "@/components/settings/fields";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { ImageWithFallback } from "@/components/ui/image-with-fallback";
import { call, issueOf, messageOf } from "@/lib/platform/http/client";
import type { uploadLogoContract } from "@/lib/reviews/uploads/contract";
import { uploadedKey } from "@/lib/reviews/uploads/values";

type Props = ControlProps & { label: string; hint?: string; placeholder: string; error: string | undefined };

/** The logo: a file to upload, or a URL. An upload also sets the size in emails. Saved with the form. */
export function LogoField({ id, label, hint, placeholder, error, value, disabled, onChange, page }: Props) {
  const t = useTranslations();
  const input = useRef<HTMLInputElement>(null);
  const url = typeof value === "string" ? value : "";
  const set = (logo: { url?: string | undefined; width?: number; height?: number }) => {
    onChange(logo.url);
    page?.set("config.logo_width", logo.width);
    page?.set("config.logo_height", logo.height);
  };
  const upload = useMutation({
    mutationFn: (file: File) =>
      call<typeof uploadLogoContract>("POST /portal/api/v1/logos", {
        query: { client_id: page?.clientId },
        body: { file },
      }),
    onSuccess: ({ data }) => set(data),
  });
  const failed = upload.error && (issueOf(upload.error, "file") ?? messageOf(upload.error, t));
  return (
    <Field id={id} label={label} hint={hint} error={failed || error}>
      {(wiring) => (
        <div className="flex max-w-md flex-col items-start gap-3">
          {url !== "" && (
            // White, as in most emails.
            <span className="rounded-control border border-line bg-white p-3">
              <ImageWithFallback
                key={url}
                src={url}
                alt={t("settings.logoPreview")}
                className="max-h-16 max-w-60 object-contain"
              />
            </span>
          )}
          <span className="flex flex-wrap gap-2">
            <input
              ref={input}
              type="file"
              accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
              aria-label={t("settings.logoFile")}
              className="hidden"
              onChange={({ target }) => {
                const file = target.files?.[0];
                // So that the same file can be selected again after an error.
                target.value = "";
                if (file) upload.mutate(file);
              }}
            />
            <Button disabled={disabled || upload.isPending} onClick={() => input.current?.click()}>
              <ImageUp aria-hidden="true" className="size-4" />
              {upload.isPending
                ? t("settings.logoUploading")
                : url === ""
                  ? t("settings.logoUpload")
                  : t("settings.logoReplace")}
            </Button>
            {url !== "" && !disabled && (
              <Button variant="quiet" onClick={() => set({})}>
                {t("settings.logoRemove")}
              </Button>
            )}
          </span>
          <Input
            {...wiring}
            type="url"
            disabled={disabled}
            placeholder={placeholder}
            value={url}
            onChange={({ target }) => {
              upload.reset();
              const typed = target.value === "" ? undefined : target.value;
              // The size that an upload has set isn't that of another image.
              if (uploadedKey(url)) set({ url: typed });
              else onChange(typed);
            }}
          />
        </div>
      )}
    </Field>
  );
}
