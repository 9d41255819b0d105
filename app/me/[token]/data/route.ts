import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { authorDataContract } from "@/lib/authors/contract";
import { downloadAuthorData } from "@/lib/authors/download-author-data";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(authorDataContract, ({ params, query, headers }) =>
    downloadAuthorData(params.token, { lang: query.lang, headers }),
  ),
);
