import { type Language, languages } from "@/lib/platform/i18n/languages";
import { type MessageCatalog, messageFormatter } from "@/lib/platform/i18n/message-formatter";

/** Containers whose names mean nothing to people. */
const wrappers = new Set(["body", "config", "order", "secrets", "settings"]);

/** Names of request fields for people, in a language: `order.items[0].id` is for programs. */
export async function fieldNames(language: Language) {
  const { default: names } = await import(`./messages/${language}/field-names.json`);
  return namesFrom(language, names);
}

function namesFrom(language: Language, names: MessageCatalog) {
  const format = messageFormatter(language, names);
  /** `items[0].delivery_date` becomes “Items (1), Delivery date”. */
  const nameOf = (field: string): string => {
    const steps = field.split(/[.[\]]+/).filter(Boolean);
    const parts: string[] = [];
    for (const [at, step] of steps.entries()) {
      const last = parts.at(-1);
      if (last !== undefined && /^\d{1,9}$/.test(step)) parts[parts.length - 1] = `${last} (${Number(step) + 1})`;
      else if (at === steps.length - 1 || !wrappers.has(step))
        parts.push((Object.hasOwn(names, step) ? names[step] : undefined) ?? humanize(step, language));
    }
    return parts.join(", ");
  };
  /** A message preceded by the name of its field. */
  const withField = (field: string, message: string): string =>
    format("field_and_message", { field: nameOf(field), message }) ?? message;
  return { nameOf, withField };
}

/** The name of a member that isn't in the messages. Language codes become language names. */
function humanize(member: string, language: Language): string {
  const isLanguage = (languages as readonly string[]).includes(member);
  const name = isLanguage ? new Intl.DisplayNames([language], { type: "language" }).of(member) : undefined;
  const plain = name ?? member.replaceAll("_", " ");
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}`;
}
