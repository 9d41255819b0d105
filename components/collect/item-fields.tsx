import clsx from "clsx";
import { PhotoField, type UploadPhoto } from "@/components/collect/photo-field";
import { Choices, QuestionField } from "@/components/collect/question-field";
import { StarField } from "@/components/collect/star-field";
import { Field, Input, TextArea } from "@/components/ui/field";
import type { FormItem, FormWords, ItemValues, ReviewForm } from "@/lib/forms/schema";
import { fill } from "@/lib/languages/rules";

type Props = {
  item: FormItem;
  values: ItemValues;
  skippable: boolean;
  asks: ReviewForm["asks"];
  words: FormWords;
  faultAt: (field: string) => string | undefined;
  upload: UploadPhoto;
  onUpload: (done: Promise<boolean>) => void;
};

/** One item: its picture, name and stars. The rest opens once it has stars, at once where it must have them. */
export function ItemFields({ item, values, skippable, asks, words, faultAt, upload, onUpload }: Props) {
  const name = `items.${item.position}`;
  const photos = values.images.map((token) => ({
    token,
    src: item.photos.find((photo) => photo.token === token)?.src ?? null,
  }));
  const { promoter, others } = item.fewest_words;
  const hasFault = ["title", "content", "files", "score"].some((part) => faultAt(`${name}.${part}`));
  return (
    <fieldset className="group/item rounded-card border border-line bg-raised p-5 shadow-raised sm:p-7">
      <legend className="sr-only">{item.name}</legend>
      <div className="flex gap-4 sm:gap-6">
        <ItemPicture item={item} />
        <div className="min-w-0 flex-1">
          <p aria-hidden="true" className="mb-1 text-lg font-semibold text-balance wrap-break-word">
            {item.name}
          </p>
          {item.reviewed && <p className="mb-1 text-sm text-muted">{words.edit_note}</p>}
          <StarField
            name={`${name}.score`}
            value={values.score}
            error={faultAt(`${name}.score`)}
            words={words}
            clearable={skippable && !item.reviewed}
          />
          {skippable && !item.reviewed && (
            <label className="mt-1 flex w-fit cursor-pointer items-center gap-2 py-1 text-sm text-muted group-has-[[data-star]:checked]/item:hidden">
              <input type="checkbox" name={`${name}.later`} defaultChecked={values.later} className="size-4" />
              {words.not_yet}
            </label>
          )}
        </div>
      </div>
      <div
        className={clsx(
          "mt-6 flex-col gap-6 border-t pt-6 group-has-[[data-star]:checked]/item:flex",
          hasFault || !skippable ? "flex" : "hidden",
        )}
      >
        <Field
          id={`${name}.content`}
          label={words.content}
          hint={
            promoter === others && others > 0
              ? `${words.content_hint} ${fill(words.content_words, { count: others })}`
              : words.content_hint
          }
          error={faultAt(`${name}.content`)}
        >
          {(wiring) => (
            <TextArea {...wiring} name={`${name}.content`} defaultValue={values.content} className="min-h-36" />
          )}
        </Field>
        <Field id={`${name}.title`} label={`${words.title} (${words.optional})`} error={faultAt(`${name}.title`)}>
          {(wiring) => <Input {...wiring} name={`${name}.title`} defaultValue={values.title} maxLength={255} />}
        </Field>
        {asks.pros_cons && (
          <div className="grid gap-6 sm:grid-cols-2">
            <Points kind="pros" sign="+" name={name} values={values.pros} words={words} faultAt={faultAt} />
            <Points kind="cons" sign="–" name={name} values={values.cons} words={words} faultAt={faultAt} />
          </div>
        )}
        {item.questions.map((question) => (
          <QuestionField
            key={question.id}
            question={question}
            name={`${name}.answers.${question.id}`}
            values={values.answers[question.id] ?? []}
            error={faultAt(`${name}.answers.${question.id}`)}
            optional={words.optional}
          />
        ))}
        {asks.recommended && (
          <Choices
            name={`${name}.recommended`}
            label={words.recommend}
            options={[
              { id: "yes", label: words.yes },
              { id: "no", label: words.no },
            ]}
            values={[values.recommended]}
          />
        )}
        <PhotoField
          name={name}
          photos={photos}
          error={faultAt(`${name}.files`)}
          words={words}
          upload={upload}
          onUpload={onUpload}
        />
      </div>
    </fieldset>
  );
}

function ItemPicture({ item }: { item: FormItem }) {
  const shape = "size-20 shrink-0 overflow-hidden rounded-control sm:size-28";
  if (!item.image_url) {
    return (
      <span
        aria-hidden="true"
        className={clsx(shape, "grid place-items-center bg-sunken text-3xl font-semibold text-muted")}
      >
        {Array.from(item.name)[0]?.toUpperCase()}
      </span>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: the shop's own picture at its own address
    <img
      src={item.image_url}
      alt=""
      width={112}
      height={112}
      referrerPolicy="no-referrer"
      className={clsx(shape, "border border-line bg-white object-contain")}
    />
  );
}

function Points({
  kind,
  sign,
  name,
  values,
  words,
  faultAt,
}: { kind: "pros" | "cons"; sign: string; values: string[] } & Pick<Props, "words" | "faultAt"> & { name: string }) {
  const field = `${name}.${kind}`;
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">
        {words[kind]} <span className="font-normal text-muted">({words.optional})</span>
      </legend>
      {values.map((value, index) => {
        const error = faultAt(`${field}.${index}`);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <div key={index} className="relative">
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
              aria-label={fill(kind === "pros" ? words.pro_line : words.con_line, { number: index + 1 })}
              aria-invalid={error ? true : undefined}
              className="pl-8"
            />
            {error && <p className="mt-1 text-sm font-medium text-bad">{error}</p>}
          </div>
        );
      })}
    </fieldset>
  );
}
