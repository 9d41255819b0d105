import { methods } from "@/lib/api/methods";
import { route } from "@/lib/api/route";
import { requestLinkContract, requestPageContract } from "@/lib/authors/contract";
import { openRequestPage, requestAuthorLink } from "@/lib/authors/request-author-link";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods(
  route(requestPageContract, ({ query, headers }) =>
    openRequestPage(query.client_id ?? "", { lang: query.lang, headers }),
  ),
  route(requestLinkContract, ({ query, body, headers }) =>
    requestAuthorLink(body.client_id, body.email, { lang: query.lang, headers }),
  ),
);
