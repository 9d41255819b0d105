import clsx from "clsx";
import { cardClass, FieldIssue, OptionalLabel } from "@/components/forms/form-parts";
import { PhotoField } from "@/components/forms/photo-field";
import { Choices, QuestionField } from "@/components/forms/question-field";
import { StarField } from "@/components/forms/star-field";
import { SubjectPicture } from "@/components/forms/subject-picture";
import type { UploadKey } from "@/components/forms/upload-photo";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { FormItem, ItemValues, ReviewForm, ReviewFormText } from "@/lib/forms/schema";

type Props = {
  item: FormItem;
  values: ItemValues;
  skippable: boolean;
  asks: ReviewForm["asks"];
  t: ReviewFormText;
  issueAt: (field: string) => string | undefined;
  uploadKey: UploadKey;
  onUpload: (done: Promise<boolean>) => void;
};

/**
 * One item with its picture, name and stars. Other fields open once it has stars, or immediately if stars are required.
 */
export function ItemFields({ item, values, skippable, asks, t, issueAt, uploadKey, onUpload }: Props) {
  const name = `items.${item.position}`;
  const photos = values.images.map((token) => ({
    token,
    src: item.photos.find((photo) => photo.token === token)?.src ?? null,
  }));
  const hasIssue = ["title", "content", "files", "score"].some((part) => issueAt(`${name}.${part}`));
  return (
    <fieldset className={clsx("group/item", cardClass)}>
      <legend className="sr-only">{item.name}</legend>
      <div className="flex gap-4 sm:gap-6">
        <SubjectPicture name={item.name} src={item.image_url} />
        <div className="min-w-0 flex-1">
          <p aria-hidden="true" className="mb-1 text-lg font-semibold text-balance wrap-break-word">
            {item.name}
          </p>
          {item.reviewed && <p className="mb-1 text-sm text-muted">{t("reviewForm.editNote")}</p>}
          <StarField
            name={`${name}.score`}
            value={values.score}
            error={issueAt(`${name}.score`)}
            t={t}
            clearable={skippable && !item.reviewed}
          />
          {skippable && !item.reviewed && (
            <label className="mt-1 flex w-fit cursor-pointer items-center gap-2 py-1 text-sm text-muted group-has-[[data-star]:checked]/item:hidden">
              <input type="checkbox" name={`${name}.later`} defaultChecked={values.later} className="size-4" />
              {t("reviewForm.notReceived")}
            </label>
          )}
        </div>
      </div>
      <div
        className={clsx(
          "mt-6 flex-col gap-6 border-t pt-6 group-has-[[data-star]:checked]/item:flex",
          hasIssue || !skippable ? "flex" : "hidden",
        )}
      >
        <Field
          id={`${name}.content`}
          label={t("reviewForm.content")}
          hint={
            <>
              {t("reviewForm.contentHint")} <MinWords fewest={item.fewest_words} t={t} />
            </>
          }
          error={issueAt(`${name}.content`)}
        >
          {(wiring) => (
            <TextArea {...wiring} name={`${name}.content`} defaultValue={values.content} className="min-h-36" />
          )}
        </Field>
        <Field
          id={`${name}.title`}
          label={<OptionalLabel t={t}>{t("reviewForm.title")}</OptionalLabel>}
          error={issueAt(`${name}.title`)}
        >
          {(wiring) => <Input {...wiring} name={`${name}.title`} defaultValue={values.title} maxLength={255} />}
        </Field>
        {asks.pros_cons && (
          <div className="grid gap-6 sm:grid-cols-2">
            <Points kind="pros" sign="+" name={name} values={values.pros} t={t} issueAt={issueAt} />
            <Points kind="cons" sign="–" name={name} values={values.cons} t={t} issueAt={issueAt} />
          </div>
        )}
        {item.questions.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            name={`${name}.answers.${question.id}`}
            values={values.answers[question.id] ?? []}
            error={issueAt(`${name}.answers.${question.id}`)}
            t={t}
          />
        ))}
        {asks.recommended && (
          <Choices
            name={`${name}.recommended`}
            label={<OptionalLabel t={t}>{t("reviewForm.recommend")}</OptionalLabel>}
            options={[
              { id: "yes", label: t("reviewForm.yes") },
              { id: "no", label: t("reviewForm.no") },
            ]}
            values={[values.recommended]}
          />
        )}
        <PhotoField
          name={name}
          photos={photos}
          error={issueAt(`${name}.files`)}
          t={t}
          uploadKey={uploadKey}
          onUpload={onUpload}
        />
      </div>
    </fieldset>
  );
}

/** The minimum number of words; if it depends on the stars, shown once there are some. */
function MinWords({ fewest: { promoter, others }, t }: { fewest: FormItem["fewest_words"]; t: ReviewFormText }) {
  const minWordsText = (n: number) => n > 0 && t("reviewForm.contentWords", { n });
  if (promoter === others) return minWordsText(others);
  return (
    <>
      <span className="hidden group-has-[[data-star='4']:checked]/item:inline group-has-[[data-star='5']:checked]/item:inline">
        {minWordsText(promoter)}
      </span>
      <span className="hidden group-has-[[data-star='1']:checked]/item:inline group-has-[[data-star='2']:checked]/item:inline group-has-[[data-star='3']:checked]/item:inline">
        {minWordsText(others)}
      </span>
    </>
  );
}

/** Points, one per line; the next line appears once the previous one is filled. */
function Points({
  kind,
  sign,
  name,
  values,
  t,
  issueAt,
}: { kind: "pros" | "cons"; sign: string; values: string[] } & Pick<Props, "t" | "issueAt"> & { name: string }) {
  const field = `${name}.${kind}`;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">
        <OptionalLabel t={t}>{t(kind === "pros" ? "reviewForm.pros" : "reviewForm.cons")}</OptionalLabel>
      </legend>
      {values.map((value, index) => {
        const error = issueAt(`${field}.${index}`);
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity except their position
            key={index}
            className={clsx(
              "relative [&:has(input:not(:placeholder-shown))+*]:block",
              index > 0 && !value && !values[index - 1] && "hidden",
            )}
          >
            <span
              aria-hidden="true"
              className={clsx(
                "absolute top-2 left-3 font-semibold select-none",
                kind === "pros" ? "text-good" : "text-bad",
              )}
            >
              {sign}
            </span>
            <Input
              id={`${field}.${index}`}
              name={field}
              defaultValue={value}
              maxLength={2_000}
              placeholder=" "
              aria-label={t(kind === "pros" ? "reviewForm.pro" : "reviewForm.con", { number: index + 1 })}
              aria-invalid={error ? true : undefined}
              aria-describedby={error ? `${field}.${index}-error` : undefined}
              className="pl-8"
            />
            {error && <FieldIssue id={`${field}.${index}-error`}>{error}</FieldIssue>}
          </div>
        );
      })}
    </fieldset>
  );
}
