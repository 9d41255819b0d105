import clsx from "clsx";
import { FieldIssue } from "@/components/forms/form-parts";
import type { ReviewFormText } from "@/lib/forms/schema";

const path = "M10 1.6l2.6 5.3 5.8.85-4.2 4.1 1 5.8L10 14.9l-5.2 2.75 1-5.8-4.2-4.1 5.8-.85z";
const scores = [1, 2, 3, 4, 5] as const;
const starLabels = {
  1: "reviewForm.star1",
  2: "reviewForm.star2",
  3: "reviewForm.star3",
  4: "reviewForm.star4",
  5: "reviewForm.star5",
} as const;

// Written out in full because styles are generated from class names found in the source.
const labelVisibility = {
  1: "group-has-[[data-star='1']:checked]/stars:inline",
  2: "group-has-[[data-star='2']:checked]/stars:inline",
  3: "group-has-[[data-star='3']:checked]/stars:inline",
  4: "group-has-[[data-star='4']:checked]/stars:inline",
  5: "group-has-[[data-star='5']:checked]/stars:inline",
} as const;

type Props = {
  /** the group's id and the radios' name */
  name: string;
  value: string;
  error: string | undefined;
  t: ReviewFormText;
  /** allows clearing the stars; not for existing reviews */
  clearable?: boolean;
};

/** One to five stars as radios: arrow keys select, and it works without scripts. */
export function StarField({ name, value, error, t, clearable = true }: Props) {
  return (
    <div className="group/stars">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div
          id={name}
          role="radiogroup"
          aria-label={t("reviewForm.rating")}
          aria-describedby={error ? `${name}-error` : undefined}
          aria-invalid={error ? true : undefined}
          tabIndex={-1}
          className="-ml-1.5 flex outline-none"
        >
          {scores.map((score) => (
            <label
              key={score}
              className={clsx(
                "relative grid size-11 cursor-pointer place-items-center rounded-control sm:size-12",
                "has-focus-visible:outline-2 has-focus-visible:outline-accent",
                "[&_svg]:fill-transparent [&_svg]:stroke-edge [&:hover_svg]:stroke-star [&:has(~label:hover)_svg]:stroke-star",
                "[&:has(:checked)_svg]:fill-star [&:has(:checked)_svg]:stroke-star",
                "[&:has(~label_:checked)_svg]:fill-star [&:has(~label_:checked)_svg]:stroke-star",
              )}
            >
              <input
                type="radio"
                name={name}
                value={score}
                data-star={score}
                defaultChecked={value === String(score)}
                className="absolute inset-0 size-full cursor-pointer opacity-0"
              />
              <svg viewBox="0 0 20 20" aria-hidden="true" className="size-8 transition-colors sm:size-9">
                <path d={path} strokeWidth="1.1" strokeLinejoin="round" />
              </svg>
              <span className="sr-only">{t("reviewForm.stars", { n: score, word: t(starLabels[score]) })}</span>
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="text-sm font-medium text-muted">
          {scores.map((score) => (
            <span key={score} className={clsx("hidden", labelVisibility[score])}>
              {t(starLabels[score])}
            </span>
          ))}
        </span>
        {clearable && (
          <label
            className={clsx(
              "relative ml-auto hidden cursor-pointer rounded-control px-1 py-2 text-sm text-muted underline underline-offset-3 hover:text-ink",
              "group-has-[[data-star]:checked]/stars:inline-block has-focus-visible:outline-2 has-focus-visible:outline-accent",
            )}
          >
            <input
              type="radio"
              name={name}
              value="none"
              defaultChecked={value === "none"}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
            />
            {t("reviewForm.clearRating")}
          </label>
        )}
      </div>
      {error && <FieldIssue id={`${name}-error`}>{error}</FieldIssue>}
    </div>
  );
}
