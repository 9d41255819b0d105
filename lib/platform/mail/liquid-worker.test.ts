import { describe, expect, it } from "vitest";
import { renderInWorker, variablesOf } from "@/lib/platform/mail/liquid-worker";

const text = (template: string) => ({ format: "text" as const, template, values: { a: "<b>" } });

/** Takes minutes within a single tag, where the engine doesn't check its time limit. */
const endless = `{% assign a = (1..900000) | where_exp: "x", "${"x > 0 and ".repeat(99)} x > 0" %}{{ a.size }}`;

describe("a client's template", () => {
  it("is rendered by a worker thread like in process", async () => {
    expect(await renderInWorker("trials", { ...text("{{ a }}"), format: "html" })).toMatchObject({ text: "&lt;b&gt;" });
    expect(await renderInWorker("mails", text("{{ a }}"))).toMatchObject({ text: "<b>" });
    expect(await renderInWorker("trials", text("{{ a | shout }}"))).toMatchObject({
      error: expect.stringContaining("undefined filter: shout"),
      isTooSlow: false,
    });
    expect(await variablesOf("{{ a }}{% assign b = c %}{{ b }}")).toEqual(["a", "c"]);
    await expect(variablesOf("{{")).rejects.toThrow();
  });

  it.each([
    ["a loop that doesn't end", "{% for i in (1..100000000) %}x{% endfor %}"],
    ["a text that doubles", `{% assign a = 'xxxxxxxx' %}${"{% assign a = a | append: a %}".repeat(40)}{{ a }}`],
    ["a text too long for an email", `{% for i in (1..100000) %}${"x".repeat(50)}{% endfor %}`],
    ["deep nesting", "{% if true %}".repeat(20_000) + "{% endif %}".repeat(20_000)],
  ])("fails on %s", async (_, template) => {
    expect(await renderInWorker("trials", { format: "html", template, values: {} })).toHaveProperty("error");
  });

  it("is terminated if it doesn't end, while others are rendered", async () => {
    let turns = 0;
    const others = setInterval(() => (turns += 1), 20);
    const [ended, next] = await Promise.all([
      renderInWorker("mails", text(endless)),
      renderInWorker("mails", text("{{ a }}")),
    ]);
    clearInterval(others);
    expect(ended).toMatchObject({ isTooSlow: true });
    expect(next).toMatchObject({ text: "<b>" });
    expect(turns).toBeGreaterThan(20);
    // Otherwise each email with it would delay others as long.
    expect(await renderInWorker("mails", text(endless))).toMatchObject({ took: 0 });
  });

  it("is too slow if the engine's own limit ends it", async () => {
    const loop = text("{% for i in (1..2000000) %}{% assign b = i | times: 2 %}{% endfor %}");
    expect(await renderInWorker("trials", loop, { left: 60_000 })).toMatchObject({
      error: expect.stringContaining("limit exceeded"),
      isTooSlow: true,
    });
  });

  it("has one budget for all parts of an email", async () => {
    const budget = { left: 1_000 };
    const loop = text("{% for i in (1..20000) %}{% assign b = i | times: 2 %}{% endfor %}");
    const results = [await renderInWorker("trials", loop, budget)];
    while (budget.left >= 0 && results.length < 1_000) results.push(await renderInWorker("trials", loop, budget));
    results.push(await renderInWorker("trials", loop, budget));
    expect(results[0]).toMatchObject({ text: "" });
    expect(results.at(-1)).toMatchObject({ isTooSlow: true });
    expect(budget.left).toBeLessThan(0);
  });
});
