import type { WidgetForm } from "../schema";
import { h } from "./dom";
import type { fillIn } from "./form";
import { dialog } from "./host";
import { clientUrl, loadPart, type Product, readJson, settings, subjectQuery, t, views } from "./service";

/** Opens the form for a review of the product, or for a question about it. */
export async function openForm(
  within: HTMLElement,
  product: Product,
  kind: "review" | "question" = "review",
): Promise<void> {
  const box = dialog(within, kind === "review" ? t("write") : t("ask"));
  try {
    const [form, part] = await Promise.all([
      readJson<WidgetForm>(
        clientUrl("form.json", { ...subjectQuery(product), name: product.name, lang: settings.lang }),
      ),
      loadPart<{ fillIn: typeof fillIn }>("form.js"),
    ]);
    if (box.isConnected) part.fillIn({ h, settings, views }, box, form, kind);
  } catch {
    box.append(h("p", { role: "alert" }, t("failed")));
  }
}
