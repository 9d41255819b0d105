import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { englishOf } from "@/lib/platform/i18n/english-errors";
import { languages } from "@/lib/platform/i18n/languages";
import type { MessageCatalog } from "@/lib/platform/i18n/message-formatter";
import type { Reason } from "@/lib/platform/issue";
import { messageParams } from "@/lib/tools/test/message-params";

const folder = path.join(import.meta.dirname, "messages");
const read = (file: string): MessageCatalog => JSON.parse(readFileSync(path.join(folder, file), "utf8"));
const english = read("en/errors.json");
const programs = read("en/program-errors.json");

/** Only English messages contain the field. */
const paramsWithoutField = (message: string) => messageParams(message).filter((name) => name !== "field");

describe("the catalog of errors", () => {
  it.each(languages)("is complete in %s, with the same parameters as in English", (language) => {
    const errors = read(`${language}/errors.json`);
    expect(Object.keys(errors)).toEqual(Object.keys(english));
    for (const [key, message] of Object.entries(errors))
      expect([key, paramsWithoutField(message)]).toEqual([key, paramsWithoutField(english[key] ?? "")]);
  });

  it("lists each reason once, alphabetically", () => {
    const keys = [english, programs].map((messages) => Object.keys(messages));
    for (const of of keys) expect(of).toEqual([...of].sort());
    expect(new Set(keys.flat()).size).toBe(keys.flat().length);
    for (const key of keys.flat()) expect(key).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/);
  });

  it("contains no unused reason", () => {
    const root = path.join(import.meta.dirname, "../../..");
    const sources = ["app", "lib", "components", "inngest"].flatMap((name) =>
      readdirSync(path.join(root, name), { recursive: true, encoding: "utf8" })
        .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|generated/.test(file))
        .map((file) => readFileSync(path.join(root, name, file), "utf8")),
    );
    const given = new Set(sources.flatMap((text) => [...text.matchAll(/"([a-z0-9_]+)"/g)].map(([, key]) => key)));
    // `${kind}_not_found`
    for (const kind of ["review", "seller_review", "question", "answer", "photo"]) given.add(`${kind}_not_found`);
    expect(Object.keys({ ...english, ...programs }).filter((key) => !given.has(key))).toEqual([]);
  });

  it("is used for the API's English messages, with field paths", () => {
    const messageOf = (reason: Reason, field: string | null, params = {}) => englishOf({ reason, field, params });
    expect(messageOf("too_long", "order.items[0].id", { max: 2000 })).toBe(
      "order.items[0].id must be at most 2,000 characters long.",
    );
    expect(messageOf("unknown_keys", null, { names: "colour" })).toBe("The body contains unknown fields: colour.");
    expect(messageOf("too_few_words", "content", { min: 1 })).toBe("content must have at least 1 word.");
    expect(messageOf("opt_out_link_missing", "config.html_template", { mail: "one", language: "sv" })).toBe(
      "config.html_template must link to {{ opt_out_url }} so that everyone can unsubscribe. The link is missing from emails about one item (sv).",
    );
    expect(messageOf("verbatim", null, { message: "It's {odd} <b>." })).toBe("It's {odd} <b>.");
  });
});
