import { readFile } from "node:fs/promises";
import path from "node:path";
import { Marked } from "marked";
import { env } from "@/lib/platform/env";

/** The guides in reading order: `docs/guides/<name>.md`. */
export const guides = [
  "quick-start",
  "widget",
  "webhooks",
  "moving",
  "moving-from-a-hosted-service",
  "test-stores",
  "self-hosting",
  "backups",
  "api",
  "errors-and-limits",
] as const;

export type Guide = { name: string; title: string; summary: string; html: string };

/** A guide as HTML; null if there is none of this name. Examples use this installation's own address. */
export async function readGuide(name: string): Promise<Guide | null> {
  if (!guides.some((guide) => guide === name)) return null;
  const file = path.join(process.cwd(), "docs/guides", `${name}.md`);
  const text = (await readFile(file, "utf8")).replaceAll("http://localhost:3000", env().PUBLIC_URL);
  const [heading = "", summary = ""] = text.split("\n\n");
  return {
    name,
    title: heading.replace(/^# /, ""),
    summary: summary.replaceAll("\n", " "),
    html: await marked.parse(text),
  };
}

export const allGuides = async (): Promise<Guide[]> =>
  (await Promise.all(guides.map(readGuide))).filter((guide) => guide !== null);

const idOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .trim()
    .replace(/\s+/g, "-");

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** GitHub renders the same files: links are written for GitHub and converted to paths of this server here. */
const marked = new Marked({
  walkTokens(token) {
    if (token.type === "link") token.href = token.href.replace(/^([\w-]+)\.md\b/, "/docs/guides/$1");
  },
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text, lang = "" }) {
      const caption = lang.split(" ").slice(1).join(" ");
      const label = caption ? `<figcaption>${escaped(caption)}</figcaption>` : "";
      return `<figure>${label}<pre tabindex="0"><code>${escaped(text)}</code></pre></figure>\n`;
    },
    table({ header, rows }) {
      const head = header.map((cell) => `<th scope="col">${this.parser.parseInline(cell.tokens)}</th>`).join("");
      const body = rows
        .map((row) => `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join("")}</tr>`)
        .join("\n");
      return `<div class="guide-table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
    },
  },
});
