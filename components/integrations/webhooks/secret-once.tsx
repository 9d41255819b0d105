import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/copy-text";

/** A signing secret, shown this once. */
export function SecretOnce({
  secret,
  overlap = false,
  onDone,
}: {
  secret: string;
  overlap?: boolean;
  onDone: () => void;
}) {
  const t = useWords();
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {t("Your system verifies each event with it. It is shown this once; nobody can look it up again.")}
        {overlap && ` ${t("For a day the secret before signs too, so nothing is lost while you change it there.")}`}
      </p>
      <CopyText text={secret} label={t("the signing secret")} />
      <div className="flex justify-end">
        <Button look="primary" onClick={onDone}>
          {t("I have it§secret")}
        </Button>
      </div>
    </div>
  );
}
