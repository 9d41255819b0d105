// Generated reviews: short and long, four languages, letters of more than one byte.

const sentences = {
  en: [
    "Bought this to replace one that had lasted me nine years, so the bar was high.",
    "It does what it says on the box and nothing more, which is exactly what I wanted.",
    "The fit is a little narrow over the toes; I went up half a size and have had no trouble since.",
    "Battery lasts two full days if I leave the screen at half brightness.",
    "Arrived a day late, but the parcel was well packed and nothing was scratched.",
    "My daughter uses it every morning before school and it still looks new.",
    "The manual is useless – I found a video instead and was done in ten minutes.",
    "After three washes the colour has not faded at all.",
    "I expected more at this price, the hinge feels loose and it rattles when I walk.",
    "Quiet enough that I can run it while we watch television in the same room.",
    "Two of the screws were missing; the shop sent new ones within the week.",
    "Would buy again without thinking twice 👍",
    "The smell of the rubber was strong at first and went away after some days on the balcony.",
    "Easy to clean, which matters more than anything else in our kitchen.",
  ],
  sv: [
    "Precis som på bilden, och den känns stadigare än jag hade väntat mig.",
    "Storleken stämde bra, men ärmarna är lite långa på mig som är 165 cm.",
    "Har använt den varje dag i två månader och är fortfarande mycket nöjd.",
    "Leveransen tog längre tid än utlovat, annars inget att klaga på.",
    "Tyvärr gick dragkedjan sönder redan efter en vecka.",
    "Mycket prisvärd – köpte en till åt min syster.",
    "Materialet är skönt och håller formen även efter tvätt.",
    "Lite krånglig att montera, men när den väl står så står den.",
  ],
  de: [
    "Die Verarbeitung ist für den Preis erstaunlich gut, alle Nähte sitzen sauber.",
    "Leider fällt die Größe etwas kleiner aus, deshalb ein Stern weniger.",
    "Läuft seit einem halben Jahr täglich und ohne jede Störung.",
    "Die Lieferung war schnell, die Verpackung hätte aber kleiner sein dürfen.",
    "Beim Aufbau fehlte ein Schlüssel, mit eigenem Werkzeug ging es trotzdem.",
    "Würde ich jederzeit wieder kaufen und habe es schon weiterempfohlen.",
  ],
  fr: [
    "Très bon produit, conforme à la description et reçu en deux jours.",
    "La couleur est un peu plus foncée que sur la photo, mais elle me plaît quand même.",
    "Je l’utilise tous les jours au bureau et je n’ai rien à lui reprocher.",
    "Dommage que la notice ne soit pas traduite, le montage a pris une heure.",
    "Le bruit est à peine perceptible, même la nuit.",
  ],
} as const;

const pros = [
  "sturdy",
  "good value",
  "light",
  "easy to clean",
  "quiet",
  "tydlig manual",
  "schöne Farbe",
  "livraison rapide",
];
const cons = ["runs small", "short cable", "loud", "ingen väska", "etwas schwer", "notice incomplète"];
const names = [
  "Anna",
  "Björn",
  "Chloé",
  "Dmitri",
  "Ewa",
  "Fatima",
  "Gösta",
  "Hannah",
  "İpek",
  "Jürgen",
  "Kofi",
  "Lena",
];

/** Numbers in [0, 1) that are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const pick = <T>(random: () => number, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** A shopper's review. Most have two to five sentences, one in twenty is a short essay. */
export function randomReview(random: () => number) {
  const lang = pick(random, ["en", "en", "en", "sv", "sv", "de", "fr"] as const);
  const length = random() < 0.05 ? 12 + random() * 12 : 1 + random() * 5;
  const some = (list: readonly string[], max: number) =>
    random() < 0.6 ? [] : Array.from({ length: 1 + Math.floor(random() * max) }, () => pick(random, list));
  return {
    lang,
    author: `${pick(random, names)} ${String.fromCharCode(65 + Math.floor(random() * 26))}.`,
    score: pick(random, [5, 5, 5, 5, 5, 4, 4, 4, 3, 2, 1, 1]),
    title: random() < 0.3 ? pick(random, ["Very happy", "Not for me", "Nöjd!", "Gut, aber …", "Parfait"]) : null,
    extract: Array.from({ length: Math.floor(length) }, () => pick(random, sentences[lang])).join(" "),
    pros: some(pros, 3),
    cons: some(cons, 2),
  };
}
