import type { WidgetForm } from "../schema";
import { STAR } from "../views";
import type { h as make } from "./dom";
import { pageUrl } from "./page-url";
import type { settings as Settings, views as Views } from "./service";

// The forms for reviews and questions: a separate module, loaded when a visitor opens one.

/** Shared code of the page's script, so that this module needn't include it again. */
type FormTools = { h: typeof make; settings: typeof Settings; views: typeof Views };

type Issue = { field: string | null };
/** A form field: its input, and where its error is shown. */
type FormField = { field: string; element: HTMLElement; control: HTMLElement; wrong: HTMLElement };

/** The server leaves one placeholder in a text: the photo's file name. */
const withFileName = (text: string, { name }: File) => text.replace(/{\w+}/, () => name);

let ids = 0;
let sheet: CSSStyleSheet | undefined;

/**
 * Renders the form in an open dialog. Exported as `fillIn`, the name that scripts of the last release load: a page that is
 * open during an upgrade has the old script and gets the new form.
 */
export function fillIn(
  { h, settings, views }: FormTools,
  box: HTMLDialogElement,
  content: WidgetForm,
  kind: "review" | "question",
): void {
  const { words, question_words: questionWords } = content;
  const { t } = views;
  addStyles(box);
  const isReview = kind === "review";
  const parts: FormField[] = [];
  const optional = (label: string) => `${label} (${words.optional})`;
  const required = content.email_required;

  /** Adds a control with its label and a place for its error. */
  function addField(
    field: string,
    label: string,
    control: HTMLElement,
    hint?: string | null,
    group = false,
  ): HTMLElement {
    ids += 1;
    const error = h("span", { class: "wrong", id: `wrong-${ids}` });
    const below = [hint && h("span", { class: "hint", id: `hint-${ids}` }, hint), error];
    const element = group
      ? h("fieldset", { class: "field" }, h("legend", null, label), control, below)
      : h("div", { class: "field" }, h("label", null, label && h("span", null, label), control), below);
    // For several controls the group is described; a checkbox is inside a wrapper.
    const described = group ? element : control.matches("span") ? control.firstElementChild : control;
    described?.setAttribute("aria-describedby", `hint-${ids} wrong-${ids}`);
    parts.push({ field, element, control, wrong: error });
    return element;
  }
  const line = (name: string, attributes = {}) => h("input", { name, maxlength: 255, ...attributes });
  const area = (name: string, rows: number, maxlength = 60000) => h("textarea", { name, rows, maxlength });
  const choices = (name: string, type: "radio" | "checkbox", options: { id: string; label: string }[]) =>
    h(
      "div",
      null,
      options.map(({ id, label }) =>
        h("label", { class: "option" }, h("input", { type, name, value: id }), h("span", null, label)),
      ),
    );
  const stars = (name: string, labelOf?: (score: 1 | 2 | 3 | 4 | 5) => string) => {
    const scoreHint = h("span", { class: "hint", "aria-hidden": "true" });
    return h(
      "div",
      { class: "pick" },
      ([1, 2, 3, 4, 5] as const).map((score) =>
        h(
          "label",
          null,
          h("input", {
            type: "radio",
            name,
            value: score,
            "aria-label": [t("stars", { n: score }), labelOf?.(score)].filter(Boolean).join(" – "),
            onchange: () => {
              scoreHint.textContent = labelOf?.(score) ?? "";
            },
          }),
          h("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, h("path", { d: STAR })),
        ),
      ),
      scoreHint,
    );
  };
  const questions = isReview ? content.questions : [];
  const questionFields = questions.map(({ id, label, type, multiple, options, required: isRequired }) =>
    addField(
      `custom_questions.${id}`,
      isRequired ? label : optional(label),
      type === "score"
        ? stars(`q-${id}`)
        : type === "text"
          ? area(`q-${id}`, 2, 2000)
          : choices(`q-${id}`, multiple ? "checkbox" : "radio", options),
      null,
      type !== "text",
    ),
  );
  const photos = photoPart();
  const email = addField(
    "author_email",
    required ? words.email : optional(words.email),
    line("author_email", { type: "email", maxlength: 320, autocomplete: "email", class: "short" }),
    required
      ? (isReview ? words : questionWords).email_required_hint
      : isReview
        ? words.email_optional_hint
        : questionWords.email_hint,
  );
  const who = addField(
    "author",
    (isReview ? words : questionWords).author,
    line("author", { autocomplete: "nickname", class: "short" }),
  );
  const send = h("button", { class: "primary" }, (isReview ? words : questionWords).send);
  const status = h("p", { class: "wrong", role: "alert" });
  const { terms } = content;
  const yesNo = [
    { id: "yes", label: words.yes },
    { id: "no", label: words.no },
  ];
  const form = h(
    "form",
    { class: "form", novalidate: true, onsubmit: submit },
    isReview
      ? [
          addField(
            "score",
            words.rating,
            stars("score", (score) => words[`star_${score}`]),
            null,
            true,
          ),
          addField("title", optional(words.title), line("title")),
          addField(
            "content",
            words.content,
            area("content", 5),
            content.fewest_words ? words.content_words : words.content_hint,
          ),
          content.asks_points && [
            addField("pros", optional(words.pros), area("pros", 2, 20000)),
            addField("cons", optional(words.cons), area("cons", 2, 20000)),
          ],
          content.asks_recommended &&
            addField("recommended", optional(words.recommend), choices("recommended", "radio", yesNo), null, true),
          questionFields,
          photos.element,
          who,
          email,
        ]
      : [
          addField("question", questionWords.question, line("question"), questionWords.question_hint),
          addField("details", optional(questionWords.details), area("details", 4), questionWords.details_hint),
          who,
          email,
          h(
            "label",
            { class: "option" },
            h("input", { type: "checkbox", name: "mail_answer" }),
            h("span", null, questionWords.mail_answer),
          ),
        ],
    terms && [
      terms.text && h("div", { class: "terms", tabindex: 0 }, terms.text),
      terms.url &&
        h("p", null, h("a", { href: terms.url, target: "_blank", rel: "noopener noreferrer" }, words.terms_link)),
      addField(
        "terms",
        "",
        h("span", { class: "option" }, h("input", { type: "checkbox", name: "terms" }), h("span", null, words.terms)),
      ),
    ],
    status,
    send,
  ) as HTMLFormElement;
  box.append(
    h("h2", null, (isReview ? words : questionWords).heading),
    h(
      "p",
      { class: "hint" },
      [content.product.name, isReview ? words.intro_web : questionWords.intro].filter(Boolean).join(" · "),
    ),
    form,
  );

  function photoPart() {
    const uploads: Promise<unknown>[] = [];
    const thumbs = h("div", { class: "thumbs" });
    const input = h("input", {
      type: "file",
      multiple: true,
      accept: "image/*",
      onchange: () => {
        for (const file of input.files ?? []) uploads.push(upload(file));
        input.value = "";
      },
    }) as HTMLInputElement;
    const element = addField("images", optional(words.photos), input, words.photos_hint);
    element.append(thumbs);
    const issue = parts.at(-1)?.wrong as HTMLElement;
    async function upload(file: File) {
      issue.textContent = "";
      if (thumbs.childElementCount >= 10) {
        issue.textContent = words.fault_photos_many;
        return;
      }
      const canvas = h("canvas", { width: 144, height: 144 }) as HTMLCanvasElement;
      const remove = h(
        "button",
        {
          type: "button",
          class: "thumb",
          "aria-label": withFileName(words.photo_remove, file),
          onclick: (event) => {
            event.preventDefault();
            remove.remove();
          },
        },
        canvas,
      );
      remove.ariaBusy = "true";
      thumbs.append(remove);
      const body = new FormData();
      for (const [name, value] of Object.entries({ client_id: settings.client, api_key: content.api_key, file }))
        body.append(name, value);
      try {
        // Drawn on a canvas instead of an image URL: a page's policy may allow images only from listed servers.
        const picture = await createImageBitmap(file).catch(() => null);
        if (picture) {
          const side = Math.min(picture.width, picture.height);
          const [x, y] = [(picture.width - side) / 2, (picture.height - side) / 2];
          canvas.getContext("2d")?.drawImage(picture, x, y, side, side, 0, 0, 144, 144);
        }
        const answer = await fetch(`${settings.origin}/uploader`, { method: "POST", credentials: "omit", body });
        if (!answer.ok) throw new Error(`${answer.status}`);
        remove.dataset.token = ((await answer.json()) as { token: string }).token;
        remove.ariaBusy = null;
      } catch (error) {
        remove.remove();
        const text = `${error}`.includes("413") ? words.fault_photo_size : words.fault_photo;
        issue.textContent = withFileName(text, file);
      }
    }
    const tokens = async () => {
      await Promise.all(uploads);
      return [...thumbs.children].flatMap(({ dataset }: HTMLElement | (Element & { dataset?: DOMStringMap })) =>
        dataset?.token ? [{ token: dataset.token }] : [],
      );
    };
    return { element, tokens };
  }

  async function submit(event: Event) {
    event.preventDefault();
    if (send.ariaDisabled === "true") return;
    send.ariaDisabled = "true";
    send.textContent = words.sending;
    try {
      const body = await bodyOf();
      const missing = findMissing(body);
      if (missing.length > 0) return showIssues(missing, body);
      const answer = await fetch(`${settings.origin}/collect/${kind}s`, {
        method: "POST",
        credentials: "omit",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
      });
      if (answer.ok) return showThanks(body);
      const { errors } = (await answer.json()) as { errors: Issue[] };
      showIssues(answer.status === 406 ? errors : [], body);
    } catch {
      showIssues([], {});
    } finally {
      send.ariaDisabled = null;
      send.textContent = (isReview ? words : questionWords).send;
    }
  }

  async function bodyOf(): Promise<Record<string, unknown>> {
    const data = new FormData(form);
    const text = (name: string) => `${data.get(name) ?? ""}`.trim();
    const lines = (name: string) =>
      text(name)
        .split("\n")
        .map((line) => line.trim())
        .filter(Boolean);
    const common = {
      client_id: settings.client,
      api_key: content.api_key,
      product_id: content.product.id,
      product_site_id: content.product.family_id,
      product_name: content.product.name,
      product_url: pageUrl(location),
      author: text("author"),
      author_email: text("author_email"),
      terms: data.has("terms"),
    };
    if (!isReview)
      return {
        ...common,
        question: text("question"),
        details: text("details"),
        mail_answer: `${data.has("mail_answer")}`,
      };
    const answers = questions.flatMap(({ id, type, multiple }): [string, unknown][] => {
      const values = data.getAll(`q-${id}`).map((value) => `${value}`.trim());
      if (!values[0]) return [];
      return [[id, type === "score" ? Number(values[0]) : multiple ? values : values[0]]];
    });
    return {
      ...common,
      score: Number(text("score")) || undefined,
      title: text("title"),
      content: text("content"),
      pros: lines("pros"),
      cons: lines("cons"),
      recommended: text("recommended") ? text("recommended") === "yes" : null,
      custom_questions: Object.fromEntries(answers),
      images: await photos.tokens(),
    };
  }

  /** Finds issues without a request. */
  function findMissing(body: Record<string, unknown>): Issue[] {
    const needs = isReview ? ["score", "author"] : ["question", "author"];
    if (required || body.mail_answer === "true") needs.push("author_email");
    if (terms) needs.push("terms");
    const answers = (body.custom_questions ?? {}) as Record<string, unknown>;
    const unanswered = questions.filter((one) => one.required && answers[one.id] === undefined);
    return [...needs.filter((field) => !body[field]), ...unanswered.map(({ id }) => `custom_questions.${id}`)].map(
      (field) => ({ field }),
    );
  }

  /** Shows each issue at its field, in the visitor's language, and focuses the first. */
  function showIssues(issues: Issue[], body: Record<string, unknown>) {
    for (const { field, control, wrong } of parts) {
      const issue = issues.some((one) => one.field === field || one.field?.startsWith(`${field}[`));
      for (const input of [control, ...control.querySelectorAll("input")])
        if (input.matches("input,textarea")) input.ariaInvalid = issue ? "true" : null;
      wrong.textContent = issue ? issueText(field, body) : "";
    }
    const first = form.querySelector<HTMLElement>('[aria-invalid="true"]');
    status.textContent = first ? "" : words.fault_busy;
    first?.focus();
  }

  function issueText(field: string, body: Record<string, unknown>): string {
    if (field === "content" && content.fewest_words) return words.fault_words;
    if (field === "score") return words.fault_score;
    if (field === "author") return words.fault_author;
    if (field === "author_email") return words.fault_email;
    if (field === "terms") return words.fault_terms;
    if (field === "question") return questionWords.fault_question;
    if (field === "images") return words.fault_photo_gone;
    const answers = body.custom_questions as Record<string, unknown> | undefined;
    return answers && field.startsWith("custom_questions.") && !(field.slice(17) in answers)
      ? words.fault_required
      : words.fault_check;
  }

  function showThanks(body: Record<string, unknown>) {
    const heading = h("h2", { tabindex: -1 }, words.thanks_heading);
    const texts = isReview
      ? [words.thanks_one, content.verifies ? words.thanks_confirm : words.thanks_next]
      : [
          questionWords.sent,
          content.verifies ? questionWords.sent_confirm : questionWords.sent_next,
          body.mail_answer === "true" && questionWords.sent_mail,
        ];
    form.previousElementSibling?.remove();
    form.previousElementSibling?.remove();
    form.replaceWith(
      h(
        "div",
        { class: "form" },
        heading,
        h("p", null, texts.filter(Boolean).join(" ")),
        h("button", { type: "button", class: "primary", onclick: () => box.close() }, t("close")),
      ),
    );
    heading.focus();
  }
}

/** Adds the forms' styles to the shadow tree of the dialog. */
function addStyles(box: HTMLElement): void {
  const root = box.getRootNode() as ShadowRoot;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(__FORM_STYLES__);
  }
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
