import type { WidgetForm } from "../schema";
import { h } from "./dom";
import type { fillIn } from "./form";
import { dialog } from "./place";
import { about, at, type Product, read, settings, t, views } from "./service";

/** Opens the form for a review of the product, or for a question about it. */
export async function write(
  within: HTMLElement,
  product: Product,
  kind: "review" | "question" = "review",
): Promise<void> {
  const box = dialog(within, kind === "review" ? t("write") : t("ask"));
  try {
    const [form, part] = await Promise.all([
      read<WidgetForm>(at("form.json", { ...about(product), name: product.name, lang: settings.lang })),
      import(at("form.js", { v: settings.version })) as Promise<{ fillIn: typeof fillIn }>,
    ]);
    if (box.isConnected) part.fillIn({ h, settings, views }, box, form, kind);
  } catch {
    box.append(h("p", { role: "alert" }, t("failed")));
  }
}
