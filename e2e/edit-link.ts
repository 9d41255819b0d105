/** The link with which an author edits a review or question, signed like those in emails, with the secret of the server under test. */
export async function signEditLink(
  clientId: string,
  kind: "review" | "question",
  id: string,
  email: string,
): Promise<string> {
  const { E2E_DATA_DIR, E2E_URL } = process.env;
  Object.assign(process.env, { DATA_DIR: E2E_DATA_DIR, PUBLIC_URL: E2E_URL });
  const { editLink } = await import("@/lib/forms/edit/links");
  return editLink(clientId, kind, id, email);
}
