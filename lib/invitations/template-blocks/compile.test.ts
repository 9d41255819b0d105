import { Parser } from "htmlparser2";
import { describe, expect, it } from "vitest";
import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { type Block, TemplateBlocks } from "@/lib/accounts/stores/template-blocks/schema";
import { type InvitationItem, invitationValues } from "@/lib/invitations/render-invitation";
import { sampleItems, sampleRecipient } from "@/lib/invitations/sample";
import { compileBlocks } from "@/lib/invitations/template-blocks/compile";
import { defaultGreetings } from "@/lib/invitations/template-blocks/default-greetings";
import {
  addableBlocks,
  addableTo,
  addBlock,
  blockIssues,
  defaultBlocks,
  moveBlock,
} from "@/lib/invitations/template-blocks/rules";
import { type Language, languages } from "@/lib/platform/i18n/languages";
import { renderLiquid } from "@/lib/platform/mail/liquid";
import { invitationHtml, invitationText } from "@/lib/platform/mail/templates/invitation";

const client = {
  id: "shop",
  display_name: "Lanterna",
  locale: "en_US",
  contact_email: "help@shop.example",
  contact_url: null,
  collect_seller_reviews: true,
  config: { logo_url: "https://shop.example/logo.png", accent_color: "#0f766e" },
} as unknown as ClientRow;

type Reader = { language?: Language; name?: string | null; items?: InvitationItem[]; reminder?: boolean };

function valuesFor({ language = "en", name = "Anna Berg", items = sampleItems(2), reminder = false }: Reader) {
  return invitationValues(client, { ...sampleRecipient(client, language), name, reminder }, items);
}

function render(template: { subject: string; html_template: string; text_template: string }, reader: Reader = {}) {
  const values = valuesFor(reader);
  const subject = renderLiquid("text", template.subject, values);
  return {
    subject,
    html: renderLiquid("html", template.html_template, { ...values, subject }),
    text: renderLiquid("text", template.text_template, { ...values, subject }),
  };
}

const footer: Block = { id: "footer", type: "footer", text: "" };
const button: Block = { id: "button", type: "button", label: "Review", url: null };
const compile = (blocks: Block[], subject = "Hi") =>
  compileBlocks(TemplateBlocks.parse({ subject, blocks: [...blocks, footer] }));

/** The HTML without blank lines, which no reader sees. */
const withoutBlanks = (html: string) => html.replace(/\s+/g, " ").replace(/> </g, "><");

describe("the default blocks", () => {
  it.each([
    ["one item", { items: sampleItems(1) }],
    ["several items", {}],
    ["more items than are shown", { items: sampleItems(12) }],
    ["a customer without a name", { name: null }],
    ["a blank name", { name: " " }],
    ["a reminder", { reminder: true }],
    ["a seller-only invitation", { items: [] }],
  ] satisfies [string, Reader][])("look like the default email in each language: %s", (_, reader) => {
    const ours = { subject: "{{ subject }}", html_template: invitationHtml, text_template: invitationText };
    for (const language of languages) {
      const usual = render(ours, { ...reader, language });
      for (const greeting of [defaultGreetings().all, defaultGreetings()[language]]) {
        const made = render(compileBlocks(defaultBlocks(greeting)), { ...reader, language });
        expect([made.subject, made.text]).toEqual([usual.subject, usual.text]);
        expect(withoutBlanks(made.html)).toBe(withoutBlanks(usual.html));
      }
    }
  });

  it("are valid", () => {
    for (const greeting of Object.values(defaultGreetings())) {
      expect(TemplateBlocks.safeParse(defaultBlocks(greeting)).success).toBe(true);
      expect(blockIssues(defaultBlocks(greeting), "blocks.all")).toEqual([]);
    }
  });
});

/** The elements of an HTML text in order, with their targets. */
function elementsOf(html: string): string[] {
  const found: string[] = [];
  new Parser({ onopentag: (name, { href, src }) => found.push(`${name} ${href ?? src ?? ""}`.trim()) }).end(html);
  return found;
}

describe("a text", () => {
  const hostile = [
    `<script>alert(1)</script>`,
    `<img src=x onerror="alert(1)">`,
    `{{ customer_email }}`,
    `{{ "x" | upcase }} {% if true %}y{% endif %}`,
    `{% raw %}{{ client_name }}{% endraw %}`,
    `{{{ client_name }}} {{customer_email}} {{-customer_email-}}`,
    `{% assign review_url = "https://evil.example" %}`,
    `}} %} & ' " \\ {{`,
    `{{ constructor }}`,
  ];

  it.each(hostile)("is shown as written: %s", (typed) => {
    const clean = render(compile([{ id: "t", type: "text", text: "plain" }, button]));
    // A known placeholder stays one, wherever it's written.
    const shown = typed.replace("{{ client_name }}", "Lanterna");
    for (const type of ["text", "heading", "greeting"] as const) {
      const made = render(compile([{ id: "t", type, text: typed }, button], typed));
      expect(made.subject).toBe(shown);
      expect(made.text).toContain(shown);
      let seen = "";
      new Parser({ ontext: (text) => (seen += text) }).end(made.html);
      expect(seen).toContain(shown);
      const kinds = (html: string) => elementsOf(html).map((element) => element.replace(/^(h1|p)$/, "text"));
      expect(kinds(made.html)).toEqual(kinds(clean.html));
    }
    const inButton = render(compile([{ ...button, label: typed }]));
    expect(elementsOf(inButton.html)).toEqual(elementsOf(render(compile([button])).html));
    expect(inButton.text).toContain(shown);
    const inFooter = compileBlocks({ subject: "x", blocks: [button, { ...footer, text: typed } as Block] });
    expect(render(inFooter).text).toContain(shown);
  });

  it("has paragraphs and line breaks", () => {
    const { html, text } = render(compile([{ id: "t", type: "text", text: "One\ntwo\r\n\r\nThree\n" }, button]));
    expect(html).toMatch(/One<br>\s*two<\/p>\s*<p [^>]*>Three<\/p>/);
    expect(text).toContain("One\ntwo\n\nThree\n");
  });

  it("has a blank line above it in plain text", () => {
    const text = (id: string): Block => ({ id, type: "text", text: id });
    const blocks: Block[] = [
      text("One"),
      text("Two"),
      { id: "h", type: "heading", text: "Head" },
      text("Three"),
      button,
    ];
    expect(render(compile([...blocks, text("Four")])).text).toMatch(
      /^One\n\nTwo\n\nHead\nThree\n\nReview:\nhttp\S+\n\nFour\n\nThank/,
    );
  });

  it("has placeholders, and the default text for customers without a name", () => {
    const blocks: Block[] = [
      { id: "a", type: "greeting", text: "Dear {{ customer_name }}," },
      { id: "b", type: "heading", text: "{{ customer_name }}, how is it?" },
      { id: "c", type: "text", text: "Your {{ product_name }} of {{ client_name }}" },
      button,
    ];
    const named = render(compile(blocks, "For {{ customer_name }}"));
    expect(named.subject).toBe("For Anna Berg");
    expect(named.text).toMatch(/^Dear Anna Berg,\n\nAnna Berg, how is it\?\nYour Oak table lamp of Lanterna\n/);
    for (const name of [null, "", " "]) {
      const unnamed = render(compile(blocks, "For {{ customer_name }}"), { name });
      expect(unnamed.text).toMatch(/^Hi,\n\nHow do you like it so far\?\nYour Oak/);
      expect(unnamed.subject).toBe(valuesFor({ name }).subject);
    }
  });
});

describe("a customer's name in a text", () => {
  it.each([
    ["Thank you, {{ customer_name }}! See you.", "Thank you, Anna Berg! See you.", "Thank you! See you."],
    ["Thank you, {{ customer_name }}.\nBye", "Thank you, Anna Berg.\nBye", "Thank you.\nBye"],
    ["Guten Tag {{ customer_name }},\ndanke.", "Guten Tag Anna Berg,\ndanke.", "Guten Tag,\ndanke."],
    ["Bonjour\u00a0{{ customer_name }}, merci.", "Bonjour\u00a0Anna Berg, merci.", "Bonjour, merci."],
    ["Hola, {{ customer_name }}:", "Hola, Anna Berg:", "Hola:"],
    ["Hej {{ customer_name }}!", "Hej Anna Berg!", "Hej!"],
    ["{{ customer_name }}, How is it?", "Anna Berg, How is it?", "How is it?"],
    ["{{ customer_name }}\u202f! Merci.", "Anna Berg\u202f! Merci.", "Merci."],
    ["{{ customer_name }} – hi", "Anna Berg – hi", "hi"],
    ["{{ customer_name }}\n– One", "Anna Berg\n– One", "– One"],
    ["{{ customer_name }}... hi", "Anna Berg... hi", "... hi"],
    ["Hi.\n{{ customer_name }}:\nHow is it?", "Hi.\nAnna Berg:\nHow is it?", "Hi.\nHow is it?"],
    ["{{ client_name }} {{ customer_name }} <3", "Lanterna Anna Berg <3", "Lanterna <3"],
  ])("leaves no gap if there is none: %s", (typed, named, unnamed) => {
    const blocks: Block[] = [{ id: "t", type: "text", text: typed }, button];
    const template = compileBlocks({ subject: "Hi", blocks: [...blocks, { ...footer, text: typed } as Block] });
    for (const [name, expected] of [
      ["Anna Berg", named],
      [null, unnamed],
      [" ", unnamed],
    ] as const) {
      const { html, text } = render(template, { name });
      expect(text.startsWith(`${expected}\n\nReview:`), text).toBe(true);
      expect(text).toContain(`--\n${expected}\n\n`);
      let seen = "";
      new Parser({ ontext: (part) => (seen += part) }).end(html);
      expect(seen).toContain(expected);
    }
  });
});

describe("a line with a product's name", () => {
  it("is the default one in a seller-only invitation", () => {
    const blocks: Block[] = [
      { id: "a", type: "greeting", text: "{{ customer_name }}, about {{ product_name }}" },
      { id: "b", type: "heading", text: "How is your {{ product_name }}?" },
      { ...button, label: "Review {{ product_name }}" },
    ];
    const template = compile(blocks, "Your {{ product_name }}");
    expect(render(template).text).toMatch(
      /^Anna Berg, about Oak table lamp\n\nHow is your Oak table lamp\?\n\nReview Oak/,
    );
    const usual = valuesFor({ items: [] });
    const made = render(template, { items: [] });
    expect(made.subject).toBe(usual.subject);
    expect(made.text.startsWith(`Hi Anna Berg,\n\n${usual.heading}\n\n${usual.write_label}:`)).toBe(true);
    expect(render(template, { items: [], name: null }).text).toMatch(/^Hi,\n\n/);
  });
});

describe("a paragraph with a product's name", () => {
  const text = (id: string, typed: string): Block => ({ id, type: "text", text: typed });

  it("is left out of a seller-only invitation, and nothing else is", () => {
    const template = compile([
      text("a", "Thank you.\n\nHow is your {{ product_name }}?\nTell us.\n\nIt helps {{ client_name }}."),
      text("b", "Is your {{ product_name }} bright?\n\nDo you like the {{ product_name }}?"),
      text("c", "Good or bad."),
      button,
    ]);
    expect(render(template).text).toMatch(
      /^Thank you\.\n\nHow is your Oak table lamp\?\nTell us\.\n\nIt helps Lanterna\.\n\nIs your Oak table lamp bright\?\n\nDo you like the Oak table lamp\?\n\nGood or bad\.\n\nReview:/,
    );
    const { text: plain, html } = render(template, { items: [] });
    expect(plain).toMatch(/^Thank you\.\n\nIt helps Lanterna\.\n\nGood or bad\.\n\nReview:/);
    let seen = "";
    new Parser({ ontext: (part) => (seen += part) }).end(html);
    expect(seen).not.toMatch(/How is your|Tell us|bright/);
    // Nothing is left of their markup either.
    const others = compile([text("a", "Thank you.\n\nIt helps {{ client_name }}."), text("c", "Good or bad."), button]);
    expect(elementsOf(html)).toEqual(elementsOf(render(others, { items: [] }).html));
  });

  it("leaves no blank line in plain text, wherever it is", () => {
    const greeting: Block = { id: "g", type: "greeting", text: "Hello" };
    const heading: Block = { id: "h", type: "heading", text: "Head" };
    const left = text("l", "Your {{ product_name }}");
    const other = text("o", "Other");
    const products: Block = { id: "p", type: "products" };
    const start = (blocks: Block[], items: InvitationItem[]) =>
      render(compile(blocks), { items }).text.split("http")[0];
    for (const [blocks, expected] of [
      [[left, other, button], "Other\n\nReview:\n"],
      [[greeting, left, other, button], "Hello\n\nOther\n\nReview:\n"],
      [[heading, left, other, button], "Head\nOther\n\nReview:\n"],
      [[greeting, left, button], "Hello\n\nReview:\n"],
      [[greeting, left, heading, other, button], "Hello\n\nHead\nOther\n\nReview:\n"],
      [[greeting, left, products, { ...products, id: "p2" }, other, button], "Hello\n\nOther\n\nReview:\n"],
      [[products, left, button], "Review:\n"],
      [[other, left, text("o2", "Last"), button], "Other\n\nLast\n\nReview:\n"],
    ] as [Block[], string][])
      expect(start(blocks, [])).toBe(expected);
    const usual = "Your Oak table lamp\n\nOther\n\nReview:\n";
    expect(start([left, other, button], sampleItems(1))).toBe(usual);
    expect(start([greeting, left, other, button], sampleItems(1))).toBe(`Hello\n\n${usual}`);
    expect(start([heading, left, other, button], sampleItems(1))).toBe(`Head\n${usual}`);
    expect(start([greeting, products], sampleItems(1))).toBe("Hello\n\nOak table lamp\n");
  });

  it("keeps the space at the edges of the email if it was the only one there", () => {
    const blocks = [text("a", "Your {{ product_name }}"), button];
    const { html, text: plain } = render(compile(blocks), { items: [] });
    expect(html).toMatch(/padding:28px 40px 0px;">\s*<\/td>/);
    expect(plain).toMatch(/^Review:/);
  });
});

describe("a button", () => {
  it("opens the form or a web address, and nothing else", () => {
    const url = "https://shop.example/{{ customer_email }}?a=1&b='\"";
    const own: Block = { id: "own", type: "button", label: "Shop", url };
    const { html, text } = render(compile([button, own]));
    const links = elementsOf(html);
    expect(links).toContain(`a ${valuesFor({}).review_url}`);
    expect(links).toContain(`a ${url}`);
    expect(text).toContain(`Shop:\n${url}\n`);
    for (const bad of ["javascript:alert(1)", "data:text/html,x", "mailto:a@b.example", "shop.example", ""])
      expect(TemplateBlocks.safeParse({ subject: "x", blocks: [{ ...own, url: bad }, footer] }).success).toBe(false);
  });
});

describe("the order of blocks", () => {
  it("is that of the email", () => {
    const blocks: Block[] = [
      button,
      { id: "p", type: "products" },
      { id: "t", type: "text", text: "Thanks" },
      { id: "l", type: "logo" },
    ];
    const { html_template, text_template } = compile(blocks);
    const at = (template: string, ...marks: string[]) => marks.map((mark) => template.indexOf(mark));
    const order = at(html_template, "{{ review_url }}", "in items", "Thanks", "logo_url", "opt_out_url");
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order).not.toContain(-1);
    const inText = at(text_template, "{{ review_url }}", "in items", "Thanks", "opt_out_url");
    expect(inText).toEqual([...inText].sort((a, b) => a - b));
  });

  it("changes with the buttons, but the footer stays last", () => {
    const ids = (of: TemplateBlocks) => of.blocks.map(({ id }) => id).join(" ");
    const start = defaultBlocks("Hi");
    expect(ids(moveBlock(start, "greeting", -1))).toBe("greeting logo heading text products button seller footer");
    expect(ids(moveBlock(start, "greeting", 1))).toBe("logo heading greeting text products button seller footer");
    for (const [id, by] of [
      ["logo", -1],
      ["seller", 1],
      ["footer", -1],
      ["none", 1],
    ] as const)
      expect(moveBlock(start, id, by)).toBe(start);
  });

  it("has one logo at most", () => {
    const start = defaultBlocks("Hi");
    expect(addableTo(start)).toEqual(addableBlocks.filter((type) => type !== "logo"));
    expect(addableTo({ ...start, blocks: start.blocks.filter(({ type }) => type !== "logo") })).toEqual(addableBlocks);
  });

  it("has new blocks above the footer, each with an id of its own", () => {
    let blocks = defaultBlocks("Hi");
    for (const type of [...addableBlocks, ...addableBlocks]) blocks = addBlock(blocks, type);
    expect(TemplateBlocks.safeParse(blocks).success).toBe(true);
    expect(blocks.blocks.map(({ type }) => type).slice(-4)).toEqual(["products", "button", "seller", "footer"]);
  });
});

describe("what is missing", () => {
  it("is reported at its field", () => {
    const given = {
      subject: " ",
      blocks: [{ id: "t", type: "text", text: "" }, { ...button, url: "https://x.example" }, footer],
    };
    expect(blockIssues(given as TemplateBlocks, "blocks.de")).toEqual([
      { field: "blocks.de.subject", reason: "empty" },
      { field: "blocks.de.blocks[0].text", reason: "empty" },
      { field: "blocks.de.blocks", reason: "blocks_without_review_button" },
    ]);
  });

  it("can't be the footer, and no id is used twice", () => {
    for (const blocks of [[button], [button, footer, button], [footer, button, footer], [button, button, footer]])
      expect(TemplateBlocks.safeParse({ subject: "x", blocks }).success).toBe(false);
  });
});
