import NextLink from "next/link";
import type { ComponentProps } from "react";

/**
 * A link to a portal page. Never prefetches: every page is rendered per reader, so a prefetch would cost the server a
 * request for each link and bring nothing.
 */
export const Link = (props: ComponentProps<typeof NextLink>) => <NextLink prefetch={false} {...props} />;
