import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { POLICY_HEADER, withFrameAncestors } from "@/lib/platform/http/page-headers";
import { perProcess } from "@/lib/platform/process";

/** The response of the page being rendered. Shared by the server and the pages, which are separate builds. */
const pageResponses = perProcess("page-answers", () => new AsyncLocalStorage<ServerResponse>());

/** Renders a page that may call {@link setNotFoundStatus} or {@link allowFraming}. */
export const withPageResponse = <T>(response: ServerResponse, draw: () => T): T => pageResponses.run(response, draw);

/**
 * Sets the status of the page being rendered to 404. Next's own notFound leaves an empty page that a script fills, so
 * nothing is shown without JavaScript. Call it while rendering the head: `htmlLimitedBots` in next.config.mjs delays
 * the response until after that. Under plain `next start` the status stays 200.
 */
export function setNotFoundStatus(): void {
  const response = pageResponses.getStore();
  if (response && !response.headersSent) response.statusCode = 404;
}

/**
 * Allows these origins (`*`: any) to frame the page being rendered. Call it while rendering the head, too. Under plain
 * `next start` no page can be framed.
 */
export function allowFraming(ancestors: readonly string[]): void {
  const response = pageResponses.getStore();
  if (response && !response.headersSent)
    response.setHeader(POLICY_HEADER, withFrameAncestors(String(response.getHeader(POLICY_HEADER)), ancestors));
}
