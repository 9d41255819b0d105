"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslations } from "#messages";
import { ChipsField } from "@/components/settings/chips-field";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { Menu, MenuItem } from "@/components/ui/menu";
import { Notice } from "@/components/ui/notice";
import type { Block, TemplateBlocks } from "@/lib/accounts/stores/template-blocks/schema";
import {
  type AddableBlock,
  addableTo,
  addBlock,
  blockIssues,
  moveBlock,
} from "@/lib/invitations/template-blocks/rules";
import type { Placeholder } from "@/lib/invitations/template-blocks/values";
import type { MessageKey } from "@/lib/platform/i18n/translator";

const blockNames: Record<Block["type"], MessageKey> = {
  logo: "templates.blockLogo",
  greeting: "templates.blockGreeting",
  heading: "templates.blockHeading",
  text: "templates.blockText",
  products: "templates.blockProducts",
  button: "templates.blockButton",
  seller: "templates.blockSeller",
  footer: "templates.blockFooter",
};

const common = ["customer_name", "client_name", "product_name"] as const satisfies Placeholder[];
const offered = {
  subject: [...common, "subject"],
  greeting: [...common, "greeting"],
  heading: [...common, "heading"],
  text: [...common, "intro"],
  button: [...common, "write_label"],
  footer: ["client_name"],
} as const satisfies Record<string, Placeholder[]>;

type Props = {
  value: TemplateBlocks;
  /** the field of the store's logo, which is a setting of its own */
  logo: ReactNode;
  disabled: boolean;
  onChange: (value: TemplateBlocks) => void;
};

const fieldId = (id: string, name: string): string => `block-${id}-${name}`;

/** An email template as a list of blocks, which can be added, edited, moved and removed. */
export function BlocksEditor({ value, logo, disabled, onChange }: Props) {
  const t = useTranslations();
  const [announcement, setAnnouncement] = useState("");
  /** what gets the focus after a change; `at` makes each one a new one */
  const [focus, setFocus] = useState<{ id: string; at: number } | null>(null);
  const issues = blockIssues(value, "");
  const issueOf = (field: string) =>
    issues.some((issue) => issue.field === `.${field}`) ? t("templates.textMissing") : undefined;

  // Moving an element in the page takes the focus from it.
  useEffect(() => {
    if (focus) document.getElementById(focus.id)?.focus();
  }, [focus]);

  const change = (block: Block) =>
    onChange({ ...value, blocks: value.blocks.map((old) => (old.id === block.id ? block : old)) });
  const focusOn = (id: string) => setFocus((last) => ({ id, at: (last?.at ?? 0) + 1 }));
  const move = (block: Block, by: -1 | 1) => {
    const moved = moveBlock(value, block.id, by);
    if (moved === value) return;
    onChange(moved);
    focusOn(fieldId(block.id, by === -1 ? "up" : "down"));
    setAnnouncement(
      t("templates.blockMoved", {
        block: t(blockNames[block.type]),
        position: moved.blocks.findIndex(({ id }) => id === block.id) + 1,
        total: moved.blocks.length,
      }),
    );
  };
  const remove = (block: Block) => {
    const index = value.blocks.indexOf(block);
    onChange({ ...value, blocks: value.blocks.filter(({ id }) => id !== block.id) });
    const next = value.blocks[index + 1];
    if (next) focusOn(fieldId(next.id, "block"));
    setAnnouncement(t("templates.blockRemoved", { block: t(blockNames[block.type]) }));
  };
  const add = (type: AddableBlock) => {
    const added = addBlock(value, type);
    onChange(added);
    const block = added.blocks.at(-2);
    if (block) focusOn(fieldId(block.id, "block"));
    setAnnouncement(t("templates.blockAdded", { block: t(blockNames[type]) }));
  };

  return (
    <div className="flex flex-col gap-4">
      <ChipsField
        id="blocks-subject"
        label={t("emailPreview.subject")}
        error={issueOf("subject") && t("templates.subjectMissing")}
        value={value.subject}
        names={offered.subject}
        disabled={disabled}
        onChange={(subject) => onChange({ ...value, subject })}
      />
      {issues.some(({ reason }) => reason === "blocks_without_review_button") && (
        <Notice tone="warn">{t("templates.buttonMissing")}</Notice>
      )}
      <ol className="flex flex-col gap-3" aria-label={t("templates.blocks")}>
        {value.blocks.map((block, index) => (
          <li
            key={block.id}
            id={fieldId(block.id, "block")}
            data-block=""
            tabIndex={-1}
            aria-label={t(blockNames[block.type])}
            className="rounded-card border border-line p-4"
          >
            <BlockHead
              block={block}
              isFirst={index === 0}
              isLast={index >= value.blocks.length - 2}
              disabled={disabled}
              onMove={(by) => move(block, by)}
              onRemove={() => remove(block)}
            />
            {block.type === "logo" ? (
              logo
            ) : (
              <BlockFields
                block={block}
                disabled={disabled}
                issueOf={(name) => issueOf(`blocks[${index}].${name}`)}
                onChange={change}
              />
            )}
          </li>
        ))}
      </ol>
      {!disabled && (
        <div>
          <Menu
            label={t("templates.addBlock")}
            onCloseAutoFocus={(event) => {
              // The added block has the focus.
              if (document.activeElement?.closest("[data-block]")) event.preventDefault();
            }}
            trigger={
              <Button disabled={value.blocks.length >= 40}>
                <Plus aria-hidden="true" className="size-4" />
                {t("templates.addBlock")}
              </Button>
            }
          >
            {addableTo(value).map((type) => (
              <MenuItem key={type} onSelect={() => add(type)}>
                <button type="button">{t(blockNames[type])}</button>
              </MenuItem>
            ))}
          </Menu>
        </div>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}

type HeadProps = {
  block: Block;
  isFirst: boolean;
  isLast: boolean;
  disabled: boolean;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
};

function BlockHead({ block, isFirst, isLast, disabled, onMove, onRemove }: HeadProps) {
  const t = useTranslations();
  const name = t(blockNames[block.type]);
  return (
    <div className="mb-2 flex min-h-8 items-center gap-1">
      <h3 className="mr-auto text-sm font-semibold">{name}</h3>
      {block.type !== "footer" && !disabled && (
        <>
          {/* Not disabled at the ends: that would take the focus while moving a block with the keyboard. */}
          <Button
            id={fieldId(block.id, "up")}
            variant="quiet"
            size="small"
            aria-disabled={isFirst}
            aria-label={t("templates.moveUp", { block: name })}
            onClick={() => onMove(-1)}
          >
            <ArrowUp aria-hidden="true" className="size-4" />
          </Button>
          <Button
            id={fieldId(block.id, "down")}
            variant="quiet"
            size="small"
            aria-disabled={isLast}
            aria-label={t("templates.moveDown", { block: name })}
            onClick={() => onMove(1)}
          >
            <ArrowDown aria-hidden="true" className="size-4" />
          </Button>
          <Button
            variant="quiet"
            size="small"
            aria-label={t("templates.removeBlock", { block: name })}
            onClick={onRemove}
          >
            <Trash2 aria-hidden="true" className="size-4" />
          </Button>
        </>
      )}
    </div>
  );
}

type FieldsProps = {
  block: Exclude<Block, { type: "logo" }>;
  disabled: boolean;
  issueOf: (name: string) => string | undefined;
  onChange: (block: Block) => void;
};

function BlockFields({ block, disabled, issueOf, onChange }: FieldsProps) {
  const t = useTranslations();
  switch (block.type) {
    case "greeting":
    case "heading":
    case "text":
      return (
        <ChipsField
          id={fieldId(block.id, "text")}
          label={t("templates.blockContent", { block: t(blockNames[block.type]) })}
          hint={block.type === "greeting" ? t("templates.greetingHint") : undefined}
          error={issueOf("text")}
          value={block.text}
          names={offered[block.type]}
          multiline={block.type === "text"}
          disabled={disabled}
          onChange={(text) => onChange({ ...block, text })}
        />
      );
    case "footer":
      return (
        <ChipsField
          id={fieldId(block.id, "text")}
          label={t("templates.footerText")}
          hint={t("templates.footerHint")}
          value={block.text}
          names={offered.footer}
          multiline
          disabled={disabled}
          onChange={(text) => onChange({ ...block, text })}
        />
      );
    case "button":
      return (
        <div className="flex flex-col gap-4">
          <ChipsField
            id={fieldId(block.id, "label")}
            label={t("templates.buttonLabel")}
            error={issueOf("label")}
            value={block.label}
            names={offered.button}
            disabled={disabled}
            onChange={(label) => onChange({ ...block, label })}
          />
          <Field id={fieldId(block.id, "target")} label={t("templates.buttonTarget")}>
            {(wiring) => (
              <Select
                {...wiring}
                disabled={disabled}
                value={block.url === null ? "form" : "url"}
                onChange={({ target }) => onChange({ ...block, url: target.value === "form" ? null : "https://" })}
              >
                <option value="form">{t("templates.buttonForm")}</option>
                <option value="url">{t("templates.buttonUrl")}</option>
              </Select>
            )}
          </Field>
          {block.url !== null && (
            <Field
              id={fieldId(block.id, "url")}
              label={t("templates.buttonUrlLabel")}
              error={isWebAddress(block.url) ? undefined : t("templates.buttonUrlInvalid")}
            >
              {(wiring) => (
                <Input
                  {...wiring}
                  type="url"
                  disabled={disabled}
                  value={block.url ?? ""}
                  onChange={({ target }) => onChange({ ...block, url: target.value.trim() })}
                />
              )}
            </Field>
          )}
        </div>
      );
    case "products":
      return <p className="text-sm text-muted">{t("templates.productsHint")}</p>;
    case "seller":
      return <p className="text-sm text-muted">{t("templates.sellerHint")}</p>;
  }
}

const isWebAddress = (text: string): boolean => /^https?:\/\/./.test(text) && URL.canParse(text);
