"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "#messages";
import type { ControlProps } from "@/components/settings/fields";
import { languageName } from "@/components/settings/language-name";
import { LinesField } from "@/components/settings/lines-field";
import { issueAt } from "@/components/settings/settings-draft";
import { languageOptions, withText } from "@/components/settings/translated-text-field";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Field, Input, Select } from "@/components/ui/field";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** The types of answers to a question. */
export const answerTypes: { value: CustomQuestion["type"]; label: MessageKey; hint: MessageKey }[] = [
  { value: "select", label: "customQuestions.typeSelect", hint: "customQuestions.typeSelectHint" },
  { value: "score", label: "customQuestions.typeScore", hint: "customQuestions.typeScoreHint" },
  { value: "text", label: "customQuestions.typeText", hint: "customQuestions.typeTextHint" },
];

/** An id made of words: `Fits as expected?` is `fits_as_expected`. */
const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\W_]+/g, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 40);

/** An id that isn't in use yet. */
function uniqueId(baseId: string, usedIds: readonly string[], otherwise: string): string {
  const base = baseId || otherwise;
  if (!usedIds.includes(base)) return base;
  let number = 2;
  while (usedIds.includes(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

/** The store's custom questions of the review form: their content, order and products. */
export function QuestionsEditor({ value, issues, disabled, onChange }: ControlProps) {
  const t = useTranslations();
  const questions = (value ?? []) as CustomQuestion[];
  const [language, setLanguage] = useState("en");
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const labels = questions.flatMap((question) => [question.label, ...question.options.map(({ label }) => label)]);
  const set = (index: number, question: CustomQuestion) =>
    onChange(questions.map((held, at) => (at === index ? question : held)));
  const move = (index: number, by: number) => {
    const moved = [...questions];
    const [movedQuestion] = moved.splice(index, 1);
    if (movedQuestion) moved.splice(index + by, 0, movedQuestion);
    onChange(moved);
  };
  const add = () => {
    const id = uniqueId(
      "",
      questions.map((one) => one.id),
      "question",
    );
    setFresh(new Set([...fresh, id]));
    onChange([
      ...questions,
      { id, type: "select", multiple: false, required: false, categories: [], options: [], label: {} },
    ]);
  };
  return (
    <div className="flex flex-col gap-4">
      {questions.length > 0 && (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          <label htmlFor="questions-language">{t("customQuestions.textsIn")}</label>
          <Select id="questions-language" compact value={language} onChange={({ target }) => setLanguage(target.value)}>
            {languageOptions(Object.assign({}, ...labels)).map((code) => (
              <option key={code} value={code}>
                {languageName(code, t.language)}
              </option>
            ))}
          </Select>
          <span className="text-muted">{t("customQuestions.languageHint")}</span>
        </div>
      )}
      <ol className="flex flex-col gap-4">
        {questions.map((question, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the id is edited here; using it as the key would lose focus
            key={index}
            className="rounded-card border border-line p-4 sm:p-5"
          >
            <Question
              question={question}
              index={index}
              language={language}
              isNew={fresh.has(question.id)}
              usedIds={questions.filter((_, at) => at !== index).map(({ id }) => id)}
              issueOf={(place) => issueAt(issues, `custom_questions[${index}]${place}`)}
              onChange={(next) => {
                if (fresh.has(question.id) && next.id !== question.id) setFresh(new Set([...fresh, next.id]));
                set(index, next);
              }}
            />
            <div className="mt-4 flex gap-1 border-t border-line pt-3">
              <Button
                variant="quiet"
                size="small"
                disabled={disabled || index === 0}
                aria-label={t("customQuestions.moveUp", {
                  number: index + 1,
                })}
                onClick={() => move(index, -1)}
              >
                <ArrowUp aria-hidden="true" className="size-4" />
              </Button>
              <Button
                variant="quiet"
                size="small"
                disabled={disabled || index === questions.length - 1}
                aria-label={t("customQuestions.moveDown", {
                  number: index + 1,
                })}
                onClick={() => move(index, 1)}
              >
                <ArrowDown aria-hidden="true" className="size-4" />
              </Button>
              <Button
                variant="quiet"
                size="small"
                className="ml-auto"
                disabled={disabled}
                onClick={() => onChange(questions.filter((_, at) => at !== index))}
              >
                <Trash2 aria-hidden="true" className="size-4" />
                {t("common.remove")}
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {questions.length === 0 && (
        <div className="rounded-card border border-dashed border-line">
          <EmptyState title={t("customQuestions.emptyTitle")}>{t("customQuestions.emptyText")}</EmptyState>
        </div>
      )}
      <div>
        <Button onClick={add} disabled={disabled || questions.length >= 50}>
          <Plus aria-hidden="true" className="size-4" />
          {t("customQuestions.add")}
        </Button>
      </div>
    </div>
  );
}

type QuestionProps = {
  question: CustomQuestion;
  index: number;
  language: string;
  /** not saved yet: its id may still follow its text */
  isNew: boolean;
  usedIds: string[];
  issueOf: (place: string) => string | undefined;
  onChange: (question: CustomQuestion) => void;
};

function Question({ question, index, language, isNew, usedIds, issueOf, onChange }: QuestionProps) {
  const t = useTranslations();
  const id = (part: string) => `question-${index}-${part}`;
  const type = answerTypes.find(({ value }) => value === question.type);
  return (
    <div className="flex flex-col gap-4">
      <Field
        id={id("label")}
        label={t("customQuestions.questionNumber", { number: index + 1 })}
        error={issueOf(".label") ?? issueOf(".id")}
      >
        {(wiring) => (
          <Input
            {...wiring}
            lang={language}
            value={question.label[language] ?? ""}
            placeholder={Object.values(question.label)[0] ?? t("customQuestions.questionPlaceholder")}
            onChange={({ target }) => {
              const label = withText(question.label, language, target.value);
              onChange({
                ...question,
                label,
                ...(isNew && { id: uniqueId(slug(Object.values(label)[0] ?? ""), usedIds, "question") }),
              });
            }}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field id={id("type")} label={t("customQuestions.answerType")} hint={type && t(type.hint)}>
          {(wiring) => (
            <Select
              {...wiring}
              value={question.type}
              onChange={({ target }) =>
                onChange({
                  ...question,
                  type: target.value as CustomQuestion["type"],
                  options: target.value === "select" ? question.options : [],
                  multiple: target.value === "select" && question.multiple,
                })
              }
            >
              {answerTypes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {t(label)}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <LinesField
          id={id("categories")}
          label={t("customQuestions.categories")}
          hint={t("customQuestions.categoriesHint")}
          value={question.categories}
          onChange={(categories) => onChange({ ...question, categories })}
        />
      </div>
      {question.type === "select" && (
        <Options
          id={id("options")}
          options={question.options}
          language={language}
          error={issueOf(".options")}
          onChange={(options) => onChange({ ...question, options })}
        />
      )}
      <div className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4"
            checked={question.required}
            onChange={({ target }) => onChange({ ...question, required: target.checked })}
          />
          {t("customQuestions.required")}
        </label>
        {question.type === "select" && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4"
              checked={question.multiple}
              onChange={({ target }) => onChange({ ...question, multiple: target.checked })}
            />
            {t("customQuestions.multiple")}
          </label>
        )}
        <span className="ml-auto text-muted">
          {t.rich("customQuestions.apiName", {
            name: <code className="font-mono text-ink">{question.name ?? question.id}</code>,
          })}
        </span>
      </div>
    </div>
  );
}

type Option = CustomQuestion["options"][number];
type OptionsProps = {
  id: string;
  options: Option[];
  language: string;
  error: string | undefined;
  onChange: (options: Option[]) => void;
};

/**
 * The options of a choice. An option's id is made of its first text and doesn't change, because answers refer to it.
 */
function Options({ id, options, language, error, onChange }: OptionsProps) {
  const t = useTranslations();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t("customQuestions.answers")}</legend>
      <ul className="flex flex-col gap-2">
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an option keeps its position while typing
          <li key={index} className="flex gap-2">
            <Input
              lang={language}
              aria-label={t("customQuestions.answerNumber", { number: index + 1 })}
              value={option.label[language] ?? ""}
              placeholder={Object.values(option.label)[0] ?? option.id}
              onChange={({ target }) =>
                onChange(
                  options.map((held, at) =>
                    at === index ? { ...held, label: withText(held.label, language, target.value) } : held,
                  ),
                )
              }
            />
            <Button
              variant="quiet"
              size="icon"
              aria-label={t("customQuestions.removeAnswer", { number: index + 1 })}
              onClick={() => onChange(options.filter((_, at) => at !== index))}
            >
              <Trash2 aria-hidden="true" className="size-4" />
            </Button>
          </li>
        ))}
      </ul>
      {error && <p className="mt-1.5 text-sm font-medium text-bad">{error}</p>}
      <NewOption id={id} language={language} options={options} onAdd={(option) => onChange([...options, option])} />
    </fieldset>
  );
}

type NewOptionProps = { id: string; language: string; options: Option[]; onAdd: (option: Option) => void };

function NewOption({ id, language, options, onAdd }: NewOptionProps) {
  const t = useTranslations();
  const [text, setText] = useState("");
  const add = () => {
    if (text.trim() === "") return;
    onAdd({
      id: uniqueId(
        slug(text),
        options.map((one) => one.id),
        "answer",
      ),
      label: { [language]: text.trim() },
    });
    setText("");
  };
  return (
    <div className="mt-2 flex gap-2">
      <Input
        id={id}
        lang={language}
        aria-label={t("customQuestions.addAnswer")}
        placeholder={t("customQuestions.addAnswer")}
        value={text}
        maxLength={500}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          add();
        }}
      />
      <Button onClick={add} disabled={text.trim() === ""}>
        {t("common.add")}
      </Button>
    </div>
  );
}
