/** Suggests a customer's public name: first name and initial, as `Anna K.`; "" without a name. */
export function suggestNickname(name: string | null): string {
  const clean = (name ?? "").replace(/[^\p{L}\p{M}\p{N} ,.'’-]/gu, " ").trim();
  const [family = "", given] = clean.split(",").map((part) => part.trim());
  const words = (given ? `${given} ${family}` : family).split(/\s+/).filter(Boolean);
  const [first, last] = [words[0] ?? "", words.length > 1 ? (words.at(-1) ?? "") : ""];
  const initial = Array.from(last.replace(/[^\p{L}\p{N}]/gu, ""))[0];
  return [capitalized(first), initial ? `${initial.toUpperCase()}.` : ""].filter(Boolean).join(" ");
}

/** Capitalizes names that are all upper or all lower case, as in many order forms. */
function capitalized(name: string): string {
  if (name !== name.toUpperCase() && name !== name.toLowerCase()) return name;
  return name.toLowerCase().replace(/(^|[-'’])\p{L}/gu, (start) => start.toUpperCase());
}
