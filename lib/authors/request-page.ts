import type { ClientRow } from "@/lib/accounts/stores/get-client";
import { authorPageReply, button, form } from "@/lib/authors/parts";
import { paragraph, section, shopName } from "@/lib/display/honesty/parts";
import { html } from "@/lib/display/widget/html";
import { plainPage } from "@/lib/forms/plain-page";
import type { Reply } from "@/lib/platform/http/reply";
import type { Language } from "@/lib/platform/i18n/languages";
import { publicText } from "@/lib/platform/i18n/public-texts";
import { authorRequestUrl } from "@/lib/reviews/author-page/link";

/** Asks for an address, or says that an email is on its way if the store knows it. */
export function requestPage(client: ClientRow, language: Language, view: "ask" | "sent"): Reply<undefined> {
  const t = publicText(language);
  const shop = client.display_name;
  const heading = t(view === "ask" ? "authorPage.requestHeading" : "authorPage.sentHeading", { shop });
  const email = html("input", {
    id: "email",
    name: "email",
    type: "email",
    autocomplete: "email",
    maxlength: 320,
    required: true,
  });
  const body = html(
    "main",
    null,
    shopName(client),
    html("h1", null, heading),
    view === "sent"
      ? section("sent", t("authorPage.requestHeading", { shop }), paragraph(t("authorPage.sent", { shop })))
      : section(
          "request",
          t("authorPage.requestLabel"),
          paragraph(t("authorPage.request", { shop })),
          form(
            `?lang=${language}`,
            { client_id: client.id },
            html("label", { for: "email" }, t("authorPage.email")),
            email,
            button(t("authorPage.requestButton")),
          ),
        ),
  );
  return authorPageReply(client, language, heading, body);
}

/** For a link that isn't valid, or whose person was erased. With the store, it offers a new link. */
export function unknownPage(client: ClientRow | null, language: Language): Reply<undefined> {
  const t = publicText(language);
  const heading = t("linkPage.unknownHeading");
  if (!client) return plainPage({ language, shop: null, heading, text: t("linkPage.unknown") }, 404);
  const body = html(
    "main",
    null,
    shopName(client),
    html("h1", null, heading),
    section(
      "unknown",
      t("authorPage.requestLabel"),
      paragraph(t("linkPage.unknown")),
      html("p", null, html("a", { href: authorRequestUrl(client.id, language) }, t("authorPage.requestButton"))),
    ),
  );
  return authorPageReply(client, language, heading, body, 404);
}
