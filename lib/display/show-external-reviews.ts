import type { DisplayReviewList, ExternalListQuery } from "@/lib/display/schema";
import { type ShowOptions, show } from "@/lib/display/show";
import { lookUpDisplay } from "@/lib/display/versions";
import type { Reply } from "@/lib/platform/http/reply";

/**
 * The external reviews of a product or family. Imports contain totals only, so there are none to list; programs made for
 * a hosted service follow the summary's URL and end here. Throws `not_found` for an unknown client.
 */
export const showExternalReviews = (
  clientId: string,
  { key, url_key, kind }: ExternalListQuery,
  options: ShowOptions,
): Promise<Reply<DisplayReviewList>> =>
  show(
    {
      clientId,
      name: JSON.stringify(["external", kind]),
      lookUp: () => lookUpDisplay({ clientId, key: key || null, urlKey: url_key || null }),
      versionOf: () => "",
      make: async () => ({ reviews: [], next_page_url: null }),
    },
    options,
  );
