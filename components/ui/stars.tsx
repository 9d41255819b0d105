import clsx from "clsx";
import { EyeOff } from "lucide-react";
import { useTranslations } from "#messages";

const path = "M10 1.6l2.6 5.3 5.8.85-4.2 4.1 1 5.8L10 14.9l-5.2 2.75 1-5.8-4.2-4.1 5.8-.85z";

/** A score as stars, and in words for screen readers. */
export function Stars({ score, of = 5, large = false }: { score: number; of?: number; large?: boolean }) {
  const t = useTranslations();
  return (
    <span
      role="img"
      aria-label={t("common.scoreOfStars", { score, of })}
      className="inline-flex shrink-0 gap-px align-[-0.1em]"
    >
      {Array.from({ length: of }, (_, index) => index + 1).map((step) => (
        <svg
          key={step}
          viewBox="0 0 20 20"
          aria-hidden="true"
          className={clsx(large ? "size-5" : "size-3.5", step <= score ? "fill-star" : "fill-none stroke-edge")}
        >
          <path d={path} />
        </svg>
      ))}
    </span>
  );
}

/** In place of the stars of a review that isn't decided yet. */
export function StarsHidden({ large = false }: { large?: boolean }) {
  const t = useTranslations();
  return (
    <span
      role="img"
      aria-label={t("common.starsHidden")}
      title={t("common.starsHidden")}
      className="shrink-0 text-muted"
    >
      <EyeOff aria-hidden="true" className={large ? "size-5" : "size-3.5"} />
    </span>
  );
}
