import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { actOnAuthorPage } from "@/lib/authors/act-on-author-page";
import { authorPage } from "@/lib/authors/author-page";
import { authorActionContract, authorPageContract } from "@/lib/authors/contract";
import { openAuthorPage } from "@/lib/authors/open-author-page";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(authorPageContract, async ({ params, query, headers }) =>
    authorPage(await openAuthorPage(params.token, { ...query, headers }), null),
  ),
  route(authorActionContract, async ({ params, query, body, headers }) => {
    const { page, outcome } = await actOnAuthorPage(params.token, body, { ...query, headers });
    return authorPage(page, outcome);
  }),
);
