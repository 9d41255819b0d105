"use client";

import clsx from "clsx";
import { Plus } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslations } from "#messages";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { controlClass } from "@/components/ui/field-frame";
import { Menu, MenuItem } from "@/components/ui/menu";
import { type Placeholder, placeholderText, textParts } from "@/lib/invitations/template-blocks/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";

/** The names of placeholders. */
export const placeholderNames: Record<Placeholder, MessageKey> = {
  customer_name: "templates.chipCustomer",
  client_name: "templates.chipStore",
  product_name: "templates.chipProduct",
  subject: "templates.chipSubject",
  greeting: "templates.chipGreeting",
  heading: "templates.chipHeading",
  intro: "templates.chipIntro",
  write_label: "templates.chipButton",
};

const chipClass =
  "mx-px inline-block rounded-[0.35rem] border border-line bg-sunken px-1.5 text-sm leading-5 font-medium text-ink";

type Props = {
  id: string;
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** with `{{ name }}` for placeholders */
  value: string;
  /** placeholders to offer */
  names: readonly Placeholder[];
  multiline?: boolean;
  disabled: boolean;
  onChange: (value: string) => void;
};

/** A text with placeholders, which are shown as chips and inserted from a menu. */
export function ChipsField({ id, label, hint, error, value, names, multiline = false, disabled, onChange }: Props) {
  const t = useTranslations();
  const box = useRef<HTMLDivElement>(null);
  /** the text in the box: it is only drawn again if another one is given */
  const drawn = useRef<string | null>(null);
  // Rendered once, on the server; afterwards the browser edits the box.
  const [firstParts] = useState(() =>
    textParts(value).map((part) =>
      "literal" in part ? (
        part.literal
      ) : (
        <span
          key={part.placeholder}
          contentEditable={false}
          suppressContentEditableWarning
          data-placeholder={part.placeholder}
          className={chipClass}
        >
          {t(placeholderNames[part.placeholder])}
        </span>
      ),
    ),
  );
  /** where to insert a placeholder once the box has lost the focus to the menu */
  const caret = useRef<Range | null>(null);
  /** whether an entry of the menu was inserted, after which the caret is in the box */
  const inserted = useRef(false);
  const nameOf = useCallback((name: Placeholder) => t(placeholderNames[name]), [t]);

  useEffect(() => {
    if (!box.current || drawn.current === value) return;
    draw(box.current, value, nameOf);
    drawn.current = value;
    caret.current = null;
  }, [value, nameOf]);

  const read = useCallback(
    (isComposing = false) => {
      if (!box.current) return;
      // An input method loses its text if the nodes around it change.
      if (!isComposing) tidy(box.current);
      const text = textOf(box.current, multiline);
      drawn.current = text;
      onChange(text);
    },
    [multiline, onChange],
  );

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    // Only text gets in: no formatting, and nothing else that is pasted or dropped. React has no such event.
    const filter = (event: InputEvent) => {
      const { inputType } = event;
      if (inputType === "deleteContentBackward" || inputType === "deleteContentForward") {
        const beside = chipBesideCaret(inputType === "deleteContentBackward" ? "before" : "after");
        if (!beside || !element.contains(beside)) return;
        event.preventDefault();
        removeChip(element, beside);
        read();
        return;
      }
      const isNewline = inputType === "insertParagraph" || inputType === "insertLineBreak";
      const isTransfer = inputType === "insertFromPaste" || inputType === "insertFromDrop";
      if (!isNewline && !isTransfer && !inputType.startsWith("format")) return;
      event.preventDefault();
      const given = isTransfer ? (event.dataTransfer?.getData("text/plain") ?? "") : isNewline ? "\n" : "";
      const text = multiline ? given.replaceAll("\r\n", "\n") : isTransfer ? given.replace(/\s+/g, " ") : "";
      if (text === "") return;
      const place = event.getTargetRanges()[0];
      const range = document.createRange();
      if (place) {
        range.setStart(place.startContainer, place.startOffset);
        range.setEnd(place.endContainer, place.endOffset);
      } else range.selectNodeContents(element);
      insertAt(element, range, document.createTextNode(text));
      read();
    };
    const leaveChip = ({ target }: MouseEvent) => {
      if (target instanceof HTMLElement && isChip(target)) caretBehind(target);
    };
    element.addEventListener("beforeinput", filter);
    element.addEventListener("click", leaveChip);
    return () => {
      element.removeEventListener("beforeinput", filter);
      element.removeEventListener("click", leaveChip);
    };
  }, [multiline, read]);

  const insert = (name: Placeholder) => {
    const element = box.current;
    if (!element) return;
    const range = caret.current ?? document.createRange();
    if (!caret.current) {
      range.selectNodeContents(element);
      range.collapse(false);
    }
    caret.current = insertAt(element, range, chip(name, nameOf(name)));
    inserted.current = true;
    read();
  };
  const stayInBox = (event: Event) => {
    if (!inserted.current || !box.current || !caret.current) return;
    inserted.current = false;
    event.preventDefault();
    setCaret(box.current, caret.current);
  };

  const keepCaret = () => {
    const selection = getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    if (range && box.current?.contains(range.commonAncestorContainer)) caret.current = range.cloneRange();
    // Placeholders that were typed or pasted.
    const chips = textParts(value).filter((part) => "placeholder" in part).length;
    if (!box.current || box.current.querySelectorAll("[data-placeholder]").length === chips) return;
    draw(box.current, value, nameOf);
    caret.current = null;
  };

  return (
    <Field
      id={id}
      label={label}
      hint={hint}
      error={error}
      aside={
        !disabled && (
          <Menu
            label={t("templates.insertInto", { field: label })}
            onCloseAutoFocus={stayInBox}
            trigger={
              <Button variant="quiet" size="small" aria-label={t("templates.insertInto", { field: label })}>
                <Plus aria-hidden="true" className="size-3.5" />
                {t("templates.insert")}
              </Button>
            }
          >
            {names.map((name) => (
              <MenuItem key={name} onSelect={() => insert(name)}>
                <button type="button">{nameOf(name)}</button>
              </MenuItem>
            ))}
          </Menu>
        )
      }
    >
      {(wiring) => (
        // biome-ignore lint/a11y/useSemanticElements: an input can't contain chips
        <div
          {...wiring}
          ref={box}
          role="textbox"
          tabIndex={disabled ? undefined : 0}
          aria-label={label}
          aria-multiline={multiline}
          aria-disabled={disabled || undefined}
          contentEditable={!disabled}
          suppressContentEditableWarning
          onInput={({ nativeEvent }) => read(nativeEvent instanceof InputEvent && nativeEvent.isComposing)}
          onCompositionEnd={() => read()}
          onBlur={keepCaret}
          className={clsx(
            controlClass,
            "w-full py-2 leading-6 break-words whitespace-pre-wrap aria-disabled:opacity-60",
            multiline ? "min-h-24" : "min-h-10",
          )}
        >
          {firstParts}
          <br />
        </div>
      )}
    </Field>
  );
}

function chip(name: Placeholder, label: string): HTMLElement {
  const element = document.createElement("span");
  element.contentEditable = "false";
  element.dataset.placeholder = name;
  element.className = chipClass;
  element.textContent = label;
  return element;
}

const isChip = (node: Node | null): node is HTMLElement =>
  node instanceof HTMLElement && node.dataset.placeholder !== undefined;

// Browsers put the caret inside a chip if there is no text beside it, where nothing can be typed. A space without width
// is such a text.
const GAP = "\u200b";
const withoutGaps = (text: string): string => text.replaceAll(GAP, "");

function draw(box: HTMLElement, value: string, nameOf: (name: Placeholder) => string): void {
  box.replaceChildren(
    ...textParts(value).map((part) =>
      "literal" in part ? document.createTextNode(part.literal) : chip(part.placeholder, nameOf(part.placeholder)),
    ),
    // Browsers don't show a line break at the very end.
    document.createElement("br"),
  );
  tidy(box);
}

/** Makes sure that there is text on both sides of each chip, and no gap elsewhere. The caret stays where it is. */
function tidy(box: HTMLElement): void {
  box.normalize();
  for (const node of [...box.childNodes]) {
    if (!(node instanceof Text) || !node.data.includes(GAP)) continue;
    const isNeeded = withoutGaps(node.data) === "" && (isChip(node.previousSibling) || isChip(node.nextSibling));
    // Deleting characters one by one keeps the caret, which setting the text would not.
    for (let at = node.data.lastIndexOf(GAP); at >= (isNeeded ? 1 : 0); at = node.data.lastIndexOf(GAP))
      node.deleteData(at, 1);
    if (node.data === "") node.remove();
  }
  for (const node of [...box.childNodes]) {
    if (!isChip(node)) continue;
    if (!(node.previousSibling instanceof Text)) node.before(GAP);
    if (!(node.nextSibling instanceof Text)) node.after(GAP);
  }
  const selection = getSelection();
  if (!selection?.isCollapsed || !selection.anchorNode || !box.contains(selection.anchorNode)) return;
  const around = selection.anchorNode.parentElement?.closest<HTMLElement>("[data-placeholder]");
  const before = selection.anchorNode === box ? (box.childNodes[selection.anchorOffset - 1] ?? null) : null;
  if (around) caretBehind(around);
  else if (isChip(before)) caretBehind(before);
}

function caretBehind(element: HTMLElement): void {
  const { nextSibling } = element;
  if (nextSibling instanceof Text) getSelection()?.collapse(nextSibling, nextSibling.data.startsWith(GAP) ? 1 : 0);
}

/** The chip that is next to the caret, if only a gap is between them. */
function chipBesideCaret(side: "before" | "after"): HTMLElement | null {
  const selection = getSelection();
  const node = selection?.anchorNode;
  if (!selection?.isCollapsed || !node) return null;
  const around = node.parentElement?.closest<HTMLElement>("[data-placeholder]");
  if (around) return around;
  const { anchorOffset: at } = selection;
  let beside: Node | null;
  if (node instanceof Text) {
    const between = side === "before" ? node.data.slice(0, at) : node.data.slice(at);
    if (withoutGaps(between) !== "") return null;
    beside = side === "before" ? node.previousSibling : node.nextSibling;
  } else {
    beside = node.childNodes[side === "before" ? at - 1 : at] ?? null;
    if (beside instanceof Text && withoutGaps(beside.data) === "")
      beside = side === "before" ? beside.previousSibling : beside.nextSibling;
  }
  return isChip(beside) ? beside : null;
}

/** Removes a chip, and sets the caret to its place. */
function removeChip(box: HTMLElement, element: HTMLElement): void {
  const range = document.createRange();
  range.selectNode(element);
  range.deleteContents();
  setCaret(box, range);
}

/** Inserts a node in place of a range, and sets the caret after it. Returns the caret. */
function insertAt(box: HTMLElement, range: Range, node: Node): Range {
  range.deleteContents();
  range.insertNode(node);
  if (box.lastChild?.nodeName !== "BR") box.append(document.createElement("br"));
  range.setStartAfter(node);
  range.collapse(true);
  setCaret(box, range);
  return range;
}

function setCaret(box: HTMLElement, range: Range): void {
  box.focus();
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

/** The text of the box, with `{{ name }}` for chips. */
function textOf(box: HTMLElement, multiline: boolean): string {
  const text = withoutGaps(textWithin(box)).replaceAll("\u00a0", " ");
  // The last line break is the one that `draw` adds.
  const own = text.endsWith("\n") ? text.slice(0, -1) : text;
  return multiline ? own : own.replaceAll("\n", " ");
}

function textWithin(parent: Node): string {
  let text = "";
  for (const node of parent.childNodes) {
    if (node instanceof HTMLElement && node.dataset.placeholder) {
      text += placeholderText(node.dataset.placeholder as Placeholder);
    } else if (node.nodeName === "BR") text += "\n";
    else if (node.nodeName === "DIV" || node.nodeName === "P") text += `${text === "" ? "" : "\n"}${textWithin(node)}`;
    else text += node.nodeType === Node.TEXT_NODE ? (node.nodeValue ?? "") : textWithin(node);
  }
  return text;
}
