import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/copy-text";

/** A signing secret, shown only once. */
export function SigningSecret({
  secret,
  overlap = false,
  onDone,
}: {
  secret: string;
  overlap?: boolean;
  onDone: () => void;
}) {
  const t = useTranslations();
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {t("webhooks.secretHint")}
        {overlap && ` ${t("webhooks.secretOverlapHint")}`}
      </p>
      <CopyText text={secret} label={t("webhooks.signingSecretInline")} />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          {t("webhooks.secretCopied")}
        </Button>
      </div>
    </div>
  );
}
