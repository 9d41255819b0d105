import { unknownClient } from "@/lib/display/show";
import { widgetFormTexts } from "@/lib/display/widget/form-texts";
import type { FormQuery, WidgetForm } from "@/lib/display/widget/schema";
import { openWebForm, toWebForm } from "@/lib/forms/web-form/open-web-form";

/** The fields of the widget's forms: the same as the hosted form's. Throws `not_found` for an unknown client. */
export async function showForm(clientId: string, { key, url_key, name, lang }: FormQuery): Promise<WidgetForm> {
  const open = await openWebForm({ client_id: clientId, key, url_key, name, lang });
  if (open.state !== "open") throw unknownClient();
  const { client, language, subject } = open;
  const { items, asks, terms, incentive } = toWebForm(open);
  const minWords = items[0]?.fewest_words.others ?? 0;
  return {
    api_key: client.public_key,
    product: { id: subject.productId, family_id: subject.familyId, name: subject.name },
    asks_points: asks.pros_cons,
    asks_recommended: asks.recommended,
    asks_questions: client.collect_questions,
    email_required: asks.email === "required",
    verifies: client.require_verification,
    fewest_words: minWords,
    terms,
    questions: items[0]?.questions ?? [],
    ...widgetFormTexts(language, { shop: client.display_name, n: minWords, incentive }),
  };
}
