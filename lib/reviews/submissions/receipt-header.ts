/** Describes the header by which an API response names a receipt, for contracts. Browser-safe. */
export const receiptHeaderOf = (subject: string): Record<string, string> => ({
  Link: `With \`rel="receipt"\`: the secret address of the receipt, at which the author sees what happens to ${subject}. Give it only to the author.`,
});
