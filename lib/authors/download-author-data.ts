import { authorActor } from "@/lib/authors/actor";
import { authorPage } from "@/lib/authors/author-page";
import { openAuthorPage, type Reader } from "@/lib/authors/open-author-page";
import { RawJson, Reply } from "@/lib/platform/http/reply";
import { createOwnFile } from "@/lib/privacy/create-person-file";

/**
 * Everything that the store has about the person, without the team's notes, as a file; the page itself if the link isn't
 * valid, or the file would have data of others.
 */
export async function downloadAuthorData(token: string, reader: Reader): Promise<Reply<undefined>> {
  const page = await openAuthorPage(token, reader);
  if (page.state !== "open") return authorPage(page, null);
  if (!page.isAlone) return authorPage(page, "shared");
  const { client, email } = page;
  const file = await createOwnFile(authorActor(client.id), client, { by: "email", email });
  return new Reply<undefined>(new RawJson(`${JSON.stringify(file, null, 2)}\n`), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": 'attachment; filename="my-data.json"',
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });
}
