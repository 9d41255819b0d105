"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useWords } from "#words";
import type { ControlProps } from "@/components/settings/fields";
import { languageName } from "@/components/settings/language-name";
import { Lines } from "@/components/settings/lines";
import { issueAt } from "@/components/settings/model";
import { offered, withText } from "@/components/settings/texts";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Field, Input, Select } from "@/components/ui/field";
import type { CustomQuestion } from "@/lib/accounts/stores/settings";

/** How a question may be answered. */
export const answerTypes: { value: CustomQuestion["type"]; label: string; hint: string }[] = [
  { value: "select", label: "A choice", hint: "Customers pick from your answers; shares are shown in the shop." },
  { value: "score", label: "A score", hint: "One to five; the average is shown in the shop." },
  { value: "text", label: "A short text", hint: "Up to 2,000 characters, moderated like the review." },
];

/** An id made of words: `Fits as expected?` is `fits_as_expected`. */
const slug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[\W_]+/g, "_")
    .replace(/^_|_$/g, "")
    .slice(0, 40);

/** An id that no other has yet. */
function unused(wanted: string, taken: readonly string[], otherwise: string): string {
  const base = wanted || otherwise;
  if (!taken.includes(base)) return base;
  let number = 2;
  while (taken.includes(`${base}_${number}`)) number += 1;
  return `${base}_${number}`;
}

/** The shop's own questions in the review form: what they are, in which order, and for which products. */
export default function QuestionsEditor({ value, issues, disabled, onChange }: ControlProps) {
  const t = useWords();
  const questions = (value ?? []) as CustomQuestion[];
  const [language, setLanguage] = useState("en");
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const labels = questions.flatMap((question) => [question.label, ...question.options.map(({ label }) => label)]);
  const set = (index: number, question: CustomQuestion) =>
    onChange(questions.map((held, at) => (at === index ? question : held)));
  const move = (index: number, by: number) => {
    const moved = [...questions];
    const [taken] = moved.splice(index, 1);
    if (taken) moved.splice(index + by, 0, taken);
    onChange(moved);
  };
  const add = () => {
    const id = unused(
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
          <label htmlFor="questions-language">{t("Words in")}</label>
          <Select id="questions-language" compact value={language} onChange={({ target }) => setLanguage(target.value)}>
            {offered(Object.assign({}, ...labels)).map((code) => (
              <option key={code} value={code}>
                {languageName(code, t.locale)}
              </option>
            ))}
          </Select>
          <span className="text-muted">
            {t("Where a language has no words, those of your shop’s language are shown.")}
          </span>
        </div>
      )}
      <ol className="flex flex-col gap-4">
        {questions.map((question, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the id is what is being typed, and would take the focus along
            key={index}
            className="rounded-card border border-line p-4 sm:p-5"
          >
            <Question
              question={question}
              index={index}
              language={language}
              isNew={fresh.has(question.id)}
              taken={questions.filter((_, at) => at !== index).map(({ id }) => id)}
              issueOf={(place) => issueAt(issues, `custom_questions[${index}]${place}`)}
              onChange={(next) => {
                if (fresh.has(question.id) && next.id !== question.id) setFresh(new Set([...fresh, next.id]));
                set(index, next);
              }}
            />
            <div className="mt-4 flex gap-1 border-t border-line pt-3">
              <Button
                look="quiet"
                size="small"
                disabled={disabled || index === 0}
                aria-label={t("Move question {number} up", {
                  number: index + 1,
                })}
                onClick={() => move(index, -1)}
              >
                <ArrowUp aria-hidden="true" className="size-4" />
              </Button>
              <Button
                look="quiet"
                size="small"
                disabled={disabled || index === questions.length - 1}
                aria-label={t("Move question {number} down", {
                  number: index + 1,
                })}
                onClick={() => move(index, 1)}
              >
                <ArrowDown aria-hidden="true" className="size-4" />
              </Button>
              <Button
                look="quiet"
                size="small"
                className="ml-auto"
                disabled={disabled}
                onClick={() => onChange(questions.filter((_, at) => at !== index))}
              >
                <Trash2 aria-hidden="true" className="size-4" />
                {t("Remove")}
              </Button>
            </div>
          </li>
        ))}
      </ol>
      {questions.length === 0 && (
        <div className="rounded-card border border-dashed border-line">
          <EmptyState title={t("No question of your own yet")}>
            {t("Ask what helps the next customer choose: how it fits, how loud it is, for whom it was bought.")}
          </EmptyState>
        </div>
      )}
      <div>
        <Button onClick={add} disabled={disabled || questions.length >= 50}>
          <Plus aria-hidden="true" className="size-4" />
          {t("Add a question")}
        </Button>
      </div>
    </div>
  );
}

type QuestionProps = {
  question: CustomQuestion;
  index: number;
  language: string;
  /** never saved: its id may still follow its words */
  isNew: boolean;
  taken: string[];
  issueOf: (place: string) => string | undefined;
  onChange: (question: CustomQuestion) => void;
};

function Question({ question, index, language, isNew, taken, issueOf, onChange }: QuestionProps) {
  const t = useWords();
  const id = (part: string) => `question-${index}-${part}`;
  const type = answerTypes.find(({ value }) => value === question.type);
  return (
    <div className="flex flex-col gap-4">
      <Field
        id={id("label")}
        label={t("Question {number}", { number: index + 1 })}
        error={issueOf(".label") ?? issueOf(".id")}
      >
        {(wiring) => (
          <Input
            {...wiring}
            lang={language}
            value={question.label[language] ?? ""}
            placeholder={Object.values(question.label)[0] ?? t("How does it fit?")}
            onChange={({ target }) => {
              const label = withText(question.label, language, target.value);
              onChange({
                ...question,
                label,
                ...(isNew && { id: unused(slug(Object.values(label)[0] ?? ""), taken, "question") }),
              });
            }}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field id={id("type")} label={t("Answered by")} hint={type && t(type.hint)}>
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
        <Lines
          id={id("categories")}
          label={t("Only for these categories")}
          hint={t("As your feed writes them, one a line. None: every product.")}
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
          {t("Must be answered")}
        </label>
        {question.type === "select" && (
          <label className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-4"
              checked={question.multiple}
              onChange={({ target }) => onChange({ ...question, multiple: target.checked })}
            />
            {t("Several answers may be picked")}
          </label>
        )}
        <span className="ml-auto text-muted">
          {t.rich("In the API: {name}", {
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

/** The answers of a choice. The id of one is made of its first words and stays, since answers are kept by it. */
function Options({ id, options, language, error, onChange }: OptionsProps) {
  const t = useWords();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t("Answers to pick from")}</legend>
      <ul className="flex flex-col gap-2">
        {options.map((option, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an option keeps its place while it is typed
          <li key={index} className="flex gap-2">
            <Input
              lang={language}
              aria-label={t("Answer {number}", { number: index + 1 })}
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
              look="quiet"
              size="icon"
              aria-label={t("Remove answer {number}", { number: index + 1 })}
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
  const t = useWords();
  const [text, setText] = useState("");
  const add = () => {
    if (text.trim() === "") return;
    onAdd({
      id: unused(
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
        aria-label={t("Another answer")}
        placeholder={t("Another answer")}
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
        {t("Add")}
      </Button>
    </div>
  );
}
