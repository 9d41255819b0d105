import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a page of the portal. Nothing is prefetched: every page is rendered for its reader, so a prefetch would be one more
 * request of the server for each link on the page and bring nothing.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink prefetch={false} {...props} />;
