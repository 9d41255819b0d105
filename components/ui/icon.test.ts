import type { Search } from "lucide-react";
import { type ComponentProps, createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, expectTypeOf, it } from "vitest";
import { icon } from "@/components/ui/icon";

const Drawn = icon(["m21 21-4.34-4.34", ["circle", { cx: 11, cy: 11, r: 8 }]]);

it("is drawn from its lines, and hidden from assistive technology unless it has a name", () => {
  const html = renderToStaticMarkup(createElement(Drawn, { className: "size-4" }));
  expect(html).toContain('<path d="m21 21-4.34-4.34"></path><circle cx="11" cy="11" r="8"></circle></svg>');
  expect(html).toContain('aria-hidden="true" class="size-4"');
  expect(renderToStaticMarkup(createElement(Drawn, { "aria-label": "Find" }))).not.toContain("aria-hidden");
});

it("takes what does something and nothing else, as the pages import it", () => {
  type Props = ComponentProps<typeof Search>;
  expectTypeOf<Props>().toEqualTypeOf<ComponentProps<typeof Drawn>>();
  expectTypeOf<Props>().toHaveProperty("className");
  expectTypeOf<Props>().not.toHaveProperty("size");
  expectTypeOf<Props>().not.toHaveProperty("absoluteStrokeWidth");
  expectTypeOf<Props>().not.toHaveProperty("children");
});
