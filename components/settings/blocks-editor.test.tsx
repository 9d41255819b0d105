import { expect, it } from "vitest";
import { BlocksEditor } from "@/components/settings/blocks-editor";
import { TemplateBlocks as Template, type TemplateBlocks } from "@/lib/accounts/stores/template-blocks/schema";
import { defaultBlocks } from "@/lib/invitations/template-blocks/rules";
import { renderInEnglish } from "@/lib/tools/test/render";

const render = (value: TemplateBlocks, disabled = false) =>
  renderInEnglish(
    <BlocksEditor value={value} logo={<p>Logo field</p>} disabled={disabled} onChange={() => undefined} />,
  );

it("has a field for each block, and can't move or remove the footer", () => {
  const html = render(defaultBlocks("Hi"));
  for (const label of [
    "Subject",
    "Greeting content",
    "Heading content",
    "Text content",
    "Button text",
    "Additional text",
  ])
    expect(html).toContain(`aria-label="${label}"`);
  expect(html).toContain("Logo field");
  expect(html.match(/aria-label="[^"]*: move up"/g)).toHaveLength(7);
  expect(html).not.toContain("Footer: remove");
  expect(html).not.toMatch(/templates\.|emailPreview\./);
});

it("says what is missing", () => {
  const blocks = Template.parse({
    subject: " ",
    blocks: [
      { id: "t", type: "text", text: "" },
      { id: "b", type: "button", label: "Shop", url: "https://shop.example" },
      { id: "f", type: "footer", text: "" },
    ],
  });
  const html = render(blocks);
  for (const text of [
    "Enter a subject.",
    "Enter a text or remove the block.",
    "Add a button that opens the review form.",
  ])
    expect(html).toContain(text);
});

it("can only be read by people who may not change settings", () => {
  const html = render(defaultBlocks("Hi"), true);
  expect(html).not.toMatch(/contentEditable="true"|Add block|move up|insert placeholder/i);
});
