import { useTranslations } from "#messages";
import type { WebhookAttempt } from "@/lib/integrations/webhooks/schema";
import { formatMoment } from "@/lib/platform/i18n/format";

/** Every attempt to deliver an event, with the start of each response. */
export function Attempts({ attempts, timeZone }: { attempts: WebhookAttempt[]; timeZone: string }) {
  const t = useTranslations();
  if (attempts.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer text-xs hover:underline">
        {t("deliveries.attempts", { n: attempts.length })}
      </summary>
      <ol className="mt-1 space-y-2 text-xs">
        {attempts.map(({ at, duration_ms, status, answer }) => (
          <li key={at}>
            {t("deliveries.attemptLine", {
              moment: formatMoment(at, timeZone, t.language),
              result: status === null ? t("deliveries.connectionFailed") : String(status),
              duration: duration_ms,
            })}
            {answer && (
              <pre className="mt-1 max-h-40 overflow-auto rounded border border-line p-2 break-all whitespace-pre-wrap">
                {answer}
              </pre>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
