import { expect, it } from "vitest";
import { headerTexts } from "@/app/r/[token]/_header-texts";
import { publicText } from "@/lib/platform/i18n/public-texts";

it.each([
  ["en", ["How was Lanterna?", "How do you like it?", "How do you like what you bought?"]],
  ["fr", ["Que pensez-vous de Lanterna\u202f?", "Qu’en pensez-vous\u202f?", "Que pensez-vous de vos achats\u202f?"]],
] as const)("asks about the store, the item or the items (%s)", (language, titles) => {
  const title = (itemCount: number) => headerTexts(publicText(language), itemCount, "Lanterna").title;
  expect([0, 1, 2].map(title)).toEqual(titles);
});
