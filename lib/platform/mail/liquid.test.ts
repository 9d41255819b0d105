import { describe, expect, it } from "vitest";
import { renderLiquid } from "@/lib/platform/mail/liquid";

const hostile = `<script>alert("1")</script>&'`;

describe("a template", () => {
  it("escapes every value once in HTML, with or without an escape filter", () => {
    const once = "&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt;&amp;&#39;";
    for (const template of ["{{ a }}", "{{ a | escape }}", "{{ a | escape_once }}", "{% echo a %}", "{% cycle a, a %}"])
      expect(renderLiquid("html", template, { a: hostile }), template).toBe(once);
    expect(renderLiquid("text", "{{ a }}", { a: hostile })).toBe(hostile);
  });

  it("doesn't evaluate values as templates", () => {
    expect(renderLiquid("text", "{{ a }}", { a: "{{ b }}{% if %}", b: "secret" })).toBe("{{ b }}{% if %}");
  });

  it("reads no files and no inherited properties", () => {
    for (const tag of ["render", "include", "layout"])
      expect(() => renderLiquid("html", `{% ${tag} '/etc/passwd' %}`, {}), tag).toThrow(/ENOENT/);
    expect(renderLiquid("text", "{{ a.constructor }}{{ a.__proto__ }}{{ a.toString }}", { a: {} })).toBe("");
  });
});
