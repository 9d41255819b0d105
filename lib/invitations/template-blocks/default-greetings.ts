import type { Greetings } from "@/lib/invitations/template-blocks/rules";
import { placeholderText } from "@/lib/invitations/template-blocks/values";
import { languages } from "@/lib/platform/i18n/languages";
import { emailText } from "@/lib/platform/i18n/public-texts";

/** The greetings that templates made of blocks start with. */
export const defaultGreetings = (): Greetings =>
  Object.fromEntries([
    ["all", placeholderText("greeting")],
    ...languages.map((language) => [
      language,
      emailText(language)("invitation.greeting", { name: placeholderText("customer_name") }),
    ]),
  ]) as Greetings;
