/**
 * Converts a product number to GTIN-14: EAN-8, UPC, EAN-13 and GTIN-14, padded with zeros to 14 digits. Null if it
 * isn't one or its check digit is wrong. Ignores spaces and hyphens.
 */
export function toGtin14(code: string): string | null {
  const digits = code.replace(/[\s-]/g, "");
  if (!/^\d{8,14}$/.test(digits)) return null;
  const padded = digits.padStart(14, "0");
  let sum = 0;
  for (let place = 0; place < 13; place++) sum += (padded.charCodeAt(place) - 48) * (place % 2 === 0 ? 3 : 1);
  if (sum === 0) return null; // stores write "00000000" for "none"
  return (10 - (sum % 10)) % 10 === padded.charCodeAt(13) - 48 ? padded : null;
}
